public import Dispatch
import PhoneRuntime

// Types of Dispatch that name a queue, so that they take the queues of this module.

/// A group of work as Dispatch's.
public final class DispatchGroup: @unchecked Sendable {
    /// Dispatch's group.
    package let system = Dispatch.DispatchGroup()

    /// An empty group.
    public init() {}

    /// Counts a piece of work that began.
    public func enter() { system.enter() }

    /// Counts a piece of work that is done.
    public func leave() { system.leave() }

    /// Waits until all work is done.
    public func wait() { system.wait() }

    /// Waits until all work is done or the time is over.
    @discardableResult
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { system.wait(timeout: timeout) }

    /// Runs the work on the queue when the group is done.
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void
    ) {
        system.notify(qos: qos, flags: flags, queue: queue.system) {
            queue == .main ? queue.async(execute: work) : work()
        }
    }

    /// Runs the item on the queue when the group is done.
    public func notify(queue: DispatchQueue, work: DispatchWorkItem) {
        notify(queue: queue) { work.perform() }
    }
}

/// A piece of work as Dispatch's, which can be cancelled before it runs.
public final class DispatchWorkItem: @unchecked Sendable {
    /// Dispatch's item.
    package let system: Dispatch.DispatchWorkItem

    /// An item that runs the block.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], block: @escaping () -> Void) {
        system = Dispatch.DispatchWorkItem(qos: qos, flags: flags, block: block)
    }

    /// Runs the block, unless the item was cancelled.
    public func perform() { system.perform() }

    /// Keeps the block from running.
    public func cancel() { system.cancel() }

    /// Whether the item was cancelled.
    public var isCancelled: Bool { system.isCancelled }

    /// Waits until the block has run.
    public func wait() { system.wait() }

    /// Runs the work on the queue when this item is done.
    @preconcurrency public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void
    ) {
        system.notify(qos: qos, flags: flags, queue: queue.system) {
            queue == .main ? queue.async(execute: work) : work()
        }
    }

    /// Runs another item on the queue when this one is done.
    public func notify(queue: DispatchQueue, execute item: DispatchWorkItem) {
        notify(queue: queue) { item.perform() }
    }
}

/// Sources of events as Dispatch's; they keep the real time.
public enum DispatchSource {
    /// A timer whose handlers run on the queue.
    public static func makeTimerSource(
        flags: Dispatch.DispatchSource.TimerFlags = [],
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceTimer {
        Dispatch.DispatchSource.makeTimerSource(flags: flags, queue: queue?.system)
    }
}
