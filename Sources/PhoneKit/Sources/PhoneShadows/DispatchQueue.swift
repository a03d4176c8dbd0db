public import Dispatch
import Foundation
import PhoneRuntime
import Synchronization

/// A queue as Dispatch's, except that `main` keeps the time of the host: with a fixed clock its timers wait until the
/// time is advanced.
///
/// A typealias in the extension's module puts it in place of Dispatch's class.
public final class DispatchQueue: @unchecked Sendable, Equatable {
    /// Dispatch's class.
    package typealias System = Dispatch.DispatchQueue
    /// How a queue runs its work.
    public typealias Attributes = Dispatch.DispatchQueue.Attributes
    /// When a queue frees what its work released.
    public typealias AutoreleaseFrequency = Dispatch.DispatchQueue.AutoreleaseFrequency

    /// Dispatch's queue that runs the work.
    package let system: System

    /// The queue of the main thread.
    public static let main = DispatchQueue(.main, isMain: true)

    /// Whether this is the main queue: Dispatch makes another object each time that it is asked for a queue.
    private let isMain: Bool

    private init(_ system: System, isMain: Bool = false) { (self.system, self.isMain) = (system, isMain) }

    /// A queue of its own.
    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
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
        guard isMain else { return system.async(group: group?.system, qos: qos, flags: flags, execute: work) }
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
        async { workItem.perform() }
    }

    /// Runs the item later as a part of the group.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        async(group: group) { workItem.perform() }
    }

    /// Runs the work and waits for it.
    public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try system.sync(execute: work) }

    /// Runs the work and waits for it.
    public func sync<Result>(flags: DispatchWorkItemFlags, execute work: () throws -> Result) rethrows -> Result {
        try system.sync(flags: flags, execute: work)
    }

    /// Runs the item and waits for it.
    public func sync(execute workItem: DispatchWorkItem) { system.sync(execute: workItem.system) }

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
        asyncAfter(deadline: deadline) { workItem.perform() }
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
