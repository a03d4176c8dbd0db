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
    private var keptEntries: [Ready] = []
    private var keptDescriptors = PollSet()

    /// Replaces the kept descriptors, which are waited for in addition to those that are added for one wait.
    ///
    /// - Parameter body: Passes each to the closure that it gets.
    mutating func keep(_ body: ((Source, Int32, PollSet.Interest) -> Void) -> Void) {
        keptEntries.removeAll(keepingCapacity: true)
        keptDescriptors.removeAll()
        body { source, descriptor, interest in
            keptEntries.append((source, descriptor))
            keptDescriptors.add(descriptor, for: interest)
        }
    }

    /// Removes all descriptors, except the kept ones, and keeps the memory.
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
    /// - Returns: The descriptors that are ready, in the order in which they were added, then the kept ones.
    mutating func wait(milliseconds: Int32?) -> [Ready] {
        descriptors.append(keptDescriptors)
        let count = descriptors.wait(milliseconds: milliseconds)
        var ready: [Ready] = []
        var index = 0
        while ready.count < count {
            if descriptors.isReady(at: index) {
                ready.append(index < entries.count ? entries[index] : keptEntries[index - entries.count])
            }
            index += 1
        }
        return ready
    }
}
