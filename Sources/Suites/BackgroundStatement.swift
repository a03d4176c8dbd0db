internal import GRDB

/// A statement that SQLite executes on the thread of its connection's queue, while the host's thread goes on.
///
/// Every other use of the connection waits for its end, because the queue runs one block after the other.
final class BackgroundStatement: @unchecked Sendable {
    private let queue: DatabaseQueue
    // Written in the queue's block, and read only after a later block of the same queue has run.
    private var failure: (any Error)?

    /// Begins to execute a statement.
    ///
    /// - Parameters:
    ///   - queue: The queue of the connection.
    ///   - sql: The statement, which has no parameters.
    ///   - onEnd: Called once on another thread, when the statement has ended.
    init(_ queue: DatabaseQueue, _ sql: String, onEnd: @escaping @Sendable () -> Void) {
        self.queue = queue
        queue.asyncWriteWithoutTransaction { [self] db in
            do { try db.cachedStatement(sql: sql).execute() } catch { failure = error }
            onEnd()
        }
    }

    /// Waits for the end of the statement.
    ///
    /// - Throws: The error of the statement.
    func wait() throws {
        queue.inDatabase { _ in }
        if let failure { throw failure }
    }
}
