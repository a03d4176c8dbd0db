package import JSON
package import JSONRPC

/// An error that the contract defines for the host, in addition to those of JSON-RPC.
public struct HostError: Hashable, Sendable {
    /// The number on the wire.
    public let code: Int
    /// The stable identifier for programs.
    public let reason: String

    // MARK: 1xx notifications and extensions

    package static let payloadTooLarge = HostError(code: 101, reason: "payloadTooLarge")
    package static let invalidPayload = HostError(code: 102, reason: "invalidPayload")
    package static let noPersonalization = HostError(code: 103, reason: "noPersonalization")
    package static let messageAborted = HostError(code: 104, reason: "messageAborted")
    package static let unknownNotification = HostError(code: 110, reason: "unknownNotification")
    package static let noPresentation = HostError(code: 111, reason: "noPresentation")
    package static let unknownAction = HostError(code: 112, reason: "unknownAction")
    package static let interactionDisabled = HostError(code: 113, reason: "interactionDisabled")
    package static let unknownElement = HostError(code: 114, reason: "unknownElement")
    package static let noMediaButton = HostError(code: 115, reason: "noMediaButton")
    package static let clockNotFixed = HostError(code: 116, reason: "clockNotFixed")
    package static let cannotStart = HostError(code: 120, reason: "cannotStart")
    package static let extensionExited = HostError(code: 121, reason: "extensionExited")
    package static let extensionTimedOut = HostError(code: 122, reason: "extensionTimedOut")
    package static let extensionRefused = HostError(code: 123, reason: "extensionRefused")
    package static let badExtensionReply = HostError(code: 124, reason: "badExtensionReply")
    package static let extensionMisbehaved = HostError(code: 125, reason: "extensionMisbehaved")
    package static let busy = HostError(code: 126, reason: "busy")
    package static let stopping = HostError(code: 127, reason: "stopping")
    package static var hostIsStopping: RPCError { stopping("the host is stopping") }
    package static let extensionUnavailable = HostError(code: 128, reason: "extensionUnavailable")
    package static let checkFailed = HostError(code: 130, reason: "checkFailed")

    // MARK: 2xx suites

    package static let invalidSuiteName = HostError(code: 200, reason: "invalidSuiteName")
    package static let notEntitled = HostError(code: 201, reason: "notEntitled")
    package static let suiteBusy = HostError(code: 202, reason: "suiteBusy")
    package static let notStored = HostError(code: 203, reason: "notStored")
    package static let suiteFull = HostError(code: 204, reason: "suiteFull")
    package static let suiteUnreadable = HostError(code: 205, reason: "suiteUnreadable")
    package static let suiteNameTaken = HostError(code: 206, reason: "suiteNameTaken")
    package static let reservedKey = HostError(code: 207, reason: "reservedKey")
    package static let tooLarge = HostError(code: 208, reason: "tooLarge")
    package static let leaseExpired = HostError(code: 209, reason: "leaseExpired")
    package static let invalidRecord = HostError(code: 210, reason: "invalidRecord")
    package static let idempotencyKeyReused = HostError(code: 211, reason: "idempotencyKeyReused")
    package static let fileUnreadable = HostError(code: 220, reason: "fileUnreadable")
    package static let fileUnwritable = HostError(code: 221, reason: "fileUnwritable")

    // MARK: 3xx delivery

    package static let unknownDestination = HostError(code: 300, reason: "unknownDestination")
    package static let destinationStopped = HostError(code: 301, reason: "destinationStopped")
    package static let destinationUnavailable = HostError(code: 302, reason: "destinationUnavailable")
    package static let flushBusy = HostError(code: 303, reason: "flushBusy")
    package static let unsupportedByDestination = HostError(code: 304, reason: "unsupportedByDestination")

    /// Every error, ordered by number.
    public static let all: [HostError] = [
        payloadTooLarge, invalidPayload, noPersonalization, messageAborted, unknownNotification, noPresentation,
        unknownAction, interactionDisabled,
        unknownElement, noMediaButton, clockNotFixed, cannotStart, extensionExited, extensionTimedOut, extensionRefused,
        badExtensionReply,
        extensionMisbehaved, busy, stopping, extensionUnavailable, checkFailed, invalidSuiteName, notEntitled,
        suiteBusy, notStored,
        suiteFull,
        suiteUnreadable, suiteNameTaken, reservedKey, tooLarge, leaseExpired, invalidRecord,
        idempotencyKeyReused, fileUnreadable,
        fileUnwritable, unknownDestination, destinationStopped, destinationUnavailable, flushBusy,
        unsupportedByDestination,
    ]

    /// An error response of this kind.
    package func callAsFunction(
        _ message: String,
        path: String? = nil,
        details: KeyValuePairs<String, JSON> = [:]
    ) -> RPCError {
        RPCError(RPCError.Code(rawValue: code), reason: reason, message, path: path, details: details)
    }
}
