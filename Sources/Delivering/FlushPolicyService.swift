internal import Calls
internal import Configuration
internal import Delivery
internal import Logging
internal import Platform
package import Suites

extension HostConfiguration {
    /// The shortest time between two reports of the progress of a flush, in milliseconds.
    var reportInterval: Int64 { isLockStep ? 0 : 100 }
}

/// Applies the flush policy: decides which suites are due for a flush without a request.
package final class FlushPolicyService {
    private let store: SuiteStore
    private let settings: DeliverySettings
    private let logger: Logger
    @exclusivity(unchecked) private var schedule: FlushSchedule

    init(store: SuiteStore, configuration: HostConfiguration, logger: Logger) {
        self.store = store
        settings = configuration.delivery
        self.logger = logger
        schedule = FlushSchedule(settings.policy, locked: configuration.lockedSuite)
    }

    /// Begins to apply the policy.
    func start() { schedule.start(at: Clock.monotonic()) }

    /// Schedules no further flush.
    func stop() { schedule.stop() }

    // MARK: Events that make a suite due

    /// Handles that a record was saved in a suite.
    package func handleSave(in suite: SuiteName) { schedule.add(suite, after: .save, at: Clock.monotonic()) }

    /// Handles that an action was forwarded to the app, which shares these suites.
    package func handleForward(to suites: [SuiteName]) {
        for suite in suites { schedule.add(suite, after: .forward, at: Clock.monotonic()) }
    }

    // MARK: Suites that are due

    /// When the next flush is due, in milliseconds of the monotonic clock; nil if nothing is scheduled.
    func nextFlush(unless isFlushing: (SuiteName) -> Bool) -> Int64? { schedule.nextFlush(unless: isFlushing) }

    /// Removes the suites that are due from the schedule and returns them, in the order of their names.
    func removeDueSuites(unless isFlushing: (SuiteName) -> Bool) -> [SuiteName] {
        let now = Clock.monotonic()
        if schedule.beginRound(at: now) {
            do throws(SuiteError) {
                for name in try store.names() { schedule.add(name, at: now) }
            } catch {
                logger.error("looking for suites to flush: \(error.text)")
            }
        }
        return schedule.removeDue(at: now, unless: isFlushing)
    }

    // MARK: Results of a flush

    /// Handles that the flush of a suite began, or that nothing is pending in the suite.
    func flushDidBegin(_ suite: SuiteName) { schedule.didBegin(suite) }

    /// Schedules the next attempt after a flush could not begin.
    func flushDidNotBegin(_ suite: SuiteName, _ error: any Error) {
        let now = Clock.monotonic()
        if let error = error as? SuiteError, error.isPassing { return schedule.postponeLocked(suite, at: now) }
        logger.error("flushing \(suite) to \(settings.policyDestination): \(error)")
        schedule.postpone(suite, until: now + settings.retry.limit)
    }

    /// Schedules the next attempt if a flush ended before every record was delivered.
    func flushDidEnd(_ suite: SuiteName, _ ending: Flush.Ending, destination: String) {
        let (problem, pause): (String, Int64)
        switch ending {
        case .unavailable(let text, let retryAfter): (problem, pause) = (text, retryAfter)
        case .stopped(let text): (problem, pause) = (text, settings.retry.limit)
        case .refused(let error): (problem, pause) = (error.text, settings.retry.base)
        case .done, .cancelled: return
        }
        logger.warning("flushing \(suite) to \(destination): \(problem); next attempt in \(pause) ms")
        schedule.postpone(suite, until: Clock.monotonic() + pause)
    }
}
