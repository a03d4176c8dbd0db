internal import Suites

/// A flush that the policy started; requests to flush the same suite wait for it.
final class PolicyFlush: ScheduledCall {
    private let suite: SuiteName

    init(_ suite: SuiteName) { self.suite = suite }

    override var accesses: [Access] { [Access(resource: .flush(suite), needs: nil, holds: .write)] }
}
