internal import Calls
internal import Delivery
internal import Platform
internal import Suites

/// The running jobs, served round-robin.
final class JobTable {
    /// A job and the call that waits for it.
    final class Entry {
        let job: any Job
        /// The suite whose records it reads or changes; nil if it reads all suites.
        let suite: Suite?
        /// The call that requested it; nil for a job of the host itself.
        let invocation: Invocation?
        /// When it may continue, on the monotonic clock in milliseconds.
        var notBefore: Int64
        /// The failed attempts while another process holds the suite.
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

    /// When the next job may continue, in milliseconds of the monotonic clock.
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

    /// Whether to begin a search for leftovers of imports in a suite; if so, the search is recorded.
    func beginSweep(of suite: Suite, now: Int64) -> Bool {
        if let last = lastSweeps[suite.name], now - last < Self.sweepInterval { return false }
        guard !entries.contains(where: { $0.suite === suite && $0.invocation == nil }) else { return false }
        lastSweeps[suite.name] = now
        return true
    }
}
