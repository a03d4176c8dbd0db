package import Suites

/// Decides when the calls of one connection run.
///
/// A call runs when no earlier unfinished call of the connection holds an access that conflicts with one that it needs.
/// Otherwise it waits for the latest such call, and is checked again when that call starts, ends or changes its accesses.
/// So the cost of an event does not grow with the number of waiting calls, and is nothing while no call waits. A call that
/// ends while it runs, as a save does, is never registered here.
package final class Scheduler {
    /// Calls that wait, in the order in which they came.
    @exclusivity(unchecked) package private(set) var waiting: [Invocation] = []
    /// Calls that run, in the order in which they started.
    package private(set) var running: [Invocation] = []
    /// The waiting calls to check next, in the order in which they came.
    private var due: [Invocation] = []
    /// The calls that wait for an earlier one or for a flush of the policy, by the number of that.
    private var followers: [Int: [Invocation]] = [:]
    /// The numbers of the flushes of the policy, which are negative: they come before every call.
    private var flushes: [SuiteName: Int] = [:]
    @exclusivity(unchecked) private var index = HoldIndex()
    private var lastNumber = 0
    private var lastFlush = 0

    /// A scheduler without calls.
    package init() {}

    /// Whether no call waits or runs, and no flush of the policy runs.
    package var isIdle: Bool { waiting.isEmpty && running.isEmpty && flushes.isEmpty }

    // MARK: States

    /// Lets a call wait.
    package func enqueue(_ invocation: Invocation, as state: Invocation.State) {
        guard !invocation.isWaiting else { return invocation.state = state }
        number(invocation)
        invocation.state = state
        waiting.insert(invocation)
        due.insert(invocation)
        hold(invocation)
    }

    /// Removes a call that waits.
    package func remove(_ invocation: Invocation) {
        guard invocation.isWaiting else { return }
        waiting.remove(invocation)
        due.remove(invocation)
        finish(invocation)
    }

    /// Removes every call that waits.
    package func removeAll() -> [Invocation] {
        let all = waiting
        for invocation in all { remove(invocation) }
        return all
    }

    /// Registers a call that runs and will end later.
    package func begin(_ invocation: Invocation) {
        if invocation.isWaiting {
            waiting.remove(invocation)
            due.remove(invocation)
            release(invocation)
        }
        number(invocation)
        invocation.state = .running
        running.append(invocation)
        hold(invocation)
        wakeFollowers(of: invocation.number)
    }

    /// Ends a call that ran.
    package func end(_ invocation: Invocation) {
        guard case .running = invocation.state else { return }
        if let index = running.firstIndex(where: { $0 === invocation }) { running.remove(at: index) }
        finish(invocation)
    }

    /// Registers the accesses of a call again, because they changed.
    package func update(_ invocation: Invocation) {
        guard invocation.isWaiting || invocation.isRunning else { return }
        release(invocation)
        hold(invocation)
        reconsider(invocation)
        wakeFollowers(of: invocation.number)
    }

    private func number(_ invocation: Invocation) {
        guard invocation.number == 0 else { return }
        lastNumber += 1
        invocation.number = lastNumber
    }

    private func finish(_ invocation: Invocation) {
        release(invocation)
        invocation.state = .finished
        wakeFollowers(of: invocation.number)
    }

    private func hold(_ invocation: Invocation) {
        invocation.held = invocation.accesses.filter { !invocation.isRunning || $0.duration == .untilAnswered }
        index.insert(invocation.held, of: invocation.number)
    }

    private func release(_ invocation: Invocation) {
        index.remove(invocation.held, of: invocation.number)
        invocation.held = []
    }

    // MARK: Flushes of the policy

    /// Lets a flush that the policy started hold the flush of its suite, for which requests then wait.
    package func holdFlush(of suite: SuiteName) {
        lastFlush -= 1
        flushes[suite] = lastFlush
        index.insert([Self.access(toFlushOf: suite)], of: lastFlush)
    }

    /// Ends what ``holdFlush(of:)`` began.
    package func releaseFlush(of suite: SuiteName) {
        guard let number = flushes.removeValue(forKey: suite) else { return }
        index.remove([Self.access(toFlushOf: suite)], of: number)
        wakeFollowers(of: number)
    }

    private static func access(toFlushOf suite: SuiteName) -> Access {
        Access(resource: .flush(suite), needs: nil, holds: .write)
    }

    // MARK: The rule

    /// The number of the latest earlier call that a call waits for, or of a flush of the policy; nil if it may run.
    package func blocker(of invocation: Invocation) -> Int? {
        guard !index.isEmpty else { return nil }
        let number = invocation.number == 0 ? Int.max : invocation.number
        return invocation.accesses.compactMap { index.latestConflict(with: $0, before: number) }.max()
    }

    /// Checks a call again, if it waits.
    package func reconsider(_ invocation: Invocation) {
        if invocation.isWaiting { due.insert(invocation) }
    }

    private func wakeFollowers(of number: Int) {
        for follower in followers.removeValue(forKey: number) ?? [] { reconsider(follower) }
    }

    /// Starts the waiting calls that may run now, in the order in which they came.
    ///
    /// - Parameters:
    ///   - now: The monotonic time in milliseconds.
    ///   - start: Starts a call, or drops it.
    /// - Returns: Whether a call was started or dropped.
    package func advance(now: Int64, _ start: (Invocation) -> Void) -> Bool {
        var progress = false
        var number = Int.min
        while let invocation = due.first(after: number) {
            number = invocation.number
            if invocation.isDropped {
                start(invocation)
                progress = true
            } else if case .away = invocation.state {
                due.remove(invocation)
            } else if let blocker = blocker(of: invocation) {
                due.remove(invocation)
                followers[blocker, default: []].append(invocation)
            } else if invocation.retryTime.map({ $0 <= now }) ?? true {
                start(invocation)
                progress = progress || !invocation.isWaiting
            }
        }
        return progress
    }

    /// When the next call must be tried again, on the monotonic clock in milliseconds.
    package var deadline: Int64? { due.lazy.compactMap(\.retryTime).min() }
}

/// Calls in the order of their numbers.
extension [Invocation] {
    private func position(_ number: Int) -> Int { partitioningIndex { $0.number >= number } }

    fileprivate mutating func insert(_ invocation: Invocation) {
        let position = position(invocation.number)
        if position == count || self[position] !== invocation { insert(invocation, at: position) }
    }

    fileprivate mutating func remove(_ invocation: Invocation) {
        let position = position(invocation.number)
        if position < count, self[position] === invocation { remove(at: position) }
    }

    fileprivate func first(after number: Int) -> Invocation? {
        let position = number == .min ? 0 : position(number + 1)
        return position < count ? self[position] : nil
    }
}

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
        if newest?.number == number {
            newest = nil
            return
        }
        for access in accesses { change(access) { $0.remove(number) } }
    }

    private mutating func change(_ access: Access, _ body: (inout SortedNumbers) -> Void) {
        holders.change(access.resource, access.holds, body)
        if let whole = access.resource.whole { holdersOfParts.change(whole, access.holds, body) }
    }

    /// The latest call before a number that holds an access in conflict with the given one.
    ///
    /// The newest call is asked by `Access.conflicts`; the tables apply the same rule to a resource, its parts and its whole.
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
