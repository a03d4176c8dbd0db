package import Calls
package import Configuration
internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
package import Logging
internal import Platform
package import Suites

/// Runs jobs: long work that is done in slices, so that other calls are handled between them.
package final class JobService {
    let configuration: HostConfiguration
    package let store: SuiteStore
    private let outbox: Outbox
    private let publisher: Publisher
    private let logger: Logger
    private let gate: Gate
    private let jobs = JobTable()

    package init(
        _ configuration: HostConfiguration,
        _ store: SuiteStore,
        _ outbox: Outbox,
        _ publisher: Publisher,
        _ gate: Gate,
        _ logger: Logger
    ) {
        self.configuration = configuration
        self.store = store
        self.outbox = outbox
        self.publisher = publisher
        self.gate = gate
        self.logger = logger
    }

    /// Begins a job for a call, which is answered when the job ends.
    package func begin(_ job: any Job, _ invocation: Invocation) -> HostMethod.Outcome {
        invocation.peer.scheduler.begin(invocation)
        jobs.add(JobTable.Entry(job, invocation.suite, invocation, now: Clock.monotonic()))
        return .later
    }

    /// Whether no job runs, except those that only wait for the disk, and none is to begin.
    package var isIdle: Bool { jobs.entries.allSatisfy(\.awaitsDisk) && !store.hasUnfinishedImports }

    /// Runs one job for a slice, between two iterations of the event loop.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        let now = Clock.monotonic()
        for suite in store.drainUnfinishedImports()
        where gate.ending.admitsMessages && jobs.beginSweep(of: suite, now: now) {
            jobs.add(JobTable.Entry(SweepJob(suite), suite, nil, now: now))
        }
        for entry in jobs.entries where entry.invocation?.call.isAnswered == true && !entry.isCancelled {
            entry.isCancelled = true
            entry.job.cancel()
        }
        guard let entry = jobs.next(now: now) else { return false }
        let slice = Slice()
        do {
            let result = try entry.job.advance(slice)
            publishProgress(of: entry, isLast: result != nil)
            if case .later(let begin) = result {
                awaitDisk(entry, begin)
            } else {
                entry.retry = nil
                // The job pauses for as long as it blocked other processes from the suite.
                entry.notBefore = slice.blocked == 0 ? now : Clock.monotonic() + Int64(slice.blocked / 1_000_000)
                if let result { endJob(entry, .success(result)) }
            }
        } catch {
            handle(error, of: entry, since: now)
        }
        entry.suite?.checkpoint(isIdle: false, isBetweenSlices: true)
        return true
    }

    /// Begins what is left of a job and waits for the disk.
    private func awaitDisk(_ entry: JobTable.Entry, _ begin: (@escaping (Result<JSON, any Error>) -> Void) -> Void) {
        entry.awaitsDisk = true
        begin { [self] result in
            entry.awaitsDisk = false
            // The host may be stopping, which ended the job.
            guard jobs.entries.contains(where: { $0 === entry }) else { return }
            switch result {
            case .success(let value): endJob(entry, .success(.value(value)))
            case .failure(let error): handle(error, of: entry, since: Clock.monotonic())
            }
        }
    }

    /// Ends a job that failed, or lets it try again later if the error is temporary.
    private func handle(_ error: any Error, of entry: JobTable.Entry, since start: Int64) {
        guard let passing = error as? SuiteError, passing.isPassing else { return endJob(entry, .failure(error)) }
        var retry = entry.retry ?? Retry(configuration.lockedSuite, start: start)
        retry.endPauseIfOver(at: start)
        retry.fail(at: Clock.monotonic())
        entry.retry = retry
        entry.notBefore = retry.nextTry ?? start
        if retry.isExhausted { endJob(entry, entry.job.finalResult.map(Result.success) ?? .failure(error)) }
    }

    /// When the next job may continue, in milliseconds of the monotonic clock.
    package var deadline: Int64? { jobs.deadline }

    /// Ends every job, as the host is stopping.
    package func stop() {
        for entry in jobs.entries {
            entry.job.cancel()
            let result = entry.job.finalResult
            endJob(entry, result.map(Result.success) ?? .failure(HostError.stopping("the host is stopping")))
        }
    }

    private func endJob(_ entry: JobTable.Entry, _ result: Result<JobResult, any Error>) {
        jobs.remove(entry)
        guard let invocation = entry.invocation else {
            if case .failure(let error) = result, let suite = entry.suite, (error as? SuiteError)?.isPassing != true {
                logger.warning("\(suite.name): leftovers of an abandoned import cannot be removed: \(error)")
            }
            return
        }
        invocation.peer.scheduler.end(invocation)
        switch result {
        case .success(.later): preconditionFailure("what waits for the disk was begun")
        case .success(.value(let value)): outbox.finish(invocation.call, .success(value), dependsOn: invocation.suite)
        case .success(.text(let text)): outbox.finish(invocation.call, resultText: text)
        case .failure(let error):
            if let error = error as? SuiteError, let suite = entry.suite {
                outbox.finish(
                    invocation.call,
                    .failure(RPCError(error, suite: suite.name)),
                    dependsOn: invocation.suite
                )
            } else {
                outbox.finish(invocation.call, .failure(RPCError(error)), dependsOn: invocation.suite)
            }
        }
    }

    // MARK: Progress

    /// The shortest time between two progress notifications, in milliseconds.
    private static let progressInterval: Int64 = 100
    /// In lock-step, the number of records between two progress notifications.
    private static let progressStep: Int64 = 10_000

    /// Publishes the progress of a job if a notification is due.
    private func publishProgress(of entry: JobTable.Entry, isLast: Bool) {
        guard let invocation = entry.invocation, !invocation.call.isAnswered else { return }
        let progress = entry.job.progress
        if configuration.isLockStep {
            // The lengths of slices vary, so the notifications must not depend on them.
            while entry.published.done + Self.progressStep <= progress.done {
                publish(entry, invocation, done: entry.published.done + Self.progressStep, progress.total)
            }
            guard isLast, entry.published.done > 0 else { return }
        } else {
            let age = Clock.monotonic() - entry.published.at
            guard isLast ? entry.published.done > 0 : age >= Self.progressInterval else { return }
        }
        if progress.done > entry.published.done { publish(entry, invocation, done: progress.done, progress.total) }
    }

    private func publish(_ entry: JobTable.Entry, _ invocation: Invocation, done: Int64, _ total: Int64?) {
        guard let suite = entry.suite else { return }
        entry.published = (Clock.monotonic(), done)
        let method = invocation.methodName
        publisher.publish(.progress) {
            JSON(present: [
                "suite": .string(suite.name.text), "method": .string(method), "done": .integer(done),
                "total": total.map(JSON.integer),
            ])
        }
        publisher.publishProgress(of: invocation.call, done, "\(method): \(done)\(total.map { " of \($0)" } ?? "")")
    }
}

