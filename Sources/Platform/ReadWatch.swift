internal import CSystem

/// Descriptors to read from that seldom change, behind one descriptor that is polled in their place.
package final class ReadWatch {
    /// Readable while any of the watched descriptors is, or is at its end.
    package let descriptor: Int32
    private var watched: [Int32] = []

    /// A watch of nothing; nil if the system has no descriptor left.
    package init?() {
        descriptor = csystem_watch_open()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Watches other descriptors instead of those before, which may have been closed.
    ///
    /// - Parameter descriptors: The descriptors.
    /// - Returns: Whether all of them are watched; false if the system refused one.
    package func replace(_ descriptors: [Int32]) -> Bool {
        for descriptor in watched { csystem_watch_remove(self.descriptor, descriptor) }
        watched = descriptors
        return descriptors.indices.allSatisfy { csystem_watch_add(descriptor, descriptors[$0], Int32($0)) == 0 }
    }

    /// The indices of descriptors that are readable or at their end, at most 64 of them.
    package func ready() -> [Int] {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { tags in
            let count = csystem_watch_ready(descriptor, tags.baseAddress, Int32(tags.count))
            return tags[..<Int(count)].map { Int($0) }
        }
    }
}
