#if canImport(FoundationNetworking)
import Foundation

/// The queue of a session's delegate that calls it at once, on the session's own serial queue.
///
/// On Linux each of the four calls a request would be an Operation with a hand-over between threads, which made a
/// quarter of what a request costs. The delegate must not wait for the session, and not cancel a task, from a call.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
    // URLSession adds blocks alone; an operation would go its usual way.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
