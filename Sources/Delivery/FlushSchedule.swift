package import Platform
package import Suites

/// When a flush begins without a request.
package enum FlushPolicy: Equatable, Sendable {
    /// Only `flushPending` flushes.
    case manual
    /// When a notification opens the app, which is when the app in Braze's guide flushes.
    case onForward
    /// When a record is saved.
    case immediate
    /// At an interval in milliseconds.
    case every(Int64)

    /// An event after which a policy may begin a flush.
    package enum Occasion {
        /// The host started; this concerns every suite, because an earlier host may have left records.
        case start
        /// A round is over: every suite was scheduled once.
        case round
        /// A record was saved.
        case save
        /// A notification opened the app.
        case forward
    }

    /// When the next flush after an occasion is due; nil if the policy flushes nothing then.
    func nextFlush(after occasion: Occasion, at now: @autoclosure () -> Int64) -> Int64? {
        switch (self, occasion) {
        case (.immediate, .start), (.immediate, .save), (.onForward, .forward): now()
        case (.every(let interval), .start), (.every(let interval), .round): now() + interval
        case (.manual, _), (.onForward, _), (.immediate, _), (.every, _): nil
        }
    }
}

/// The times at which a policy flushes suites.
///
/// Times are milliseconds of the monotonic clock.
package struct FlushSchedule {
    private var policy: FlushPolicy
    /// The retry policy for suites that another process has locked.
    private let locked: RetryPolicy
    /// When the next flush of a suite is due.
    private var due: [SuiteName: Int64] = [:]
    /// The failures of suites that another process has locked.
    private var retries: [SuiteName: Retry] = [:]
    /// When the next round, in which every suite is scheduled, begins.
    private var round: Int64?

    /// A schedule without flushes.
    package init(_ policy: FlushPolicy, locked: RetryPolicy) {
        self.policy = policy
        self.locked = locked
    }

    // MARK: Due flushes

    /// When the next flush or round is due, except flushes of suites that are being flushed; nil if nothing is scheduled.
    package func nextFlush(unless isRunning: (SuiteName) -> Bool) -> Int64? {
        (due.filter { !isRunning($0.key) }.map(\.value) + [round].compactMap(\.self)).min()
    }

    /// Returns whether a round is due, and schedules the next round; the caller must then schedule every suite.
    package mutating func beginRound(at now: Int64) -> Bool {
        guard let round, round <= now else { return false }
        self.round = policy.nextFlush(after: .round, at: now)
        return true
    }

    /// Removes the suites that are due and returns them, in the order of their names.
    package mutating func removeDue(at now: Int64, unless isRunning: (SuiteName) -> Bool) -> [SuiteName] {
        let suites = due.filter { $0.value <= now && !isRunning($0.key) }.map(\.key).sorted { $0.text < $1.text }
        for suite in suites { due[suite] = nil }
        return suites
    }

    // MARK: Scheduling

    /// Schedules the first round when the host starts.
    package mutating func start(at now: Int64) { round = policy.nextFlush(after: .start, at: now) }

    /// Schedules a suite after an occasion, unless it is scheduled already.
    package mutating func add(
        _ suite: SuiteName,
        after occasion: FlushPolicy.Occasion,
        at now: @autoclosure () -> Int64
    ) {
        guard let time = policy.nextFlush(after: occasion, at: now()) else { return }
        add(suite, at: time)
    }

    /// Schedules a suite, unless it is scheduled already.
    package mutating func add(_ suite: SuiteName, at time: Int64) {
        if due[suite] == nil { due[suite] = time }
    }

    /// Schedules the next attempt of a flush that failed, replacing an earlier time.
    package mutating func postpone(_ suite: SuiteName, until time: Int64) { due[suite] = time }

    /// Schedules the next attempt to flush a suite that another process has locked.
    package mutating func postponeLocked(_ suite: SuiteName, at now: Int64) {
        var retry = retries[suite] ?? Retry(locked)
        retry.endPauseIfOver(at: now)
        retry.fail(at: now)
        retries[suite] = retry
        due[suite] = retry.nextTry
    }

    /// Resets the failures of a suite when its flush has begun.
    package mutating func didBegin(_ suite: SuiteName) { retries[suite] = nil }

    /// Schedules nothing more.
    package mutating func stop() { self = FlushSchedule(.manual, locked: locked) }
}
