package import Calls
internal import Configuration
internal import Contract
package import JSON
package import Platform
package import Suites

/// Work on many records, done in slices; other calls are handled between slices.
package protocol Job: AnyObject {
    /// The progress of the job.
    var progress: JobProgress { get }

    /// Continues the job for a slice; no transaction is open before or after it.
    ///
    /// - Returns: The result; nil if the job is unfinished.
    /// - Throws: Why the job failed. After a temporary error of a suite the slice is tried again.
    func advance(_ slice: Slice) throws -> JobResult?

    /// The result, if all that is left of the job can be done after its end; nil for most jobs until then.
    var finalResult: JobResult? { get }

    /// Cancels the job, whose result is not needed any more; it continues until it has cleaned up.
    func cancel()
}

extension Job {
    package var finalResult: JobResult? { nil }
}

/// The progress of a job.
package struct JobProgress {
    /// The number of records or keys that are done.
    var done: Int64 = 0
    /// The number of all records or keys, once it is known.
    var total: Int64?
}

/// The result of a job.
package enum JobResult {
    case value(JSON)
    /// JSON text, for a result so large that encoding it would take longer than a slice.
    case text([UInt8])
    /// What is left waits for the disk: it begins when the closure is called, and passes on its result later.
    ///
    /// After a temporary error of a suite the job is advanced again.
    case later((@escaping (Result<JSON, any Error>) -> Void) -> Void)
}

/// The few milliseconds that a job may run before other work is handled.
package final class Slice {
    /// How long a slice is, in nanoseconds.
    static let length: Int64 = 3_000_000

    private let end: Int64
    /// How long the job blocked other processes from the suite, in nanoseconds.
    private(set) var blocked: Int64 = 0

    init() { end = Clock.monotonicNanoseconds() + Slice.length }

    /// Whether there is time left.
    var mayContinue: Bool { Clock.monotonicNanoseconds() < end }

    /// Runs the body, which blocks other processes from the suite, and adds its time to ``blocked``.
    func blocking<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = Clock.monotonicNanoseconds()
        defer { blocked += Clock.monotonicNanoseconds() - start }
        return try body()
    }
}

/// Changes many records in several transactions; each transaction remains even if the job fails later.
private final class BulkJob: Job {
    /// Up to this number of records are changed without a job, in the transaction of the event loop's iteration.
    static let directLimit: Int64 = 500

    private var change: BulkChange
    private let suite: Suite
    /// The name of the number of records in the result.
    private let word: String
    /// Called after each slice that changed records.
    private let onChange: () -> Void
    private var isCancelled = false

    var progress: JobProgress { JobProgress(done: change.count, total: change.total) }

    init(_ change: BulkChange, _ suite: Suite, counting word: String, onChange: @escaping () -> Void) {
        self.change = change
        self.suite = suite
        self.word = word
        self.onChange = onChange
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        let before = change.count
        do throws(SuiteError) {
            try slice.blocking { () throws(SuiteError) in try change.advance { slice.mayContinue } }
        } catch {
            guard !error.isPassing, change.count > 0 else { throw error }
            throw HostError.notStored(
                "\(change.count) records were \(word) before \(suite.name) refused: \(error.text); the rest is as it was",
                details: ["suite": .string(suite.name.text), "changed": .integer(change.count)]
            )
        }
        if change.count > before { onChange() }
        return change.isDone ? .value([word: .integer(change.count)]) : nil
    }

    func cancel() { isCancelled = true }
}

extension JobService {
    /// Makes a small change at once, and a large one in a job; `onChange` is called after each slice that changed records.
    package func apply(
        _ change: BulkChange,
        _ invocation: Invocation,
        counting word: String,
        onChange: @escaping () -> Void = {}
    ) throws -> HostMethod.Outcome {
        var change = change
        guard change.total <= BulkJob.directLimit else {
            let job = BulkJob(change, invocation.knownSuite, counting: word, onChange: onChange)
            return begin(job, invocation)
        }
        let count = try change.finish()
        if count > 0 { onChange() }
        return .done([word: .integer(count)])
    }
}

/// Returns every record of a kind in the flat form of the guide's recipe.
final class RetrieveJob: Job {
    /// The greatest size in bytes of records that are returned without a job.
    static let directByteLimit: Int64 = 128 << 10

