internal import CSystem

/// Descriptors to read from that seldom change, behind one descriptor that is polled in their place.
package final class ReadWatch {
    /// Readable while any of the watched descriptors is, or is at its end.
    package let descriptor: Int32
    private var watched: Set<Int32> = []

    /// A watch of nothing; nil if the system has no descriptor left.
    package init?() {
        descriptor = csystem_watch_open()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Watches other descriptors instead of those before; its cost grows with the number of those that change.
    ///
    /// A descriptor that was closed must be left out once before its number is watched again.
    ///
    /// - Parameter descriptors: The descriptors.
    /// - Returns: Whether all of them are watched; false if the system refused one.
    package func replace(_ descriptors: [Int32]) -> Bool {
        let wanted = Set(descriptors)
        for descriptor in watched.subtracting(wanted) { csystem_watch_remove(self.descriptor, descriptor) }
        watched.formIntersection(wanted)
        for descriptor in wanted.subtracting(watched)
        where csystem_watch_add(self.descriptor, descriptor, descriptor) == 0 {
            watched.insert(descriptor)
        }
        return watched.count == wanted.count
    }

    /// The descriptors that are readable or at their end, at most 64 of them.
    package func ready() -> [Int32] {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { descriptors in
            let count = csystem_watch_ready(descriptor, descriptors.baseAddress, Int32(descriptors.count))
            return Array(descriptors[..<Int(count)])
        }
    }
}
