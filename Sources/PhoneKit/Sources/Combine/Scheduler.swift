// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime
public import PhoneShadows

/// Where and when values are passed on.
public protocol Scheduler {
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    func schedule(_ action: @escaping () -> Void)
    /// Runs an action after that many seconds of the clock.
    func _schedule(after seconds: Double, _ action: @escaping () -> Void)
}

public protocol SchedulerTimeIntervalConvertible {
    static func seconds(_ s: Int) -> Self
    static func seconds(_ s: Double) -> Self
    static func milliseconds(_ ms: Int) -> Self
    static func microseconds(_ us: Int) -> Self
    static func nanoseconds(_ ns: Int) -> Self
    var _seconds: Double { get }
}

/// A time of a scheduler, all of which have the extension's clock.
public struct _SchedulerTime: Strideable {
    public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, ExpressibleByFloatLiteral,
        Sendable
    {
        public var _seconds: Double
        public var magnitude: Double { abs(_seconds) }
        public init(_seconds: Double) { self._seconds = _seconds }
        public init(floatLiteral value: Double) { _seconds = value }
        public init(integerLiteral value: Int) { _seconds = Double(value) }
        public init?<T: BinaryInteger>(exactly source: T) { _seconds = Double(source) }
        public static func seconds(_ s: Int) -> Stride { .init(_seconds: Double(s)) }
        public static func seconds(_ s: Double) -> Stride { .init(_seconds: s) }
        public static func milliseconds(_ ms: Int) -> Stride { .init(_seconds: Double(ms) / 1_000) }
        public static func microseconds(_ us: Int) -> Stride { .init(_seconds: Double(us) / 1_000_000) }
        public static func nanoseconds(_ ns: Int) -> Stride { .init(_seconds: Double(ns) / 1_000_000_000) }
        public static func < (left: Stride, right: Stride) -> Bool { left._seconds < right._seconds }
        public static func + (left: Stride, right: Stride) -> Stride { .init(_seconds: left._seconds + right._seconds) }
        public static func - (left: Stride, right: Stride) -> Stride { .init(_seconds: left._seconds - right._seconds) }
        public static func * (left: Stride, right: Stride) -> Stride { .init(_seconds: left._seconds * right._seconds) }
        public static func *= (left: inout Stride, right: Stride) { left._seconds *= right._seconds }
    }

    let date: Date
    public func distance(to other: _SchedulerTime) -> Stride {
        Stride(_seconds: other.date.timeIntervalSince(date))
    }
    public func advanced(by n: Stride) -> _SchedulerTime { _SchedulerTime(date: date + n._seconds) }
}

extension PhoneShadows.DispatchQueue: Scheduler {
    public typealias SchedulerTimeType = _SchedulerTime
    public func schedule(_ action: @escaping () -> Void) {
        nonisolated(unsafe) let action = action
        async { action() }
    }
    public func _schedule(after seconds: Double, _ action: @escaping () -> Void) {
        nonisolated(unsafe) let action = action
        asyncAfter(deadline: .now() + seconds) { action() }
    }
}

extension RunLoop: Scheduler {
    public typealias SchedulerTimeType = _SchedulerTime
    public func schedule(_ action: @escaping () -> Void) { PhoneShadows.DispatchQueue.main.schedule(action) }
    public func _schedule(after seconds: Double, _ action: @escaping () -> Void) {
        PhoneShadows.DispatchQueue.main._schedule(after: seconds, action)
    }
}

extension OperationQueue: Scheduler {
    public typealias SchedulerTimeType = _SchedulerTime
    public func schedule(_ action: @escaping () -> Void) {
        nonisolated(unsafe) let action = action
        if self === OperationQueue.main {
            PhoneShadows.DispatchQueue.main.schedule(action)
        } else {
            addOperation { action() }
        }
    }
    public func _schedule(after seconds: Double, _ action: @escaping () -> Void) {
        PhoneShadows.DispatchQueue.main._schedule(after: seconds) { self.schedule(action) }
    }
}

