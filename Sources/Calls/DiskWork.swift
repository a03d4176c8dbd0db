internal import Dispatch
internal import Platform
internal import Synchronization

/// Work that waits for the disk, done on a thread beside the event loop, one piece after the other.
package final class DiskWork {
    private let queue = DispatchQueue(label: "pushhost.disk")
    /// Wakes the event loop when a piece of work has ended; nil if the system had no descriptors for it.
    private lazy var wakeup = try? Wakeup()
    /// The completions of the work that has not ended, in order.
    @exclusivity(unchecked) private var completions: [() -> Void] = []

    /// No work.
    package init() {}

    /// Whether no work is left.
    package var isIdle: Bool { completions.isEmpty }

    /// Becomes readable when ``didWake()`` is to be called; nil if nothing runs.
    package var descriptor: Int32? { completions.isEmpty ? nil : wakeup?.descriptor }

    /// Begins a piece of work after the ones before it; does it at once if nothing could report its end.
    ///
    /// - Parameters:
    ///   - work: Runs on the other thread.
    ///   - completion: Called with the result, by ``didWake()``.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result,
        completion: @escaping (Result) -> Void
    ) {
        guard let wakeup else { return completion(work()) }
        let result = Slot<Result>()
        completions.append { if let value = result.value.withLock({ $0 }) { completion(value) } }
        queue.async {
            let value = work()
            result.value.withLock { $0 = value }
            wakeup.signal()
        }
    }

    /// Passes on the results of the work that has ended.
    package func didWake() { for _ in 0..<(wakeup?.take() ?? 0) { completions.removeFirst()() } }

    private final class Slot<Result: Sendable>: Sendable {
        let value = Mutex<Result?>(nil)
    }
}
