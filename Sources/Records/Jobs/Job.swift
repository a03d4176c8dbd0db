package import JSON
internal import Platform
internal import Suites

/// Work on many records, done in slices; other calls are handled between slices.
package protocol Job: AnyObject {
    /// The progress of the job.
    var progress: JobProgress { get }

    /// Continues the job for a slice; no transaction is open before or after it.
    ///
    /// - Returns: The result; nil if the job is unfinished.
    /// - Throws: Why the job failed. After a temporary error of a suite the slice is tried again.
    func advance(_ slice: Slice) throws -> JobResult?

    /// Cancels the job, whose result is not needed any more; it continues until it has cleaned up.
    func cancel()
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
}

/// The few milliseconds that a job may run before other work is handled.
package final class Slice {
    /// How long a slice is, in nanoseconds.
    static let length: Int64 = 3_000_000

    private let end: Int64
    /// How long the job blocked other processes from the suite, in nanoseconds.
    private(set) var held: Int64 = 0

    init() { end = Clock.monotonicNanoseconds() + Slice.length }

    /// Whether there is time left.
    var mayContinue: Bool { Clock.monotonicNanoseconds() < end }

    /// Runs the body, which blocks other processes from the suite, and adds its time to ``held``.
    func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = Clock.monotonicNanoseconds()
        defer { held += Clock.monotonicNanoseconds() - start }
        return try body()
    }
}
