package import Calls
package import JSON
package import Suites

/// Reads what each suite holds.
///
/// The first look at a suite opens its file, so that a look at many takes long.
package final class SummaryJob: Job {
    /// What a suite holds, or why it cannot be read.
    package typealias Summary = (name: SuiteName, content: Result<SuiteSummary, SuiteError>)

    /// Up to this number of suites are read without a job.
    static let directLimit = 32

    private let store: SuiteStore
    private var rest: ArraySlice<SuiteName>
    private var summaries: [Summary] = []
    private let makeResult: ([Summary]) -> JSON
    private var isCancelled = false
    /// Without numbers, because the job is about suites and not about records.
    package let progress = JobProgress()

    package init(_ store: SuiteStore, _ names: [SuiteName], result: @escaping ([Summary]) -> JSON) {
        self.store = store
        rest = names[...]
        makeResult = result
    }

    package func advance(_ slice: Slice) -> JobResult? {
        while let name = rest.popFirst() {
            guard !isCancelled else { return .value(.null) }
            read(name)
            guard slice.mayContinue else { break }
        }
        return rest.isEmpty ? .value(makeResult(summaries)) : nil
    }

    /// Reads all suites now.
    package func finish() -> JSON {
        while let name = rest.popFirst() { read(name) }
        return makeResult(summaries)
    }

    private func read(_ name: SuiteName) {
        summaries.append((name, Result { () throws(SuiteError) in try store.summary(of: name) }))
    }

    package func cancel() { isCancelled = true }
}

extension JobService {
    /// Answers a call from what each suite holds: at once, or in a job if there are many.
    ///
    /// - Parameters:
    ///   - names: The suites.
    ///   - invocation: The call.
    ///   - result: Makes the result of the call.
    /// - Returns: The result; `later` if a job reads the suites.
    package func summarize(
        _ names: [SuiteName],
        _ invocation: Invocation,
        result: @escaping ([SummaryJob.Summary]) -> JSON
    ) -> HostMethod.Outcome {
        let job = SummaryJob(store, names, result: result)
        return names.count > SummaryJob.directLimit ? begin(job, invocation) : .done(job.finish())
    }
}
