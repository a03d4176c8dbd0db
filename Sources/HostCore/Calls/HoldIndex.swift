/// The accesses that unfinished calls hold, by resource; finds the call to wait for without scanning all calls.
struct HoldIndex {
    private var holders: [Resource: Holders] = [:]
    /// The holders of parts of a resource, by the whole resource.
    private var holdersOfParts: [Resource: Holders] = [:]

    /// Whether nothing is held.
    var isEmpty: Bool { holders.isEmpty }

    /// Adds an access of the call with a number.
    mutating func insert(_ access: Access, _ number: Int) { change(access) { $0.insert(number) } }

    /// Removes what ``insert(_:_:)`` added.
    mutating func remove(_ access: Access, _ number: Int) { change(access) { $0.remove(number) } }

    private mutating func change(_ access: Access, _ body: (inout SortedNumbers) -> Void) {
        holders.change(access.resource, access.holds, body)
        if let whole = access.resource.whole { holdersOfParts.change(whole, access.holds, body) }
    }

    /// The latest call before a number that holds an access in conflict with the given one.
    func latestConflict(with access: Access, before number: Int) -> Int? {
        guard let needs = access.needs else { return nil }
        let candidates = [
            holders[access.resource], holdersOfParts[access.resource], access.resource.whole.flatMap { holders[$0] },
        ]
        return candidates.compactMap { $0?.latestConflict(with: needs, before: number) }.max()
    }
}

/// The calls that hold one resource, by mode.
private struct Holders {
    private var numbers: [Mode: SortedNumbers] = [:]

    var isEmpty: Bool { numbers.isEmpty }

    mutating func change(_ mode: Mode, _ body: (inout SortedNumbers) -> Void) {
        body(&numbers[mode, default: SortedNumbers()])
        if numbers[mode]?.isEmpty == true { numbers[mode] = nil }
    }

    func latestConflict(with needs: Mode, before number: Int) -> Int? {
        numbers.compactMap { mode, numbers in needs.conflicts(with: mode) ? numbers.last(before: number) : nil }.max()
    }
}

extension [Resource: Holders] {
    fileprivate mutating func change(_ resource: Resource, _ mode: Mode, _ body: (inout SortedNumbers) -> Void) {
        self[resource, default: Holders()].change(mode, body)
        if self[resource]?.isEmpty == true { self[resource] = nil }
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
