internal import Platform
internal import Suites

/// The flushes that run, one a suite, and those that the policy wants.
final class DeliveryTable {
    private(set) var running: [SuiteName: Delivery] = [:]
    /// Suites that the policy wants flushed.
    private var wanted: Set<SuiteName> = []
    /// Until when the policy leaves a suite alone, on the monotonic clock.
    private var pauses: [SuiteName: Int64] = [:]
    /// When the policy looks at every suite again.
    private var nextRound: Int64?
    /// Whether nobody waits any longer than for what is on its way: the client's requests are at their end.
    private(set) var isHurried = false
    /// Whether no further batch is to leave.
    private var isStopping = false

    /// The running flushes in the order of their suites' names.
    var all: [Delivery] { running.sorted { $0.key.text < $1.key.text }.map(\.value) }

    /// Whether nothing is on its way that may still come to its end.
    var isQuiet: Bool { running.values.allSatisfy(\.isStuck) && (isStopping || dueNow.isEmpty) }

    /// Whether everything that is known of batches is stored, or was tried for long.
    var isStored: Bool { !running.values.contains(where: \.isUnstored) }

    /// When something is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        let own = running.values.compactMap(\.deadline)
        let paused = isStopping ? [] : wanted.filter { running[$0] == nil }.map { pauses[$0] ?? 0 }
        return (own + paused + [nextRound].compactMap { $0 }).min()
    }

    /// The suites that the policy wants flushed now.
    private var dueNow: [SuiteName] {
        let now = Clock.monotonic()
        return wanted.filter { running[$0] == nil && pauses[$0, default: 0] <= now }.sorted { $0.text < $1.text }
    }

    func add(_ delivery: Delivery) {
        running[delivery.suite.name] = delivery
        if isHurried { delivery.take(.hurried) }
        if isStopping { delivery.cancel() }
    }

    // MARK: The policy

    /// The policy wants a suite flushed.
    func want(_ suite: SuiteName) { wanted.insert(suite) }

    /// Leaves a suite alone for a while.
    func pause(_ suite: SuiteName, for pause: Int64) {
        pauses[suite] = Clock.monotonic() + pause
    }

    /// Whether the policy wants it flushed; then it does not any more.
    func takeDue() -> [SuiteName] {
        guard !isStopping else { return [] }
        let due = dueNow
        wanted.subtract(due)
        return due
    }

    /// Whether the policy is to look at every suite now.
    func takeRound(every period: Int64) -> Bool {
        let now = Clock.monotonic()
        guard let round = nextRound else {
            nextRound = now + period
            return false
        }
        guard round <= now, !isStopping else { return false }
        nextRound = now + period
        return true
    }

    // MARK: The turn

    /// Does what is due by now.
    func expire() {
        let now = Clock.monotonic()
        for delivery in all { delivery.expire(now: now) }
    }

    /// Does what is to be done, as far as the suites let it.
    ///
    /// - Parameter ended: Takes each flush that came to its end.
    /// - Returns: Whether anything was done.
    func advance(ended: (Delivery) -> Void) -> Bool {
        var progress = false
        for delivery in all {
            progress = delivery.advance() || progress
            guard delivery.ending != nil else { continue }
            running[delivery.suite.name] = nil
            ended(delivery)
        }
        return progress
    }

    /// Nobody waits any longer than for what is on its way.
    func hurry() {
        guard !isHurried else { return }
        isHurried = true
        for delivery in all { delivery.take(.hurried) }
    }

    /// No further batch leaves.
    func stop() {
        isStopping = true
        nextRound = nil
        for delivery in all { delivery.cancel() }
    }
}
