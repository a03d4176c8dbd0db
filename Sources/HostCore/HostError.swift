internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

/// The errors of the host's own, each number with its stable reason: the table of the contract.
public struct HostError: Hashable, Sendable {
    /// The number on the wire.
    public let code: Int
    /// The stable word that programs compare.
    public let reason: String

    // MARK: 1xx notifications and extensions

    static let payloadTooLarge = HostError(code: 101, reason: "payloadTooLarge")
    static let invalidPayload = HostError(code: 102, reason: "invalidPayload")
    static let noPersonalization = HostError(code: 103, reason: "noPersonalization")
    static let messageAborted = HostError(code: 104, reason: "messageAborted")
    static let unknownNotification = HostError(code: 110, reason: "unknownNotification")
    static let noPresentation = HostError(code: 111, reason: "noPresentation")
    static let unknownAction = HostError(code: 112, reason: "unknownAction")
    static let interactionDisabled = HostError(code: 113, reason: "interactionDisabled")
    static let unknownElement = HostError(code: 114, reason: "unknownElement")
    static let noMediaButton = HostError(code: 115, reason: "noMediaButton")
    static let cannotStart = HostError(code: 120, reason: "cannotStart")
    static let extensionExited = HostError(code: 121, reason: "extensionExited")
    static let extensionTimedOut = HostError(code: 122, reason: "extensionTimedOut")
    static let extensionRefused = HostError(code: 123, reason: "extensionRefused")
    static let badExtensionReply = HostError(code: 124, reason: "badExtensionReply")
    static let extensionMisbehaved = HostError(code: 125, reason: "extensionMisbehaved")
    static let busy = HostError(code: 126, reason: "busy")
    static let stopping = HostError(code: 127, reason: "stopping")
    static var hostIsStopping: RPCError { stopping("the host is stopping") }
    static let extensionUnavailable = HostError(code: 128, reason: "extensionUnavailable")

    // MARK: 2xx suites

    static let invalidSuiteName = HostError(code: 200, reason: "invalidSuiteName")
    static let notEntitled = HostError(code: 201, reason: "notEntitled")
    static let suiteBusy = HostError(code: 202, reason: "suiteBusy")
    static let notStored = HostError(code: 203, reason: "notStored")
    static let suiteFull = HostError(code: 204, reason: "suiteFull")
    static let suiteUnreadable = HostError(code: 205, reason: "suiteUnreadable")
    static let suiteNameTaken = HostError(code: 206, reason: "suiteNameTaken")
    static let reservedKey = HostError(code: 207, reason: "reservedKey")
    static let tooLarge = HostError(code: 208, reason: "tooLarge")
    static let leaseExpired = HostError(code: 209, reason: "leaseExpired")
    static let invalidRecord = HostError(code: 210, reason: "invalidRecord")
    static let idempotencyKeyReused = HostError(code: 211, reason: "idempotencyKeyReused")
    static let fileUnreadable = HostError(code: 220, reason: "fileUnreadable")
    static let fileUnwritable = HostError(code: 221, reason: "fileUnwritable")

    // MARK: 3xx delivery

    static let unknownDestination = HostError(code: 300, reason: "unknownDestination")
    static let destinationStopped = HostError(code: 301, reason: "destinationStopped")
    static let destinationUnavailable = HostError(code: 302, reason: "destinationUnavailable")
    static let flushBusy = HostError(code: 303, reason: "flushBusy")

    /// Every error of the host's own, by number.
    public static let all: [HostError] = [
        payloadTooLarge, invalidPayload, noPersonalization, messageAborted, unknownNotification, noPresentation,
        unknownAction, interactionDisabled,
        unknownElement, noMediaButton, cannotStart, extensionExited, extensionTimedOut, extensionRefused,
        badExtensionReply,
        extensionMisbehaved, busy, stopping, extensionUnavailable, invalidSuiteName, notEntitled, suiteBusy, notStored,
        suiteFull,
        suiteUnreadable, suiteNameTaken, reservedKey, tooLarge, leaseExpired, invalidRecord,
        idempotencyKeyReused, fileUnreadable,
        fileUnwritable, unknownDestination, destinationStopped, destinationUnavailable, flushBusy,
    ]

    /// The error of this kind, ready for the wire.
    func callAsFunction(
        _ message: String,
        path: String? = nil,
        details: KeyValuePairs<String, JSON> = [:]
    ) -> RPCError {
        RPCError(RPCError.Code(rawValue: code), reason: reason, message, path: path, details: details)
    }
}

