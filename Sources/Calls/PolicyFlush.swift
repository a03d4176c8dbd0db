package import Suites

/// A flush that the policy started; requests to flush the same suite wait for it.
package final class PolicyFlush: ScheduledCall {
    private let suite: SuiteName

    package init(_ suite: SuiteName) { self.suite = suite }

    package override var accesses: [Access] { [Access(resource: .flush(suite), needs: nil, holds: .write)] }
}
