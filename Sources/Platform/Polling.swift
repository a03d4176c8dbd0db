internal import CSystem

/// Descriptors to wait for with `poll(2)`.
///
/// To know what a descriptor is for, an owner keeps an array in the same order, or compares descriptors.
package struct PollSet {
    /// What to wait for.
    package enum Interest {
        /// Bytes to read, or the end of the stream.
        case reading
        /// Room to write.
        case writing
    }

    private var entries: [pollfd] = []

    /// An empty set.
    package init() {}

    /// The number of descriptors.
    package var count: Int { entries.count }

    /// Adds a descriptor at the end.
    package mutating func add(_ descriptor: Int32, for interest: Interest) {
        entries.append(pollfd(fd: descriptor, events: Int16(interest == .writing ? POLLOUT : POLLIN), revents: 0))
    }

    /// Removes all descriptors and keeps the memory.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Waits until a descriptor is ready, a signal arrives or a monotonic time in milliseconds has passed; without a time
    /// it waits without limit.
    ///
    /// - Returns: The number of descriptors that are ready, broken or closed at the other end.
    @discardableResult
    package mutating func wait(until deadline: Int64?) -> Int {
        wait(milliseconds: deadline.map { Int32(clamping: max(0, $0 - Clock.monotonic())) })
    }

    /// Waits until a descriptor is ready, a signal arrives or so many milliseconds have passed; without a number it waits
    /// without limit.
    ///
    /// - Returns: The number of descriptors that are ready, broken or closed at the other end.
    @discardableResult
    package mutating func wait(milliseconds: Int32?) -> Int {
        let count = poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        guard count < 0 else { return Int(count) }
        for index in entries.indices { entries[index].revents = 0 }
        return 0
    }

    /// Whether the descriptor at an index was ready when the last wait ended.
    package func isReady(at index: Int) -> Bool { entries[index].revents != 0 }

    /// The descriptors that were ready when the last wait ended, in the order in which they were added.
    package var ready: [Int32] { entries.filter { $0.revents != 0 }.map(\.fd) }

    /// Whether bytes can be written to a descriptor now.
    package static func isWritable(_ descriptor: Int32) -> Bool {
        var set = PollSet()
        set.add(descriptor, for: .writing)
        return set.wait(milliseconds: 0) == 1
    }
}

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

/// A descriptor through which any thread wakes the thread that polls it.
package final class Wakeup: Sendable {
    private let pipe: Descriptors.Pipe

    /// Readable while signals have not been taken.
    package var descriptor: Int32 { pipe.reading }

    /// - Throws: Why the system cannot open a pipe.
    package init() throws(SystemError) {
        // Only the reading end is nonblocking: the signals are counted, so none may be dropped.
        pipe = try Descriptors.makePipe()
        Descriptors.setNonblocking(pipe.reading)
    }

    deinit { pipe.close() }

    /// Wakes the thread that polls; may be called by any thread.
    package func signal() {
        var byte: UInt8 = 0
        while write(pipe.writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes at most 64 of the signals, and returns their number; while more are left, the descriptor stays readable.
    package func take() -> Int {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            guard case .bytes(let count) = Descriptors.read(pipe.reading, into: buffer) else { return 0 }
            return count
        }
    }
}
