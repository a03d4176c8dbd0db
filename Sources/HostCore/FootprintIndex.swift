internal import Suites

/// The footprints of unfinished calls by what they touch: the call that one more must wait for is found without a
/// comparison with each of them.
///
/// A footprint is compared with one of each kind that there is, with those of its suites and those of its
/// presentation; how many calls have the same one does not matter.
struct FootprintIndex {
    /// Whether these calls have not been started themselves.
    let isWaiting: Bool

    /// Each footprint with what many calls differ in left out, and the calls that have it.
    private var shapes: [Footprint: SortedNumbers] = [:]
    private var bySuite: [SuiteName: [Footprint: SortedNumbers]] = [:]
    private var byPresentation: [String: [Footprint: SortedNumbers]] = [:]

    init(isWaiting: Bool) { self.isWaiting = isWaiting }

    /// Adds a call by its number.
    mutating func insert(_ footprint: Footprint, _ number: Int) { change(footprint) { $0.insert(number) } }

    /// Removes a call that was inserted with this footprint.
    mutating func remove(_ footprint: Footprint, _ number: Int) { change(footprint) { $0.remove(number) } }

    private mutating func change(_ footprint: Footprint, _ body: (inout SortedNumbers) -> Void) {
        if let presentation = footprint.presentation { byPresentation.change(presentation, footprint, body) }
        var shape = footprint
        // It is compared with the others of its presentation above.
        shape.presentation = footprint.presentation.map { _ in "" }
        if footprint.kind.isAboutSuite, let suites = footprint.suites {
            for suite in suites { bySuite.change(suite, shape, body) }
            shape.suites = []
        }
        shapes.change(shape, body)
    }

    /// The latest of these calls that a call with this footprint must wait for.
    ///
    /// - Parameters:
    ///   - footprint: What the call touches.
    ///   - number: The call's number; later calls do not matter to it.
    /// - Returns: The number of that call.
    func blocker(of footprint: Footprint, before number: Int) -> Int? {
        latest(near: footprint, before: number) { footprint.mustWait(for: $0, isWaiting: isWaiting) }
    }

    /// The latest call whose footprint fits, of those that may matter to another footprint.
    func latest(near footprint: Footprint, before number: Int, where fits: (Footprint) -> Bool) -> Int? {
        var latest: Int?
        func look(_ calls: [Footprint: SortedNumbers]?) {
            guard let calls else { return }
            for (other, numbers) in calls where fits(other) {
                if let found = numbers.last(before: number), found > latest ?? .min { latest = found }
            }
        }
        look(shapes)
        if let presentation = footprint.presentation { look(byPresentation[presentation]) }
        for suite in footprint.suites ?? [] { look(bySuite[suite]) }
        return latest
    }
}

extension Footprint.Kind {
    /// Whether such requests are about suites alone, each of which may have its own.
    fileprivate var isAboutSuite: Bool {
        switch self {
        case .append, .suite, .defaults, .flush: true
        case .call, .joining, .undecided, .dismissal, .listing, .reload: false
        }
    }
}

/// Numbers in order.
///
/// Most come in order and go in order, so a plain array is fast enough for ten thousand.
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
    /// The position of the first element that fits; those that do must stand behind those that do not.
    func partitioningIndex(where fits: (Element) -> Bool) -> Int {
        if let last, !fits(last) { return count }
        if let first, fits(first) { return 0 }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [Footprint: SortedNumbers] {
    fileprivate mutating func change(_ footprint: Footprint, _ body: (inout SortedNumbers) -> Void) {
        body(&self[footprint, default: SortedNumbers()])
        if self[footprint]?.isEmpty == true { self[footprint] = nil }
    }
}

extension Dictionary where Value == [Footprint: SortedNumbers] {
    fileprivate mutating func change(_ key: Key, _ footprint: Footprint, _ body: (inout SortedNumbers) -> Void) {
        self[key, default: [:]].change(footprint, body)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
