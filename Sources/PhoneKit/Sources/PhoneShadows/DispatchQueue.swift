public import Dispatch
public import Foundation
import PhoneRuntime
import Synchronization

/// A queue as Dispatch's, except that `main` keeps the time of the host: with a fixed clock its timers wait until the
/// time is advanced.
///
/// A typealias in the extension's module puts it in place of Dispatch's class.
public final class DispatchQueue: @unchecked Sendable, Equatable {
    /// Dispatch's class.
    public typealias System = Dispatch.DispatchQueue

    /// Dispatch's queue that runs the work.
    public let system: System

    /// The queue of the main thread.
    public static let main = DispatchQueue(.main, isMain: true)

    /// Whether this is the main queue: Dispatch makes another object each time that it is asked for a queue.
    private let isMain: Bool

    private init(_ system: System, isMain: Bool = false) { (self.system, self.isMain) = (system, isMain) }

    /// A queue of its own.
    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: System.Attributes = [],
        autoreleaseFrequency: System.AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil
    ) {
        self.init(
            System(
                label: label,
                qos: qos,
                attributes: attributes,
                autoreleaseFrequency: autoreleaseFrequency,
                target: target?.system
            )
        )
    }

    /// The system's queue of that quality.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
        DispatchQueue(.global(qos: qos))
    }

    /// The label.
    public var label: String { system.label }

    /// The quality of service.
    public var qos: DispatchQoS { system.qos }

    /// Whether both are the same queue.
    public static func == (left: DispatchQueue, right: DispatchQueue) -> Bool { left.system === right.system }

    // MARK: Work

    /// Runs the work later.
    @preconcurrency public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void
    ) {
        guard isMain else { return system.async(group: group, qos: qos, flags: flags, execute: work) }
        let notification = CurrentPresentation.notification
        group?.enter()
        MainQueue.add {
            if let notification { CurrentPresentation.notification = notification }
            work()
            ViewChanges.note()
            group?.leave()
        }
    }

    /// Runs the item later.
    public func async(execute workItem: DispatchWorkItem) {
        let item = UncheckedBox(workItem)
        async { item.value.perform() }
    }

    /// Runs the item later as a part of the group.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        let item = UncheckedBox(workItem)
        async(group: group) { item.value.perform() }
    }

    /// Runs the work and waits for it.
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try system.sync(execute: work) }

    /// Runs the work and waits for it.
    public func sync<Result>(flags: DispatchWorkItemFlags, execute work: () throws -> Result) rethrows -> Result {
        try system.sync(flags: flags, execute: work)
    }

    /// Runs the item and waits for it.
    public func sync(execute workItem: DispatchWorkItem) { system.sync(execute: workItem) }

    /// Runs the work after the deadline; on the main queue by the clock of the host.
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void
    ) {
        guard isMain else { return system.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work) }
        MainClock.shared.scheduleForPresentation(after: deadline.secondsFromNow) { work() }
    }

    /// Runs the item after the deadline; on the main queue by the clock of the host.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        let item = UncheckedBox(workItem)
        asyncAfter(deadline: deadline) { item.value.perform() }
    }

    /// Runs the work after the deadline of the wall clock.
    @preconcurrency public func asyncAfter(
        wallDeadline: DispatchWallTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void
    ) {
        let nanoseconds = Int64(bitPattern: DispatchWallTime.now().rawValue &- wallDeadline.rawValue)
        asyncAfter(deadline: .now() + Double(nanoseconds) / 1e9, qos: qos, flags: flags, execute: work)
    }

    /// Runs the body for each number below the count, in parallel.
    @preconcurrency public static func concurrentPerform(iterations: Int, execute work: @Sendable (Int) -> Void) {
        System.concurrentPerform(iterations: iterations, execute: work)
    }
}

extension DispatchTime {
    /// How many seconds remain until the time.
    fileprivate var secondsFromNow: Double {
        guard self != .distantFuture else { return Double(Int32.max) }
        let now = DispatchTime.now().uptimeNanoseconds
        return uptimeNanoseconds > now ? Double(uptimeNanoseconds - now) / 1e9 : 0
    }
}

extension DispatchGroup {
    /// Runs the work on the queue when the group is done.
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void
    ) {
        notify(qos: qos, flags: flags, queue: queue.system) { queue == .main ? queue.async(execute: work) : work() }
    }

    /// Runs the item on the queue when the group is done.
    public func notify(queue: DispatchQueue, work: DispatchWorkItem) {
        let item = UncheckedBox(work)
        notify(queue: queue) { item.value.perform() }
    }
}

extension DispatchWorkItem {
    /// Runs another item on the queue when this one is done.
    public func notify(queue: DispatchQueue, execute: DispatchWorkItem) {
        let item = UncheckedBox(execute)
        notify(queue: queue) { item.value.perform() }
    }

    /// Runs the work on the queue when this item is done.
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute: @escaping @Sendable () -> Void
    ) {
        notify(qos: qos, flags: flags, queue: queue.system, execute: execute)
    }
}

extension DispatchSource {
    /// A timer whose handlers run on the queue, by the real clock.
    public static func makeTimerSource(
        flags: DispatchSource.TimerFlags = [],
        queue: DispatchQueue
    ) -> DispatchSourceTimer {
        makeTimerSource(flags: flags, queue: queue.system)
    }
}

extension OperationQueue {
    /// Sets the queue that runs the operations.
    public func setUnderlyingQueue(_ queue: DispatchQueue) { underlyingQueue = queue.system }
}