/// The running jobs, served round-robin.
private final class JobTable {
    /// A job and the call that waits for it.
    final class Entry {
        let job: any Job
        /// The suite whose records it reads or changes; nil if it reads all suites.
        let suite: Suite?
        /// The call that requested it; nil for a job of the host itself.
        let invocation: Invocation?
        /// When it may continue, on the monotonic clock in milliseconds.
        var notBefore: Int64
        /// Whether it has had its first turn, and so may hold a snapshot of the suite.
        var hasBegun = false
        /// Whether what is left of it runs beside the event loop.
        var awaitsDisk = false
        /// The failed attempts while another process has locked the suite.
        var retry: Retry?
        /// Whether the job was cancelled.
        var isCancelled = false
        /// When progress was last published, and how much was done then.
        var published: (at: Int64, done: Int64)

        init(_ job: any Job, _ suite: Suite?, _ invocation: Invocation?, now: Int64) {
            self.job = job
            self.suite = suite
            self.invocation = invocation
            notBefore = now
            published = (now, 0)
        }
    }

    private(set) var entries: [Entry] = []
    /// When each suite was last searched for leftovers of imports.
    private var lastSweeps: [SuiteName: Int64] = [:]
    /// The shortest time between two searches, in milliseconds; the import may still be running in another process.
    private static let sweepInterval: Int64 = 1_000

    /// How many jobs take turns; the others wait for the end of one of these.
    static let turns = 8

    /// The jobs that take turns, except those that wait for the disk.
    private var candidates: [Entry] {
        // A job of the host itself holds nothing, and others may wait for what it does.
        var free = Self.turns - entries.count { $0.hasBegun && $0.invocation != nil }
        return entries.filter { entry in
            if entry.hasBegun || entry.invocation == nil { return !entry.awaitsDisk }
            free -= 1
            return free >= 0
        }
    }

    /// When the next job may continue, in milliseconds of the monotonic clock.
    var deadline: Int64? { candidates.lazy.map(\.notBefore).min() }

    func add(_ entry: Entry) { entries.append(entry) }

    func remove(_ entry: Entry) { entries.removeAll { $0 === entry } }

    /// The next job to run.
    func next(now: Int64) -> Entry? {
        guard let entry = candidates.first(where: { $0.notBefore <= now }) else { return nil }
        entry.hasBegun = true
        remove(entry)
        entries.append(entry)
        return entry
    }

    /// Whether to begin a search for leftovers of imports in a suite; if so, the search is recorded.
    func beginSweep(of suite: Suite, now: Int64) -> Bool {
        if let last = lastSweeps[suite.name], now - last < Self.sweepInterval { return false }
        guard !entries.contains(where: { $0.suite === suite && $0.invocation == nil }) else { return false }
        lastSweeps[suite.name] = now
        return true
    }
}
