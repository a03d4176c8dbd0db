internal import ExtensionHost
internal import Platform

/// The descriptors that the event loop waits for, each with what it belongs to.
struct PollSources {
    /// The part of the host that a descriptor belongs to.
    enum Source {
        case signals
        case commit
        case disk
        case input
        case output
        case strayOutput
        case log
        case `extension`(ExtensionProcess)
        case check
        case control
        case monitor
    }

    /// A descriptor that is ready.
    typealias Ready = (source: Source, descriptor: Int32)

    private var entries: [Ready] = []
    private var descriptors = PollSet()
    private var keptEntries: [Ready] = []
    /// The position of each kept descriptor in ``keptEntries``.
    private var keptPositions: [Int32: Int] = [:]
    /// Watches the kept descriptors; nil while nothing is kept, or if the system refuses it.
    private var watch: ReadWatch?
    private var isWatching = false

    /// Replaces the kept descriptors, which are read from in addition to those that are added for one wait.
    ///
    /// Their number hardly changes the cost of a wait.
    mutating func keep(_ entries: [Ready]) {
        keptEntries = entries
        keptPositions.removeAll(keepingCapacity: true)
        for (position, entry) in entries.enumerated() { keptPositions[entry.descriptor] = position }
        watch = entries.isEmpty ? nil : watch ?? ReadWatch()
        isWatching = watch?.replace(entries.map(\.descriptor)) ?? false
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

    /// Waits for an event.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest time to wait; nil for as long as it takes.
    ///   - includesKept: Whether an event of the kept descriptors counts.
    /// - Returns: The descriptors that are ready, in the order in which they were added, then the kept ones.
    mutating func wait(milliseconds: Int32?, includingKept includesKept: Bool) -> [Ready] {
        let keptEntries = includesKept ? keptEntries : []
        if isWatching, !keptEntries.isEmpty, let watch {
            descriptors.add(watch.descriptor, for: .reading)
        } else {
            for (_, descriptor) in keptEntries { descriptors.add(descriptor, for: .reading) }
        }
        var count = descriptors.wait(milliseconds: milliseconds)
        var ready: [Ready] = []
        var index = 0
        while count > 0 {
            if descriptors.isReady(at: index) {
                count -= 1
                if index < entries.count {
                    ready.append(entries[index])
                } else if isWatching {
                    ready += watch?.ready().compactMap { keptPositions[$0].map { keptEntries[$0] } } ?? []
                } else {
                    ready.append(keptEntries[index - entries.count])
                }
            }
            index += 1
        }
        return ready
    }
}
