/// Decides when the calls of one connection run.
///
/// A call runs when no earlier unfinished call of the connection holds an access that conflicts with one that it needs.
/// Otherwise it waits for the latest such call, and is checked again when that call starts, ends or changes its accesses.
/// So the cost of an event does not grow with the number of waiting calls, and is nothing while no call waits. A call that
/// ends while it runs, as a save does, is never registered here.
package final class Scheduler {
    /// Calls that wait, in the order in which they came.
    @exclusivity(unchecked) package private(set) var waiting: [ScheduledCall] = []
    /// Calls that run, in the order in which they started.
    package private(set) var running: [ScheduledCall] = []
    /// The waiting calls to check next, in the order in which they came.
    private var due: [ScheduledCall] = []
    private var unfinished: [Int: ScheduledCall] = [:]
    @exclusivity(unchecked) private var index = HoldIndex()
    private var lastNumber = 0
    private var lastHold = 0

    /// A scheduler without calls.
    package init() {}

    /// Whether no call waits or runs.
    package var isIdle: Bool { waiting.isEmpty && running.isEmpty }

    // MARK: States

    /// Lets a call wait.
    package func enqueue(_ call: ScheduledCall, as state: ScheduledCall.State) {
        guard !call.isWaiting else { return call.state = state }
        number(call)
        call.state = state
        waiting.insert(call)
        due.insert(call)
        hold(call)
    }

    /// Removes a call that waits.
    package func remove(_ call: ScheduledCall) {
        guard call.isWaiting else { return }
        waiting.remove(call)
        due.remove(call)
        finish(call)
    }

    /// Removes every call that waits.
    package func removeAll() -> [ScheduledCall] {
        let all = waiting
        for call in all { remove(call) }
        return all
    }

    /// Registers a call that runs and will end later.
    package func begin(_ call: ScheduledCall) {
        if call.isWaiting {
            waiting.remove(call)
            due.remove(call)
            release(call)
        }
        number(call)
        call.state = .running
        running.append(call)
        hold(call)
        wakeFollowers(of: call)
    }

    /// Ends a call that ran.
    package func end(_ call: ScheduledCall) {
        guard case .running = call.state else { return }
        if let index = running.firstIndex(where: { $0 === call }) { running.remove(at: index) }
        finish(call)
    }

    /// Lets work that is not a call of the connection hold resources, as if it had come before every call.
    package func beginHold(_ holder: ScheduledCall) {
        lastHold -= 1
        holder.number = lastHold
        begin(holder)
    }

    /// Registers the accesses of a call again, because they changed.
    package func update(_ call: ScheduledCall) {
        guard call.isWaiting || call.isRunning else { return }
        release(call)
        hold(call)
        reconsider(call)
        wakeFollowers(of: call)
    }

    private func number(_ call: ScheduledCall) {
        guard call.number == 0 else { return }
        lastNumber += 1
        call.number = lastNumber
    }

    private func finish(_ call: ScheduledCall) {
        release(call)
        call.state = .finished
        wakeFollowers(of: call)
    }

    private func hold(_ call: ScheduledCall) {
        call.held = call.accesses.filter { !call.isRunning || $0.duration == .untilAnswered }
        index.insert(call.held, of: call.number)
        unfinished[call.number] = call
    }

    private func release(_ call: ScheduledCall) {
        index.remove(call.held, of: call.number)
        call.held = []
        unfinished[call.number] = nil
    }

    // MARK: The rule

    /// The latest earlier call that a call waits for; nil if it may run.
    package func blocker(of call: ScheduledCall) -> ScheduledCall? {
        guard !index.isEmpty else { return nil }
        let number = call.number == 0 ? Int.max : call.number
        return call.accesses.compactMap { index.latestConflict(with: $0, before: number) }.max()
            .flatMap { unfinished[$0] }
    }

    /// Checks a call again, if it waits.
    package func reconsider(_ call: ScheduledCall) {
        if call.isWaiting { due.insert(call) }
    }

    private func wakeFollowers(of call: ScheduledCall) {
        let followers = call.followers
        call.followers = []
        for follower in followers { reconsider(follower) }
    }

    /// Starts the waiting calls that may run now, in the order in which they came.
    ///
    /// - Parameters:
    ///   - now: The monotonic time in milliseconds.
    ///   - start: Starts a call, or drops it.
    /// - Returns: Whether a call was started or dropped.
    package func advance(now: Int64, _ start: (ScheduledCall) -> Void) -> Bool {
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
                blocker.followers.append(call)
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
extension [ScheduledCall] {
    private func position(_ number: Int) -> Int { partitioningIndex { $0.number >= number } }

    fileprivate mutating func insert(_ call: ScheduledCall) {
        let position = position(call.number)
        if position == count || self[position] !== call { insert(call, at: position) }
    }

    fileprivate mutating func remove(_ call: ScheduledCall) {
        let position = position(call.number)
        if position < count, self[position] === call { remove(at: position) }
    }

    fileprivate func first(after number: Int) -> ScheduledCall? {
        let position = number == .min ? 0 : position(number + 1)
        return position < count ? self[position] : nil
    }
}
