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
    package func enqueue(_ call: Invocation, as state: Invocation.State) {
        guard !call.isWaiting else { return call.state = state }
        number(call)
        call.state = state
        waiting.insert(call)
        due.insert(call)
        hold(call)
    }

    /// Removes a call that waits.
    package func remove(_ call: Invocation) {
        guard call.isWaiting else { return }
        waiting.remove(call)
        due.remove(call)
        finish(call)
    }

    /// Removes every call that waits.
    package func removeAll() -> [Invocation] {
        let all = waiting
        for call in all { remove(call) }
        return all
    }

    /// Registers a call that runs and will end later.
    package func begin(_ call: Invocation) {
        if call.isWaiting {
            waiting.remove(call)
            due.remove(call)
            release(call)
        }
        number(call)
        call.state = .running
        running.append(call)
        hold(call)
        wakeFollowers(of: call.number)
    }

    /// Ends a call that ran.
    package func end(_ call: Invocation) {
        guard case .running = call.state else { return }
        if let index = running.firstIndex(where: { $0 === call }) { running.remove(at: index) }
        finish(call)
    }

    /// Registers the accesses of a call again, because they changed.
    package func update(_ call: Invocation) {
        guard call.isWaiting || call.isRunning else { return }
        release(call)
        hold(call)
        reconsider(call)
        wakeFollowers(of: call.number)
    }

    private func number(_ call: Invocation) {
        guard call.number == 0 else { return }
        lastNumber += 1
        call.number = lastNumber
    }

    private func finish(_ call: Invocation) {
        release(call)
        call.state = .finished
        wakeFollowers(of: call.number)
    }

    private func hold(_ call: Invocation) {
        call.held = call.accesses.filter { !call.isRunning || $0.duration == .untilAnswered }
        index.insert(call.held, of: call.number)
    }

    private func release(_ call: Invocation) {
        index.remove(call.held, of: call.number)
        call.held = []
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
    package func blocker(of call: Invocation) -> Int? {
        guard !index.isEmpty else { return nil }
        let number = call.number == 0 ? Int.max : call.number
        return call.accesses.compactMap { index.latestConflict(with: $0, before: number) }.max()
    }

    /// Checks a call again, if it waits.
    package func reconsider(_ call: Invocation) {
        if call.isWaiting { due.insert(call) }
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
        while let call = due.first(after: number) {
            number = call.number
            if call.isDropped {
                start(call)
                progress = true
            } else if case .away = call.state {
                due.remove(call)
            } else if let blocker = blocker(of: call) {
                due.remove(call)
                followers[blocker, default: []].append(call)
            } else if call.retryTime.map({ $0 <= now }) ?? true {
                start(call)
                progress = progress || !call.isWaiting
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

    fileprivate mutating func insert(_ call: Invocation) {
        let position = position(call.number)
        if position == count || self[position] !== call { insert(call, at: position) }
    }

    fileprivate mutating func remove(_ call: Invocation) {
        let position = position(call.number)
        if position < count, self[position] === call { remove(at: position) }
    }

    fileprivate func first(after number: Int) -> Invocation? {
        let position = number == .min ? 0 : position(number + 1)
        return position < count ? self[position] : nil
    }
}
