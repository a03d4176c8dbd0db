internal import JSON
internal import Platform
internal import Suites

/// Work on many records, done in slices between which everybody is served.
protocol Job: AnyObject {
    /// How far it is.
    var progress: JobProgress { get }

    /// Goes on for a slice; no transaction is open before and after it.
    ///
    /// - Returns: What it came to; nil while it goes on.
    /// - Throws: Why it failed. After a passing error of a suite the same slice is tried again.
    func advance(_ slice: Slice) throws -> JobResult?

    /// Nobody waits for what it comes to any more; it goes on until it has left nothing behind.
    func cancel()
}

/// How far a job is.
struct JobProgress {
    /// How many records or keys it is through.
    var done: Int64 = 0
    /// How many there are, once that is known.
    var total: Int64?
}

/// What a job came to.
enum JobResult {
    case value(JSON)
    /// JSON text, for results so large that to write them would take longer than a slice.
    case text([UInt8])
}

/// The few milliseconds that a job has until everybody else is served.
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
