public import JSON

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
