internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Suites

/// Runs jobs: long work in slices, between which everybody is served.
final class JobService {
    private let configuration: HostConfiguration
    private let store: SuiteStore
    private let outbox: Outbox
    private let publisher: Publisher
    private let logger: Logger
    private let jobs = JobTable()
    /// Whether the host stops, so that no job of its own begins.
    var isStopping: () -> Bool = { false }

    init(
        _ configuration: HostConfiguration,
        _ store: SuiteStore,
        _ outbox: Outbox,
        _ publisher: Publisher,
        _ logger: Logger
    ) {
        self.configuration = configuration
        self.store = store
        self.outbox = outbox
        self.publisher = publisher
        self.logger = logger
    }

    /// Begins long work for a call, which is answered when that is done.
    func begin(_ job: any Job, _ invocation: Invocation) -> HostMethod.Outcome {
        invocation.peer.calls.begin(invocation)
        jobs.add(JobTable.Entry(job, invocation.knownSuite, invocation, now: Clock.monotonic()))
        return .later
    }

    /// Runs one job for a slice, between two iterations.
    ///
    /// - Returns: Whether anything was done.
    func advance() -> Bool {
        let now = Clock.monotonic()
        for suite in store.drainUnfinishedImports() where !isStopping() && jobs.maySweep(suite, now: now) {
            jobs.add(JobTable.Entry(SweepJob(suite), suite, nil, now: now))
        }
        guard let entry = jobs.next(now: now) else { return false }
        if let invocation = entry.invocation, invocation.call.isAnswered, !entry.isCancelled {
            entry.isCancelled = true
            entry.job.cancel()
        }
        let slice = Slice()
        do {
            let result = try entry.job.advance(slice)
            entry.retry = nil
            // Others get the suite for as long as the slice had it.
            entry.notBefore = slice.held == 0 ? now : Clock.monotonic() + Int64(slice.held / 1_000_000)
            tell(entry, isLast: result != nil)
            if let result { end(entry, .success(result)) }
        } catch let error as SuiteError where error.isPassing {
            var retry = entry.retry ?? Retry(configuration.heldSuite, start: now)
            retry.expire(at: now)
            retry.fail(at: Clock.monotonic())
            entry.retry = retry
            entry.notBefore = retry.nextTry ?? now
            if retry.isExhausted { end(entry, .failure(error)) }
        } catch {
            end(entry, .failure(error))
        }
        entry.suite.checkpoint(isIdle: false, isBetweenSlices: true)
        return true
    }

    /// When a job may go on, on the monotonic clock in milliseconds.
    var deadline: Int64? { jobs.deadline }

    /// Ends every job: the host stops.
    func stop() {
        for entry in jobs.entries {
            end(entry, .failure(HostError.stopping("the host is stopping")))
        }
    }

    private func end(_ entry: JobTable.Entry, _ result: Result<JobResult, any Error>) {
        jobs.remove(entry)
        guard let invocation = entry.invocation else {
            if case .failure(let error) = result, (error as? SuiteError)?.isPassing != true {
                logger.warning("\(entry.suite.name): leftovers of an import are not removed: \(error)")
            }
            return
        }
        invocation.peer.calls.end(invocation)
        switch result {
        case .success(.value(let value)): outbox.finish(invocation, .success(value))
        case .success(.text(let text)): outbox.finish(invocation.call, resultText: text)
        case .failure(let error):
            if let error = error as? SuiteError {
                outbox.finish(invocation, .failure(RPCError(error, suite: entry.suite.name)))
            } else {
                outbox.finish(invocation, .failure(RPCError(error)))
            }
        }
    }

    // MARK: Progress

    /// The interval of progress notifications in milliseconds; if the clock is fixed, a number of records instead.
    private static let tellingPause: Int64 = 100
    private static let tellingStep: Int64 = 10_000

    private func tell(_ entry: JobTable.Entry, isLast: Bool) {
        guard let invocation = entry.invocation, !invocation.call.isAnswered else { return }
        let progress = entry.job.progress
        if configuration.isLockStep {
            // Slices are never the same twice.
            while entry.told.done + Self.tellingStep <= progress.done {
                tell(entry, invocation, done: entry.told.done + Self.tellingStep, progress.total)
            }
            guard isLast, entry.told.done > 0 else { return }
        } else {
            guard isLast ? entry.told.done > 0 : Clock.monotonic() - entry.told.at >= Self.tellingPause else { return }
        }
        if progress.done > entry.told.done { tell(entry, invocation, done: progress.done, progress.total) }
    }

    private func tell(_ entry: JobTable.Entry, _ invocation: Invocation, done: Int64, _ total: Int64?) {
        entry.told = (Clock.monotonic(), done)
        let method = invocation.call.method
        publisher.publish(.progress) {
            var members: [(String, JSON)] = [
                ("suite", .string(entry.suite.name.text)), ("method", .string(method)), ("done", .integer(done)),
            ]
            if let total { members.append(("total", .integer(total))) }
            return .object(JSON.Object(members))
        }
        publisher.publishProgress(of: invocation.call, done, "\(method): \(done)\(total.map { " of \($0)" } ?? "")")
    }
}
