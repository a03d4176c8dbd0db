/// A destination: it takes what suites hold and hands it to a service.
///
/// The host owns the queue, its order and the pauses; the destination owns the
/// service. Mark the type `@main`, and name the bundle's `PushhostDestinationName`
/// in its `Info.plist`. On Linux other processes of the same user cannot read its
/// memory or its environment; it hides them before it reads what the host sends.
public protocol DestinationExtension: Sendable {
    /// Makes the one object of the process, when the host activates it.
    ///
    /// - Parameter context: What the object is told, and what it may tell.
    init(context: DestinationContext)

    /// Delivers a batch.
    ///
    /// The plist's `PushhostDestinationConcurrentBatches` says how many batches
    /// may be delivered at once; two of them never hold records of one user. The
    /// host gives a batch up, and takes all of it as uncertain, when it is not
    /// answered within 60 s. Batches that are there when the process is to end are
    /// finished and answered.
    ///
    /// - Parameter batch: Records in order of capture, at most 1,000.
    /// - Returns: What became of each record; one that it does not name was not attempted and is offered again.
    /// - Throws: An ``ExtensionError`` says that nothing of the batch was attempted.
    func deliver(_ batch: DeliveryBatch) async throws -> DeliveryResult
}

/// What a destination is told at its start, and what it may tell beside its results; from any thread.
public struct DestinationContext: Sendable {
    /// How much something matters to an operator.
    public enum LogLevel: String, Sendable {
        /// Each step.
        case trace
        /// What helps to find a fault.
        case debug
        /// What an operator may want to know.
        case info
        /// Something unusual that is no fault.
        case notice
        /// Something that may become a fault.
        case warning
        /// Something failed.
        case error
        /// Nothing goes on without an operator.
        case critical
    }

    /// The variables of the host's environment that the plist lists in `PushhostEnvironment`, as far as they are set.
    ///
    /// They are not in the environment of this process, which others of the same user could read at its start.
    public let environment: [String: String]

    let write: @Sendable (LogLevel, String) -> Void

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: One sentence for people, without secrets.
    public func log(_ level: LogLevel, _ message: String) { write(level, message) }
}
