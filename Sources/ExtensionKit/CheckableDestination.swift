internal import JSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
