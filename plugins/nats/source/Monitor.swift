internal import Foundation

/// A value that threads share, and that they can wait for.
///
/// `@unchecked`: the value is only used while the lock is held.
final class Monitor<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Changes the value, and wakes the threads that wait for it.
    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&value)
    }

    /// Reads the value.
    func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body(value)
    }

    /// Waits until the closure returns a result; nil at the deadline.
    ///
    /// The closure is called at once, after each ``update(_:)``, and at least every half second. It may change the value,
    /// which wakes nobody.
    func wait<Result>(until deadline: ContinuousClock.Instant, for body: (inout Value) -> Result?) -> Result? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&value) { return result }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            // NSCondition waits by the wall clock, which may be set back, so no wait is longer than half a second.
            _ = condition.wait(until: Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.5)))
        }
    }
}

/// Runs blocking work on a thread of its own, because Swift's concurrency has only a few threads.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
