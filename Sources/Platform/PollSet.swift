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

    /// Waits until a descriptor is ready, a signal arrives or the deadline has passed.
    ///
    /// - Parameter deadline: The monotonic time in milliseconds at which to stop waiting; without a time it waits without limit.
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
