package import Calls
internal import Contract
internal import JSON
internal import JSONRPC
package import Suites

/// Changes many records in several transactions; each transaction remains even if the job fails later.
final class BulkJob: Job {
    /// Up to this number of records are changed without a job, in the transaction of the event loop's iteration.
    static let directLimit: Int64 = 500

    private var change: BulkChange
    private let suite: Suite
    /// What the result calls the number of records.
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
            try slice.hold { () throws(SuiteError) in try change.advance { slice.mayContinue } }
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
    /// Makes a small change at once, and a large one in a job.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - invocation: The call that requests the change.
    ///   - word: What the result calls the number of records.
    ///   - onChange: Called after records are changed; by a job after each slice.
    /// - Returns: The result; `later` if a job makes the change.
    /// - Throws: Why the suite cannot be changed.
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
