internal import Contract
internal import JSON
internal import JSONRPC
internal import Suites

/// A change of many records, each part of which stays once it is committed.
final class BulkJob: Job {
    /// How many records are changed at once, in the transaction of the iteration.
    static let atOnce: Int64 = 500

    private var change: BulkChange
    private let suite: Suite
    /// What the result calls the number of records.
    private let word: String
    /// Called whenever some are changed.
    private let changed: () -> Void
    private var isCancelled = false

    var progress: JobProgress { JobProgress(done: change.count, total: change.total) }

    init(_ change: BulkChange, _ suite: Suite, counting word: String, changed: @escaping () -> Void) {
        self.change = change
        self.suite = suite
        self.word = word
        self.changed = changed
    }

    func advance(_ slice: Slice) throws -> JobResult? {
        guard !isCancelled else { return .value(.null) }
        let before = change.count
        do throws(SuiteError) {
            try slice.hold { () throws(SuiteError) in try change.advance { slice.mayGoOn } }
        } catch {
            guard !error.isPassing, change.count > 0 else { throw error }
            throw HostError.notStored(
                "\(change.count) records were \(word) before \(suite.name) refused: \(error.text); the rest is as it was",
                details: ["suite": .string(suite.name.text), "changed": .integer(change.count)]
            )
        }
        if change.count > before { changed() }
        return change.isDone ? .value([word: .integer(change.count)]) : nil
    }

    func cancel() { isCancelled = true }
}

extension JobService {
    /// Changes few records at once and many in slices.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - invocation: The call that asked for it.
    ///   - word: What the result calls the number of records.
    ///   - changed: Called whenever some are changed.
    /// - Returns: The number of changed records, or that a job changes them.
    /// - Throws: What keeps the suite from being changed.
    func make(
        _ change: BulkChange,
        _ invocation: Invocation,
        counting word: String,
        changed: @escaping () -> Void = {}
    ) throws -> HostMethod.Outcome {
        var change = change
        guard change.total <= BulkJob.atOnce else {
            let job = BulkJob(change, invocation.knownSuite, counting: word, changed: changed)
            return begin(job, invocation)
        }
        let count = try change.finish()
        if count > 0 { changed() }
        return .done([word: .integer(count)])
    }
}