extension Publisher {
    private func rescheduled(
        _ schedule: @escaping (@escaping () -> Void) -> Void
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { downstream in
            sink(
                receiveCompletion: { completion in schedule { downstream.completion(completion) } },
                receiveValue: { value in schedule { downstream.value(value) } }
            )
        }
    }

    public func receive<S: Scheduler>(on scheduler: S) -> some Publisher<Output, Failure> {
        rescheduled { scheduler.schedule($0) }
    }
    public func subscribe<S: Scheduler>(on scheduler: S) -> some Publisher<Output, Failure> { eraseToAnyPublisher() }
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        scheduler: S
    ) -> some Publisher<Output, Failure> {
        rescheduled { scheduler._schedule(after: interval._seconds, $0) }
    }
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride,
        scheduler: S
    ) -> some Publisher<Output, Failure> {
        AnyPublisher<Output, Failure> { downstream in
            let newest = Box(0)
            return sink(receiveCompletion: downstream.completion) { value in
                newest.value += 1
                let own = newest.value
                scheduler._schedule(after: dueTime._seconds) { if own == newest.value { downstream.value(value) } }
            }
        }
    }
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        scheduler: S,
        latest: Bool
    ) -> some Publisher<Output, Failure> {
        AnyPublisher<Output, Failure> { downstream in
            let waiting = Box(Output?.none)
            let isOpen = Box(true)
            return sink(receiveCompletion: downstream.completion) { value in
                guard isOpen.value else {
                    if latest || waiting.value == nil { waiting.value = value }
                    return
                }
                isOpen.value = false
                downstream.value(value)
                scheduler._schedule(after: interval._seconds) {
                    isOpen.value = true
                    if let value = waiting.value.take() { downstream.value(value) }
                }
            }
        }
    }
}

// MARK: Publishers of Foundation

public protocol ConnectablePublisher: Publisher {
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
    /// A publisher that connects with its first subscriber and disconnects with its last.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher, @unchecked Sendable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        private var connection: (any Cancellable)?
        private var count = 0

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            AnyPublisher<Output, Failure> { [self] downstream in
                let own = upstream.sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
                count += 1
                if count == 1 { connection = upstream.connect() }
                return AnyCancellable { [self] in
                    own.cancel()
                    count -= 1
                    if count == 0 { connection.take()?.cancel() }
                }
            }
            .receive(subscriber: subscriber)
        }
    }
}

extension PhoneShadows.Timer {
    public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
        public typealias Output = Date
        public typealias Failure = Never
        public let interval: TimeInterval
        private let subject = PassthroughSubject<Date, Never>()

        init(interval: TimeInterval) { self.interval = interval }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            subject.receive(subscriber: subscriber)
        }
        public func connect() -> any Cancellable {
            let timer = PhoneShadows.Timer.scheduledTimer(withTimeInterval: interval, repeats: true) { [subject] _ in
                subject.send(MainClock.shared.now)
            }
            return AnyCancellable { timer.invalidate() }
        }
    }

    public static func publish(
        every interval: TimeInterval,
        tolerance: TimeInterval? = nil,
        on runLoop: RunLoop,
        in mode: RunLoop.Mode
    ) -> TimerPublisher { TimerPublisher(interval: interval) }
}

extension NotificationCenter {
    public struct Publisher: Combine.Publisher {
        public typealias Output = Notification
        public typealias Failure = Never
        public let center: NotificationCenter
        public let name: Notification.Name
        public let object: AnyObject?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            AnyPublisher<Notification, Never> { downstream in
                nonisolated(unsafe) let pass = downstream.value
                nonisolated(unsafe) let observer = center.addObserver(forName: name, object: object, queue: nil) {
                    pass($0)
                }
                return AnyCancellable { center.removeObserver(observer) }
            }
            .receive(subscriber: subscriber)
        }
    }

    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}