extension HostError {
    /// The error of a call that an extension did not answer.
    init(_ reason: ExtensionFailure.Reason) {
        self =
            switch reason {
            case .cannotStart: .cannotStart
            case .exited: .extensionExited
            case .timedOut: .extensionTimedOut
            case .refused: .extensionRefused
            case .badReply: .badExtensionReply
            case .misbehaved: .extensionMisbehaved
            case .busy: .busy
            case .stopping: .stopping
            case .unavailable: .extensionUnavailable
            }
    }
}

extension RPCError {
    /// What a suite could not do, with the suite's name.
    init(_ error: SuiteError, suite: SuiteName) {
        let name: KeyValuePairs<String, JSON> = ["suite": .string(suite.text)]
        self =
            switch error {
            case .busy:
                HostError.suiteBusy("another process holds the suite \(suite); try again", details: name)
            case .beingFlushed:
                HostError.flushBusy("another process flushes the suite \(suite); try again", details: name)
            case .notStored(let text), .transactionLost(let text):
                HostError.notStored("nothing of this request is stored in \(suite): \(text)", details: name)
            case .full(let records, let bytes):
                HostError.suiteFull(
                    "the suite \(suite) is full with \(records) records and \(bytes) bytes; flush it, or remove keys",
                    details: name
                )
            case .recordTooLarge(let bytes, let limit):
                HostError.invalidRecord(
                    "not saved: a value has at most \(limit) bytes, this one \(bytes)",
                    details: name
                )
            case .unreadable(let text):
                HostError.suiteUnreadable("the suite \(suite) cannot be used: \(text)", details: name)
            case .tooManyFiles(let limit):
                HostError.suiteUnreadable(
                    "the suite \(suite) cannot be opened now: the host has as many files open as it may, \(limit); "
                        + "raise the limit (ulimit -n)",
                    details: name
                )
            case .nameTaken(let other):
                HostError.suiteNameTaken(
                    "the suite \(other) exists and differs from \(suite) only in case; use its name",
                    details: name
                )
            case .tooLarge(let bytes):
                HostError.tooLarge(
                    "the records have more than \(bytes) bytes together; read them in pages with pending",
                    details: name
                )
            case .keyReused(let id): RPCError(keyReusedFor: id, suite: suite)
            case .leaseExpired:
                HostError.leaseExpired("no such lease is live; nothing was deleted", details: name)
            }
    }

    /// A save with the idempotency key of another one.
    init(keyReusedFor id: Int64, suite: SuiteName, path: String? = nil) {
        self = HostError.idempotencyKeyReused(
            "not saved: this idempotency key stands for the record \(id) of \(suite), whose content is different; "
                + "give each record a key of its own",
            path: path,
            details: ["suite": .string(suite.text), "id": .integer(id)]
        )
    }

    /// Why an extension did not answer, with the end of what it wrote on its stderr.
    ///
    /// - Parameters:
    ///   - failure: What happened.
    ///   - bundle: The extension.
    ///   - arguments: The client's call that led to the extension.
    init(_ failure: ExtensionFailure, bundle: ExtensionBundle, _ arguments: Arguments) {
        let kind = HostError(failure.reason)
        var details: [(String, JSON)] = [("extension", .string(bundle.identifier))]
        switch failure.reason {
        case .exited(let code, let signal):
            if let code { details.append(("exitCode", .integer(Int64(code)))) }
            if let signal { details.append(("signal", .integer(Int64(signal)))) }
        case .refused(let error):
            let path = error.data?["path"]?.string.flatMap(arguments.place)
            if let path { details.append(("path", .string(path))) }
            details.append(("cause", error.json))
        case .unavailable(_, let milliseconds): details.append(("retryAfter", .integer(milliseconds)))
        case .cannotStart, .timedOut, .badReply, .misbehaved, .busy, .stopping: break
        }
        if !failure.standardErrorTail.isEmpty { details.append(("stderr", .string(failure.standardErrorTail))) }
        self.init(
            code: Code(rawValue: kind.code),
            message: "\(bundle.identifier) \(failure.reason)\(failure.missingProgram.map { ": \($0)" } ?? "")",
            data: .object(JSON.Object([("reason", .string(kind.reason))] + details))
        )
    }

    /// The same error with the remarks that the reply would have had, if there are any.
    func with(_ diagnostics: [Diagnostic]) -> RPCError {
        guard !diagnostics.isEmpty, let data = data?.object else { return self }
        let whole = data.setting("diagnostics", to: JSON(diagnostics.map(\.json)))
        return RPCError(code: code, message: message, data: .object(whole))
    }
}

extension ExtensionFailure {
    /// What a shell or `env` said last of a program that it could not start, such as the interpreter of a script.
    fileprivate var missingProgram: String? {
        guard case .exited(let code?, _) = reason, (126...127).contains(code) else { return nil }
        return standardErrorTail.split(whereSeparator: \.isNewline).last.map { PlainText.spaced(String($0)).excerpt() }
    }
}
