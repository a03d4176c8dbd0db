public import Foundation
import Synchronization

/// The time of the extension, through which all timers of PhoneKit go: the real time, or a time that only moves when
/// it is advanced.
///
/// The host fixes the time with the `clock` of `activate`. Then nothing is waited for: timers are queued by the time at
/// which they are due, and fire in that order on the main queue when the time is advanced past them.
public final class MainClock: Sendable {
    /// The clock of this process.
    public static let shared = MainClock()

    /// A closure that waits for its time.
    package final class Entry: Sendable {
        fileprivate let body: @MainActor @Sendable () -> Void
        fileprivate let due: Date
        fileprivate let number: Int
        private let cancelled = Atomic(false)

        fileprivate init(due: Date, number: Int, _ body: @escaping @MainActor @Sendable () -> Void) {
            (self.due, self.number, self.body) = (due, number, body)
        }

        /// Keeps the closure from being called.
        package func cancel() { cancelled.store(true, ordering: .relaxed) }

        fileprivate var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

        @MainActor fileprivate func fire() {
            if !isCancelled { body() }
        }
    }

    private struct State {
        /// The fixed time; nil while the clock is real.
        var time: Date?
        var entries: [Entry] = []
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The current time.
    public var now: Date { state.withLock { $0.time } ?? Date() }

    /// Whether the time is fixed and moves only when it is advanced.
    package var isVirtual: Bool { state.withLock { $0.time != nil } }

    /// Fixes the time.
    package func fix(at time: Date) {
        state.withLock { $0.time = time }
        SerialTasks.begin()
    }

    /// Lets the closure run on the main queue after that many seconds; any thread may call it.
    @discardableResult
    package func schedule(after seconds: TimeInterval, _ body: @escaping @MainActor @Sendable () -> Void) -> Entry {
        // Rounded, so that two timers of the same interval keep their order whatever the processor does between them.
        let delay = max(0, (seconds * 1_000).rounded() / 1_000)
        let (entry, isVirtual) = state.withLock { state in
            state.count += 1
            let entry = Entry(due: (state.time ?? Date()) + delay, number: state.count, body)
            if state.time != nil { state.entries.append(entry) }
            return (entry, state.time != nil)
        }
        if !isVirtual {
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) { entry.fire() }
        }
        return entry
    }

    /// The time at which the next timer is due; nil if none waits or the clock is real.
    package var nextDue: Date? {
        state.withLock { state in
            state.entries.removeAll(where: \.isCancelled)
            return state.entries.map(\.due).min()
        }
    }

    /// Moves a fixed time forward by that many seconds, then calls the closure.
    @MainActor
    package func advance(by seconds: TimeInterval, then done: @escaping @MainActor @Sendable () -> Void = {}) {
        advance(to: now + seconds, then: done)
    }

    /// Moves a fixed time forward: each timer that becomes due fires at its own time, in order, and what it puts on
    /// the main queue runs before the next one; then calls the closure.
    ///
    /// - Parameters:
    ///   - time: The new time; an earlier one than the current changes nothing.
    ///   - isEnough: Asked after each timer; true leaves the rest waiting and the time where it is.
    ///   - done: Called at the end, on the main queue.
    @MainActor
    package func advance(
        to time: Date,
        until isEnough: @escaping @MainActor @Sendable () -> Bool = { false },
        then done: @escaping @MainActor @Sendable () -> Void
    ) {
        guard isVirtual, !isEnough() else { return done() }
        guard let entry = takeDue(by: time) else {
            state.withLock { $0.time = max($0.time ?? time, time) }
            return done()
        }
        entry.fire()
        MainQueue.settle { self.advance(to: time, until: isEnough, then: done) }
    }

    /// Removes the first timer that is due by that time, and moves the time to it.
    private func takeDue(by time: Date) -> Entry? {
        state.withLock { state in
            state.entries.removeAll(where: \.isCancelled)
            let due = state.entries.filter { $0.due <= time }
            guard let first = due.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }) else { return nil }
            state.entries.removeAll { $0 === first }
            state.time = max(state.time ?? first.due, first.due)
            return first
        }
    }
}

extension MainClock {
    /// Suspends the task for that many seconds of the clock, and resumes it on the caller's actor.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(seconds: TimeInterval, isolation: isolated (any Actor)? = #isolation) async throws {
        guard isVirtual else { return try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000)) }
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            // A closure that does not use the actor would run and resume elsewhere, and the main queue could seem settled.
            _ = isolation
            try await withCheckedThrowingContinuation { continuation in
                sleeper.begin(continuation)
                schedule(after: seconds) { sleeper.end(nil) }
            }
        } onCancel: {
            sleeper.end(CancellationError())
        }
    }

    /// The continuation of a task that sleeps, which is resumed once.
    private final class Sleeper: Sendable {
        private enum State {
            case new, over
            case sleeping(CheckedContinuation<Void, any Error>)
        }

        private let state = Mutex(State.new)

        /// Begins the sleep; one that was cancelled before ends at once.
        func begin(_ continuation: CheckedContinuation<Void, any Error>) {
            let isOver = state.withLock { state in
                if case .over = state { return true }
                state = .sleeping(continuation)
                return false
            }
            if isOver { continuation.resume(throwing: CancellationError()) }
        }

        /// Ends the sleep, if it has not ended yet.
        func end(_ error: (any Error)?) {
            let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                defer { state = .over }
                if case .sleeping(let continuation) = state { return continuation }
                return nil
            }
            if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
        }
    }
}

/// What waits on the main queue.
package enum MainQueue {
    private static let pending = Atomic(0)
    /// How often the queue is passed without a closure of ``add(_:)`` in it before it counts as settled: a task on the
    /// main actor that another began needs a few passes.
    private static let passes = 4
    private static let passLimit = 1_000

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the code at hand runs on the main queue, or else on the main thread.
    package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

    /// Puts a closure at the end of the main queue.
    package static func add(_ body: @escaping @MainActor @Sendable () -> Void) {
        pending.add(1, ordering: .relaxed)
        DispatchQueue.main.async {
            pending.subtract(1, ordering: .relaxed)
            body()
        }
    }

    /// Calls the closure when the main queue has run what waits on it and what that added.
    @MainActor
    package static func settle(then done: @escaping @MainActor @Sendable () -> Void) { settle(quiet: 0, of: 1, done) }

    @MainActor
    private static func settle(quiet: Int, of pass: Int, _ done: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async {
            let quiet = pending.load(ordering: .relaxed) == 0 ? quiet + 1 : 0
            if quiet == passes || pass == passLimit { done() } else { settle(quiet: quiet, of: pass + 1, done) }
        }
    }
}

/// Swift's tasks on the main thread, so that they run in the same order each time.
///
/// Otherwise even a task of the main actor goes through another thread whenever it resumes.
private enum SerialTasks {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Lets all tasks run there from now on; nothing is left to wait for, since the time is not real.
    static func begin() {
        // Swift's runtime has this variable for such replacements; without it the order is that of the threads.
        guard let hook = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            MainQueue.add { job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
        }
    }
}
