package import Foundation
import Synchronization

/// The time of the extension, through which all timers of PhoneKit go: the real time, or a time that only moves when
/// it is advanced.
///
/// The host fixes the time with the `clock` of `activate`. Then nothing is waited for: timers are queued by the time at
/// which they are due, and fire in that order on the main queue when the time is advanced past them.
package final class MainClock: Sendable {
    /// The clock of this process.
    package static let shared = MainClock()

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
    package var now: Date { state.withLock { $0.time } ?? Date() }

    /// Whether the time is fixed and moves only when it is advanced.
    package var isVirtual: Bool { state.withLock { $0.time != nil } }

    /// Fixes the time.
    package func fix(at time: Date) { state.withLock { $0.time = time } }

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

/// What waits on the main queue.
package enum MainQueue {
    private static let pending = Atomic(0)
    /// How often the queue is passed before it counts as settled although closures are still added: a task on the main
    /// actor that another began needs a few passes.
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
    package static func settle(then done: @escaping @MainActor @Sendable () -> Void) { settle(pass: 1, done) }

    @MainActor
    private static func settle(pass: Int, _ done: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async {
            let isSettled = pass >= passes && pending.load(ordering: .relaxed) == 0
            if isSettled || pass >= passLimit { done() } else { settle(pass: pass + 1, done) }
        }
    }
}
