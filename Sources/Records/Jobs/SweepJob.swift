internal import JSON
internal import Suites

/// Removes the leftovers of abandoned imports.
final class SweepJob: Job {
    private let suite: Suite
    let progress = JobProgress()

    init(_ suite: Suite) { self.suite = suite }

    func advance(_ slice: Slice) throws -> JobResult? {
        try slice.hold { try suite.imports.sweep { slice.mayContinue } } ? nil : .value(.null)
    }

    func cancel() {}
}
