#if canImport(Testing)
// A build with a static Swift runtime compiles this target too, and the toolchain has no Testing for it.
import Foundation
public import Testing

/// Runs tests on threads beside the runtime's pool.
///
/// The pool of the concurrency runtime has one thread for each processor. A test that waits for a process or a socket holds
/// its thread meanwhile, so that a machine with two processors would run two tests at once and be idle most of the time.
public struct Threads: SuiteTrait, TestTrait, TestScoping {
    fileprivate let executor: QueueExecutor

    /// Runs the tests that `function` starts on these threads, as long as no actor takes them elsewhere.
    @concurrent public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(executor, operation: function)
    }
}

extension Trait where Self == Threads {
    /// For tests that wait for other processes or sockets, and for tests that take long.
    public static var waits: Self { Threads(executor: .waits) }

    /// For tests with `processExitsWith`.
    ///
    /// They must be able to say at any time that they wait for their process. While they cannot, because other tests hold
    /// all threads, Swift Testing's monitor of exited processes asks the kernel for them without a pause, which takes one
    /// processor from all other tests.
    public static var exits: Self { Threads(executor: .exits) }
}

private final class QueueExecutor: TaskExecutor {
    static let waits = QueueExecutor(threads: 6)
    static let exits = QueueExecutor(threads: 1)

    private let queue = OperationQueue()

    init(threads: Int) { queue.maxConcurrentOperationCount = threads }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#endif
