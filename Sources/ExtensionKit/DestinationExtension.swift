/// A destination: it delivers the records of suites to a service.
///
/// The host owns the queue, its order and the pauses; the destination talks to the
/// service. Mark the type `@main`, and set `PushhostDestinationName` in the bundle's
/// `Info.plist`. On Linux other processes of the same user cannot read the memory or
/// the environment of a destination: it hides both before it reads the host's messages.
public protocol DestinationExtension: Sendable {
    /// Creates the only object of the process, when the host activates it.
    ///
    /// - Parameter context: The settings of the host, and its log.
    init(context: DestinationContext)

    /// Delivers a batch.
    ///
    /// The plist's `PushhostDestinationConcurrentBatches` says how many batches
    /// may be delivered at once; two of them never hold records of the same user. If a
    /// batch is not answered within 60 s, the host treats all of its records as
    /// uncertain. Batches that are under way when the process is asked to stop are
    /// finished and answered.
    ///
    /// - Parameter batch: Records in order of capture, at most 1,000.
    /// - Returns: The outcome of each record; a record without an outcome was not attempted and is offered again.
    /// - Throws: An ``ExtensionError`` if nothing of the batch was attempted.
    func deliver(_ batch: DeliveryBatch) async throws -> DeliveryResult
}

/// The environment of a destination and the host's log; any thread may use it.
public struct DestinationContext: Sendable {
    /// The severity of a log message.
    public enum LogLevel: String, Sendable {
        /// Each step.
        case trace
        /// Details that help to find an error.
        case debug
        /// Information for an operator.
        case info
        /// Something unusual that is not an error.
        case notice
        /// Something that may become an error.
        case warning
        /// Something failed.
        case error
        /// Nothing works until an operator acts.
        case critical
    }

    /// The variables of the host's environment that the plist lists in `PushhostEnvironment` and that are set.
    ///
    /// They are not in the environment of this process, which other processes of the same user could read at its start.
    public let environment: [String: String]

    let write: @Sendable (LogLevel, String) -> Void

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - message: One sentence for people, without secrets.
    public func log(_ level: LogLevel, _ message: String) { write(level, message) }
}
