/// The accesses that unfinished calls hold, by resource; finds the call to wait for without scanning all calls.
struct HoldIndex {
    /// The accesses of one call.
    private struct Entry {
        let number: Int
        let accesses: [Access]
    }

    /// The call that was added last; it enters the tables when the next one is added.
    ///
    /// A call that runs alone, as every call of a client that waits for its answers does, never needs them.
    private var newest: Entry?
    private var holders: [Resource: Holders] = [:]
    /// The holders of parts of a resource, by the whole resource.
    private var holdersOfParts: [Resource: Holders] = [:]

    /// Whether nothing is held.
    var isEmpty: Bool { newest == nil && holders.isEmpty }

    /// Adds the accesses of the call with a number.
    mutating func insert(_ accesses: [Access], of number: Int) {
        if let newest {
            for access in newest.accesses { change(access) { $0.insert(newest.number) } }
        }
        newest = accesses.isEmpty ? nil : Entry(number: number, accesses: accesses)
    }

    /// Removes what ``insert(_:of:)`` added.
    mutating func remove(_ accesses: [Access], of number: Int) {
        guard newest?.number != number else { return newest = nil }
        for access in accesses { change(access) { $0.remove(number) } }
    }

    private mutating func change(_ access: Access, _ body: (inout SortedNumbers) -> Void) {
        holders.change(access.resource, access.holds, body)
        if let whole = access.resource.whole { holdersOfParts.change(whole, access.holds, body) }
    }

    /// The latest call before a number that holds an access in conflict with the given one.
    func latestConflict(with access: Access, before number: Int) -> Int? {
        guard let needs = access.needs else { return nil }
        var latest: Int?
        if let newest, newest.number < number, newest.accesses.contains(where: { access.conflicts(with: $0) }) {
            latest = newest.number
        }
        guard !holders.isEmpty else { return latest }
        let candidates = [
            holders[access.resource], holdersOfParts[access.resource], access.resource.whole.flatMap { holders[$0] },
        ]
        return (candidates.map { $0?.latestConflict(with: needs, before: number) } + [latest]).compactMap(\.self).max()
    }
}

/// The calls that hold one resource, by mode.
private struct Holders {
    private var appending = SortedNumbers()
    private var reading = SortedNumbers()
    private var writing = SortedNumbers()

    var isEmpty: Bool { appending.isEmpty && reading.isEmpty && writing.isEmpty }

    mutating func change(_ mode: Mode, _ body: (inout SortedNumbers) -> Void) {
        switch mode {
        case .append: body(&appending)
        case .read: body(&reading)
        case .write: body(&writing)
        }
    }

    func latestConflict(with needs: Mode, before number: Int) -> Int? {
        func last(_ mode: Mode, _ numbers: SortedNumbers) -> Int? {
            needs.conflicts(with: mode) ? numbers.last(before: number) : nil
        }
        return [last(.append, appending), last(.read, reading), last(.write, writing)].compactMap(\.self).max()
    }
}

extension [Resource: Holders] {
    fileprivate mutating func change(_ resource: Resource, _ mode: Mode, _ body: (inout SortedNumbers) -> Void) {
        guard let index = index(forKey: resource) else {
            var holders = Holders()
            holders.change(mode, body)
            return self[resource] = holders
        }
        values[index].change(mode, body)
        if values[index].isEmpty { remove(at: index) }
    }
}

/// Numbers in ascending order; a number may occur more than once.
///
/// Most are added at the end and removed at the start, so an array is fast enough for ten thousand.
private struct SortedNumbers {
    private var numbers: [Int] = []

    var isEmpty: Bool { numbers.isEmpty }

    mutating func insert(_ number: Int) { numbers.insert(number, at: numbers.partitioningIndex { $0 >= number }) }

    mutating func remove(_ number: Int) {
        let index = numbers.partitioningIndex { $0 >= number }
        if index < numbers.count, numbers[index] == number { numbers.remove(at: index) }
    }

    func last(before number: Int) -> Int? {
        let index = numbers.partitioningIndex { $0 >= number }
        return index > 0 ? numbers[index - 1] : nil
    }
}

extension Array {
    /// The index of the first element that satisfies a predicate, if all elements after it satisfy the predicate too.
    func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
        if let last, !isInSecondPart(last) { return count }
        if let first, isInSecondPart(first) { return 0 }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
