#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A value that threads share, and that they can wait for.
///
/// `@unchecked`: the value is only used while the lock is held.
final class Monitor<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    /// Changes the value, and wakes the threads that wait for it.
    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(lock)
        }
        return try body(&value)
    }

    /// Reads the value.
    func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(value)
    }

    /// Waits until the closure returns a result; nil at the deadline.
    ///
    /// The closure is called at once, after each ``update(_:)``, and at least every half second. It may change the value,
    /// which wakes nobody.
    func wait<Result>(until deadline: ContinuousClock.Instant, for body: (inout Value) -> Result?) -> Result? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&value) { return result }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            // The condition waits by the wall clock, which may be set back, so no wait is longer than half a second.
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_nsec += Int(min(rest, .milliseconds(500)).components.attoseconds / 1_000_000_000)
            end.tv_sec += end.tv_nsec / 1_000_000_000
            end.tv_nsec %= 1_000_000_000
            pthread_cond_timedwait(condition, lock, &end)
        }
    }
}

/// Runs a closure on a thread of its own, because Swift's concurrency has only a few threads.
///
/// `Foundation.Thread` does this too, but Foundation makes the executable four times as large.
func detachThread(_ body: @escaping @Sendable () -> Void) {
    final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
    }
    let error = pthread_create(&thread, nil, start, Unmanaged.passRetained(Work(body)).toOpaque())
    precondition(error == 0, "the system starts no thread: \(String(cString: strerror(error)))")
    pthread_detach(thread)
}

/// Runs blocking work on a thread of its own.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        detachThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
