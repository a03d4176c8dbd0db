internal import Suites

/// A flush that no request asked for, as requests to flush the same suite see it.
final class PolicyFlush: ScheduledCall {
    private let suite: SuiteName

    init(_ suite: SuiteName) { self.suite = suite }

    override var accesses: [Access] { [Access(resource: .flush(suite), needs: nil, holds: .write)] }
}