    private let suite: Suite
    private let kind: RecordKind
    private var snapshot: SuiteSnapshot?
    private var text = Array(#"{"value":["#.utf8)
    private var last: Int64 = 0
    private var listed: [ListedRecord] = []
    private let onRead: ([ListedRecord]) -> Void
    private var isCancelled = false
    private(set) var progress = JobProgress()

    /// A job that passes on what it returns, record by record, when it has read all of them.
    init(_ suite: Suite, _ kind: RecordKind, onRead: @escaping ([ListedRecord]) -> Void) {
        self.suite = suite
        self.kind = kind
        self.onRead = onRead
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        guard let snapshot = try snapshot ?? SuiteSnapshot(suite) else { return .value(["value": .null]) }
        if self.snapshot == nil {
            self.snapshot = snapshot
            progress.total = try snapshot.total(kind)
        }
        repeat {
            var damaged: DamagedRecord?
            let records = try snapshot.records(kind, after: last, limit: 100) { damaged = $0 }
            // The flat form cannot report a missing record, so the job fails.
            if let damaged { throw SuiteError.unreadable("the record \(damaged.id) is damaged: \(damaged.problem)") }
            for record in records {
                if progress.done > 0 { text.append(UInt8(ascii: ",")) }
                let flat = record.content.flat
                flat.write(to: &text)
                listed.append(ListedRecord(flat, kind))
                progress.done += 1
                last = record.id
            }
            guard !records.isEmpty else {
                // Another process may have removed them before the snapshot.
                onRead(listed)
                guard progress.done > 0 else { return .value(["value": .null]) }
                text += "]}".utf8
                return .text(text)
            }
        } while slice.mayContinue
        return nil
    }

    func cancel() { isCancelled = true }
}

/// Reads the numbers of each suite.
///
/// The first look at a suite opens its file, so that a look at many takes long. A suite that another process holds for a
/// moment is read again.
package final class SummaryJob: Job {
    /// The numbers of a suite, or why it cannot be read.
    package typealias Summary = (name: SuiteName, content: Result<SuiteSummary, SuiteError>)

    /// Up to this number of suites are read without a job.
    static let directLimit = 32

    private let store: SuiteStore
    private let names: [SuiteName]
    private let policy: RetryPolicy
    private var rest: ArraySlice<SuiteName>
    private var contents: [SuiteName: Result<SuiteSummary, SuiteError>] = [:]
    /// The suites that another process holds, and since when.
    private var (held, heldSince): ([SuiteName], Int64?) = ([], nil)
    private let makeResult: ([Summary]) -> JSON
    private var isCancelled = false
    /// Without numbers, because the job is about suites and not about records.
    package let progress = JobProgress()

    /// A job whose result is made from the numbers of the suites, in the order of the names.
    ///
    /// - Parameters:
    ///   - store: The store of the suites.
    ///   - names: The suites.
    ///   - policy: How long to try again to read a suite that another process holds.
    ///   - result: Makes the result.
    package init(
        _ store: SuiteStore,
        _ names: [SuiteName],
        heldSuite policy: RetryPolicy,
        result: @escaping ([Summary]) -> JSON
    ) {
        self.store = store
        self.names = names
        self.policy = policy
        rest = names[...]
        makeResult = result
    }

    package func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        return try read(while: { slice.mayContinue }).map(JobResult.value)
    }

    /// Reads at least one suite, and further ones while the condition holds.
    ///
    /// - Returns: The result; nil if suites are left.
    /// - Throws: The error of the suites that are left, if another process holds each of them.
    fileprivate func read(while mayContinue: () -> Bool) throws(SuiteError) -> JSON? {
        repeat {
            guard let name = rest.popFirst() else { break }
            do throws(SuiteError) {
                contents[name] = .success(try store.summary(of: name))
            } catch {
                let now = Clock.monotonic()
                if error.isPassing, now + policy.limit - (heldSince ?? now) <= policy.patience {
                    heldSince = heldSince ?? now
                    held.append(name)
                } else {
                    contents[name] = .failure(error)
                }
            }
        } while mayContinue()
        guard rest.isEmpty else { return nil }
        guard held.isEmpty else {
            rest = held[...]
            held = []
            throw .busy
        }
        return makeResult(names.compactMap { name in contents[name].map { (name, $0) } })
    }

    package func cancel() { isCancelled = true }
}

extension JobService {
    /// Answers a call from the numbers of each suite: at once, or in a job if there are many or another process holds one.
    package func summarize(
        _ names: [SuiteName],
        _ invocation: Invocation,
        result: @escaping ([SummaryJob.Summary]) -> JSON
    ) -> HostMethod.Outcome {
        let job = SummaryJob(store, names, heldSuite: configuration.lockedSuite, result: result)
        if names.count <= SummaryJob.directLimit, let result = try? job.read(while: { true }) { return .done(result) }
        return begin(job, invocation)
    }
}

/// Removes the leftovers of abandoned imports.
final class SweepJob: Job {
    private let suite: Suite
    let progress = JobProgress()

    init(_ suite: Suite) { self.suite = suite }

    func advance(_ slice: Slice) throws -> JobResult? {
        try slice.blocking { try suite.imports.sweep { slice.mayContinue } } ? nil : .value(.null)
    }

    func cancel() {}
}
