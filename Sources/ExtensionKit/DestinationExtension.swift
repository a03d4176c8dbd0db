public import JSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A destination: it delivers the records of suites to a service.
///
/// The host owns the queue, its order and the pauses; the destination talks to the
/// service. Mark the type `@main`, and set `PushhostDestinationName` in the bundle's
/// `Info.plist`. On Linux other processes of the same user cannot read the memory or
/// the environment of a destination: it hides both before it reads the host's messages.
public protocol DestinationExtension: Sendable {
    /// Whether records are kept as texts, which ``DeliveryRecord/text`` returns, and are read only when they are asked for.
    ///
    /// It is quicker for a destination that passes records on unchanged, and slower for any other; false by default.
    static var keepsTexts: Bool { get }

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

extension DestinationExtension {
    /// False: records are read as they arrive.
    public static var keepsTexts: Bool { false }
}

/// The environment of a destination and the host's log; any thread may use it.
public struct DestinationContext: Sendable {
    /// The severity of a log message.
    public typealias LogLevel = ExtensionKit.LogLevel

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

/// A destination that can say whether its service would accept records: `pushhost doctor`.
public protocol CheckableDestination: DestinationExtension {
    /// Says whether the service can be reached and would accept records, without sending any.
    ///
    /// - Returns: What the service answered.
    /// - Throws: An ``ExtensionError`` if that cannot be said.
    func check() async throws -> DestinationCheck
}

/// Whether a service can be reached and would accept records.
public struct DestinationCheck: Equatable, Sendable {
    /// Whether the service answered.
    public var isReachable: Bool
    /// Whether the service accepts the key and would accept records; nil if its answer does not say so.
    public var isAccepted: Bool?
    /// How long the answer took.
    public var duration: Duration?
    /// The service's own time, with which the host's clock is compared.
    public var date: Date?
    /// One sentence for people: what was found, and what to do if it is not good.
    public var message: String

    /// A finding.
    public init(
        isReachable: Bool,
        isAccepted: Bool? = nil,
        duration: Duration? = nil,
        date: Date? = nil,
        message: String
    ) {
        self.isReachable = isReachable
        self.isAccepted = isAccepted
        self.duration = duration
        self.date = date
        self.message = message
    }
}

extension DestinationCheck {
    /// The finding as a reply on the wire.
    var json: JSON {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return JSON(present: [
            "reachable": .bool(isReachable), "accepted": isAccepted.map(JSON.bool),
            "milliseconds": duration.map { .integer($0.wholeMilliseconds) },
            "date": date.map { .string($0.formatted(style)) }, "message": .string(message),
        ])
    }
}

/// A destination that can show what it would send: `pushhost flush --dry-run`.
public protocol DryRunDestination: DestinationExtension {
    /// Says which requests the delivery of a batch would make, and makes none of them.
    ///
    /// Prepare the batch with the code that ``DestinationExtension/deliver(_:)`` uses, up to the request itself, so that
    /// both always agree.
    ///
    /// - Parameter batch: Records in order of capture, at most 1,000.
    /// - Returns: The requests, and the records that would not be delivered.
    /// - Throws: An ``ExtensionError`` if that cannot be said.
    func dryRun(_ batch: DeliveryBatch) async throws -> DryRunResult
}

/// What a delivery would do with a batch.
public struct DryRunResult: Equatable, Sendable {
    /// A request that would be made.
    public struct Request: Equatable, Sendable {
        /// The method, such as `POST`.
        public let method: String
        /// The address.
        public let url: String
        /// The header fields by name, without secrets.
        public let headers: [String: String]
        /// The body.
        public let body: JSON

        /// A request.
        public init(method: String, url: String, headers: [String: String] = [:], body: JSON) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }
    }

    /// The requests, in order; never more than there are records.
    public var requests: [Request] = []
    /// The records that would become dead letters without being sent.
    public var rejected: [DeliveryResult.Refusal] = []
    /// The records that would stay pending.
    public var held: [DeliveryResult.Refusal] = []
    /// If set, nothing would be sent; it says what an operator has to do.
    public var stop: String?
    /// The diagnostics for the caller of the dry run.
    public var diagnostics: [DeliveryResult.Diagnostic] = []

    /// A result without requests.
    public init() {}
}

extension DryRunResult {
    /// The result as a reply on the wire.
    var json: JSON {
        var result = DeliveryResult()
        (result.rejected, result.held, result.stop, result.diagnostics) = (rejected, held, stop, diagnostics)
        return JSON(present: ["requests": JSON(requests.map(\.json))] + result.json.members)
    }
}

extension DryRunResult.Request {
    fileprivate var json: JSON {
        let fields = headers.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        return ["method": .string(method), "url": .string(url), "headers": .object(JSON.Object(fields)), "body": body]
    }
}
