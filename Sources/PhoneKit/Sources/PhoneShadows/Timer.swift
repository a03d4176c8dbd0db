public import Foundation
public import PhoneRuntime

/// A timer as Foundation's that keeps the time of the host.
///
/// A typealias in the extension's module puts it in place of Foundation's class.
public final class Timer: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private let interval: TimeInterval
    private let repeats: Bool
    private let body: @MainActor @Sendable (Timer) -> Void
    private var entry: MainClock.Entry?
    private var isStarted = false
    private var isOver = false
    private var due: Date

    /// What the creator passed along.
    public let userInfo: Any?
    /// How late the timer may fire; it is never late.
    public var tolerance: TimeInterval = 0

    private init(
        _ date: Date?,
        interval: TimeInterval,
        repeats: Bool,
        userInfo: Any? = nil,
        _ body: @escaping @MainActor @Sendable (Timer) -> Void
    ) {
        self.interval = max(interval, 0.0001)
        (self.repeats, self.body) = (repeats, body)
        self.userInfo = userInfo
        due = date ?? MainClock.shared.now + self.interval
    }

    /// A timer that does nothing, which a property holds until it gets another one.
    public convenience override init() { self.init(nil, interval: 0, repeats: false) { _ in } }

    /// A timer that begins when it is added to the run loop.
    @preconcurrency public convenience init(
        timeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) {
        self.init(nil, interval: interval, repeats: repeats) { block($0) }
    }

    /// A timer that fires first on that date, and begins when it is added to the run loop.
    @preconcurrency public convenience init(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) {
        self.init(date, interval: interval, repeats: repeats) { block($0) }
    }

    /// A timer that calls a method by its name, and begins when it is added to the run loop.
    public convenience init(
        timeInterval interval: TimeInterval,
        target: Any,
        selector: Selector,
        userInfo: Any?,
        repeats: Bool
    ) {
        let target = UncheckedBox(target as AnyObject)
        self.init(nil, interval: interval, repeats: repeats, userInfo: userInfo) {
            PhoneObject.send(selector, to: target.value, with: [$0])
        }
    }

    /// A timer that runs.
    @discardableResult
    @preconcurrency public static func scheduledTimer(
        withTimeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) -> Timer {
        let timer = Timer(timeInterval: interval, repeats: repeats, block: block)
        timer.start()
        return timer
    }

    /// A timer that runs and calls a method by its name.
    @discardableResult
    public static func scheduledTimer(
        timeInterval interval: TimeInterval,
        target: Any,
        selector: Selector,
        userInfo: Any?,
        repeats: Bool
    ) -> Timer {
        let timer = Timer(
            timeInterval: interval,
            target: target,
            selector: selector,
            userInfo: userInfo,
            repeats: repeats
        )
        timer.start()
        return timer
    }

    /// The seconds between two firings; 0 if it fires once.
    public var timeInterval: TimeInterval { repeats ? interval : 0 }

    /// Whether it may still fire.
    public var isValid: Bool { lock.withLock { !isOver } }

    /// When it fires next.
    public var fireDate: Date {
        get { lock.withLock { due } }
        set {
            lock.withLock {
                due = newValue
                guard isStarted, !isOver else { return }
                schedule()
            }
        }
    }

    /// Ends the timer.
    public func invalidate() {
        lock.withLock {
            isOver = true
            entry?.cancel()
            entry = nil
        }
    }

    /// Calls the block at once; a timer that fires once is over then.
    public func fire() {
        guard isValid else { return }
        MainActor.assumeIsolated { body(self) }
        if !repeats { invalidate() }
    }

    fileprivate func start() {
        lock.withLock {
            guard !isStarted, !isOver else { return }
            isStarted = true
            schedule()
        }
    }

    /// Waits for the next time; the lock is held.
    private func schedule() {
        entry?.cancel()
        entry = MainClock.shared.scheduleForPresentation(after: due.timeIntervalSince(MainClock.shared.now)) {
            self.tick()
        }
    }

    @MainActor private func tick() {
        guard isValid else { return }
        if !repeats { lock.withLock { entry = nil } }
        body(self)
        lock.withLock {
            guard !isOver else { return }
            guard repeats else { return isOver = true }
            due = max(due + interval, MainClock.shared.now)
            schedule()
        }
    }
}

extension RunLoop {
    /// Begins the timer, whatever the mode: the main loop has one.
    public func add(_ timer: Timer, forMode mode: RunLoop.Mode) { timer.start() }
}
