internal import ExtensionHost
internal import Platform

/// The descriptors that the event loop waits for, each with what it belongs to.
struct PollSources {
    /// What a descriptor belongs to.
    enum Source {
        case signals
        case input
        case output
        case strayOutput
        case log
        case `extension`(ExtensionProcess)
        case check
        case control
    }

    /// A descriptor that is ready.
    typealias Ready = (source: Source, descriptor: Int32)

    private var entries: [Ready] = []
    private var descriptors = PollSet()

    /// Removes all descriptors and keeps the memory.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        descriptors.removeAll()
    }

    /// Adds a descriptor.
    mutating func add(_ source: Source, _ descriptor: Int32, for interest: PollSet.Interest) {
        entries.append((source, descriptor))
        descriptors.add(descriptor, for: interest)
    }

    /// Waits for an event, at most so many milliseconds if a number is given.
    ///
    /// - Returns: The descriptors that are ready, in the order in which they were added.
    mutating func wait(milliseconds: Int32?) -> [Ready] {
        guard descriptors.wait(milliseconds: milliseconds) > 0 else { return [] }
        return entries.indices.filter(descriptors.isReady).map { entries[$0] }
    }
}
