internal import Delivery
internal import Suites

/// The jobs that are under way; each gets a slice in its turn.
final class JobTable {
    /// A job, and who waits for it.
    final class Entry {
        let job: any Job
        let suite: Suite
        /// The call that asked for it; none for what the host does on its own.
        let invocation: Invocation?
        /// When it may go on, on the monotonic clock in milliseconds.
        var notBefore: Int64
        /// The attempts while another process holds its suite.
        var retry: Retry?
        /// Whether it knows that nobody waits for it any more.
        var isCancelled = false
        /// When subscribers were told last, and how far it was then.
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
    /// How long a suite is let be after that, in milliseconds: the import may be one that goes on.
    private static let sweepPause: Int64 = 1_000

    /// When a job may go on, on the monotonic clock in milliseconds.
    var deadline: Int64? { entries.lazy.map(\.notBefore).min() }

    func add(_ entry: Entry) { entries.append(entry) }

    func remove(_ entry: Entry) { entries.removeAll { $0 === entry } }

    /// The job whose turn it is.
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
