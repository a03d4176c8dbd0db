internal import JSON
internal import Platform
internal import Suites

/// Work on many records, done in slices; other calls are handled between slices.
protocol Job: AnyObject {
    /// The progress of the job.
    var progress: JobProgress { get }

    /// Goes on for a slice; no transaction is open before and after it.
    ///
    /// - Returns: The result; nil if the job is unfinished.
    /// - Throws: Why it failed. After a passing error of a suite the same slice is tried again.
    func advance(_ slice: Slice) throws -> JobResult?

    /// Notes that nobody needs the result any more; the job continues until it has cleaned up.
    func cancel()
}

/// How far a job is.
struct JobProgress {
    /// How many records or keys are done.
    var done: Int64 = 0
    /// How many there are, once that is known.
    var total: Int64?
}

/// The result of a job.
enum JobResult {
    case value(JSON)
    /// JSON text, for results so large that to write them would take longer than a slice.
    case text([UInt8])
}

/// The few milliseconds that a job may run before other work is handled.
final class Slice {
    /// How long a slice is, in nanoseconds.
    static let length: Int64 = 3_000_000

    private let end: Int64
    /// How long the job kept other processes from the suite, in nanoseconds.
    private(set) var held: Int64 = 0

    init() { end = Clock.monotonicNanoseconds() + Slice.length }

    /// Whether there is time left.
    var mayGoOn: Bool { Clock.monotonicNanoseconds() < end }

    /// Notes that the body keeps other processes from the suite.
    func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = Clock.monotonicNanoseconds()
        defer { held += Clock.monotonicNanoseconds() - start }
        return try body()
    }
}
