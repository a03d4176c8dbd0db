internal import Delivery
internal import Suites

/// The running jobs, served round-robin.
final class JobTable {
    /// A job and the call that waits for it.
    final class Entry {
        let job: any Job
        let suite: Suite
        /// The call that requested it; nil for a job of the host itself.
        let invocation: Invocation?
        /// When it may continue, on the monotonic clock in milliseconds.
        var notBefore: Int64
        /// The attempts while another process holds its suite.
        var retry: Retry?
        /// Whether the job was notified that nobody needs its result.
        var isCancelled = false
        /// When subscribers were last notified, and the progress at that time.
        var told: (at: Int64, done: Int64)

        init(_ job: any Job, _ suite: Suite, _ invocation: Invocation?, now: Int64) {
            self.job = job
            self.suite = suite
            self.invocation = invocation
            notBefore = now
            told = (now, 0)
        }
    }

    private(set) var entries: [Entry] = []
    /// When leftovers of imports were last looked for, by suite.
    private var swept: [SuiteName: Int64] = [:]
    /// The shortest time between two searches, in milliseconds: the import may still be running.
    private static let sweepPause: Int64 = 1_000

    /// When a job may go on, on the monotonic clock in milliseconds.
    var deadline: Int64? { entries.lazy.map(\.notBefore).min() }

    func add(_ entry: Entry) { entries.append(entry) }

    func remove(_ entry: Entry) { entries.removeAll { $0 === entry } }

    /// The next job to run.
    func next(now: Int64) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.notBefore <= now }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry
    }

    /// Whether leftovers of imports are to be looked for in a suite now.
    func maySweep(_ suite: Suite, now: Int64) -> Bool {
        if let last = swept[suite.name], now - last < Self.sweepPause { return false }
        guard !entries.contains(where: { $0.suite === suite && $0.invocation == nil }) else { return false }
        swept[suite.name] = now
        return true
    }
}
