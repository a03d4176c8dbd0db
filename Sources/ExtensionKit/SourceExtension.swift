internal import JSON

/// A source: it hands out the records of a durable queue, and stores what became of them.
///
/// The host delivers the records to a destination with the same retries, order and rules as the records of a suite. Mark
/// the type `@main`, and set `PushhostSourceName` in the bundle's `Info.plist`. On Linux other processes of the same user
/// cannot read the memory or the environment of a source, as for a ``DestinationExtension``.
public protocol SourceExtension: Sendable {
    /// Creates the only object of the process, when the host activates it.
    ///
    /// - Parameter context: The settings of the host, its log, and what the source may tell it.
    init(context: SourceContext)

    /// Hands out records.
    ///
    /// The host makes one call at a time, and calls ``begin(_:)`` and ``settle(_:)`` meanwhile. The records are this host's
    /// until it settles or gives them back, or this process ends. They do not count as sent: if this process dies before
    /// the host begins them, they come again with the same `possiblySent`.
    ///
    /// The records of one user must come in their order. While the host holds a record of a user, the source may hand out
    /// later records of that user, but never earlier ones.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - wait: How long to wait if there is no record now; return no records then.
    /// - Returns: The records, and the state of the source.
    /// - Throws: An ``ExtensionError`` if nothing was handed out; the host calls again after a pause.
    func pull(limit: Int, wait: Duration) async throws -> PulledRecords

    /// Stores that records may be sent from now on, durably before it returns.
    ///
    /// The host makes one call at a time, for the records of the batches that it sends next; it sends no record before. If
    /// this process or the host dies then, a record comes again with a `possiblySent` that is higher by one, unless
    /// a settlement says that it was not sent. A record that is begun and not settled counts once, however often it is begun.
    ///
    /// - Parameter ids: Records that were handed out.
    /// - Returns: The records that do not belong to this process any more, which the host does not send.
    /// - Throws: An ``ExtensionError`` if not all is stored; the host then sends none of the records, and begins them again
    ///   or gives them back.
    func begin(_ ids: [Int64]) async throws -> [Int64]

    /// Stores what became of records that were handed out, durably before it returns.
    ///
    /// The host makes one call at a time. It repeats a call that throws, so a repeated call must have the same effect as
    /// a single one.
    ///
    /// - Parameter settlement: What became of the records.
    /// - Returns: The records that do not belong to this process any more, for which nothing was stored.
    /// - Throws: An ``ExtensionError`` if nothing was stored; the host repeats the call.
    func settle(_ settlement: SourceSettlement) async throws -> [Int64]

    /// Gives back all records that were handed out and not settled, because the host asks the process to end.
    ///
    /// None of these records is being sent. A ``pull(limit:wait:)`` that waits should return. No further call is made. If
    /// the host dies, the process ends without this call: what was begun may have been sent.
    func stop() async
}

/// The environment of a source and its way to the host; any thread may use it.
public struct SourceContext: Sendable {
    /// The severity of a log message.
    public typealias LogLevel = DestinationContext.LogLevel

    /// The variables of the host's environment that the plist lists in `PushhostEnvironment` and that are set.
    ///
    /// They are not in the environment of this process, which other processes of the same user could read at its start.
    public let environment: [String: String]

    let notify: @Sendable (_ method: String, _ params: JSON) -> Void

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - message: One sentence for people, without secrets.
    public func log(_ level: LogLevel, _ message: String) {
        notify("log", ["level": .string(level.rawValue), "message": .string(message)])
    }

    /// Takes records back, because they belong to another host now; the host does not send them any more.
    ///
    /// A record that is being sent at this moment cannot be called back, and is not settled. Call this for records that
    /// ``SourceExtension/pull(limit:wait:)`` is about to return, too: the host does not send these either, and gives them
    /// back with ``SourceSettlement/retry``.
    ///
    /// - Parameter ids: The records.
    public func revoke(_ ids: [Int64]) {
        notify("revoked", ["ids": .array(JSON.Array(integers: ids))])
    }

    /// Says which part of the destination's rate limit this host may use from now on.
    ///
    /// - Parameter share: More than 0 and at most 1.
    public func setShare(_ share: Double) { notify("share", ["share": .real(share)]) }
}
