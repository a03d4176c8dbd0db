import Foundation

/// A value that threads share, and that they can wait for.
///
/// `@unchecked`: the value is only used while the lock is held.
final class Monitor<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Uses the value, and wakes the threads that wait for it.
    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&value)
    }

    /// Uses the value without a change.
    func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body(value)
    }

    /// Waits until the closure returns a result, or until the deadline, when it returns nil.
    ///
    /// The closure is called whenever another thread changed the value.
    func wait<Result>(until deadline: ContinuousClock.Instant, for body: (inout Value) -> Result?) -> Result? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&value) { return result }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            // The condition waits for a time of the wall clock, which may be changed meanwhile.
            _ = condition.wait(until: Date(timeIntervalSinceNow: min(rest / .seconds(1), 0.5)))
        }
    }
}

/// Does blocking work in a thread of its own, so that it does not occupy one of the few threads of tasks.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
