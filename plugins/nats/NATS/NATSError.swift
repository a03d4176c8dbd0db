internal import CNATS

/// An error of the NATS client library or of the server.
package struct NATSError: Error, Equatable, CustomStringConvertible {
    /// What a caller can do about an error.
    package enum Kind: Sendable {
        /// No answer in time: it is unknown whether the server did what was asked.
        case timeout
        /// There is no connection now, or no server that leads the stream: nothing was done.
        case unavailable
        /// The connection is closed for good: connect again.
        case closed
        /// The server does not accept the credentials, or the TLS connection cannot be made.
        case unauthorized
        /// The account may not do this.
        case notPermitted
        /// There is no such stream, consumer or key.
        case notFound
        /// It exists already, or it changed since it was read.
        case conflict
        /// The stream or the account is full.
        case full
        /// The message is larger than the server or the stream allows.
        case tooLarge
        /// Messages of a consumer were lost on the way, so the order of the next ones is wrong: create it again.
        case gap
        /// The request itself is wrong.
        case invalid
    }

    /// What a caller can do about it.
    package let kind: Kind
    /// The code of JetStream (`err_code`), 0 if the error is not one of JetStream.
    package let code: Int
    /// What failed and why, in one sentence without a full stop.
    package let text: String

    /// The same text as ``text``.
    package var description: String { text }

    /// An error.
    package init(_ kind: Kind, _ text: String, code: Int = 0) {
        self.kind = kind
        self.code = code
        self.text = text
    }

    /// The error of a call of the C library that returned a status.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - doing: What failed, as words that follow "cannot".
    ///   - code: The code of JetStream.
    ///   - detail: What the server said about it; nil for what the library says about this thread's last error.
    init(_ status: natsStatus, _ doing: String, code: jsErrCode = jsErrCode(0), detail: String? = nil) {
        let reason = detail ?? Self.detail(status)
        // The library says then that JetStream is not enabled, but nobody answered.
        let code = status == NATS_NO_RESPONDERS ? jsErrCode(0) : code
        self.init(Kind(status, code), "cannot \(doing): \(reason)", code: Int(code.rawValue))
    }

    /// What the library says about the last error of this thread, if it is the one with that status.
    private static func detail(_ status: natsStatus) -> String {
        var last = NATS_OK
        if let text = nats_GetLastError(&last), last == status, text.pointee != 0 {
            // The library names its own line first.
            return String(cString: text).replacing(#/^\([a-z_]+\.c:\d+\): /#, with: "")
        }
        return String(cString: natsStatus_GetText(status))
    }
}

extension NATSError.Kind {
    init(_ status: natsStatus, _ code: jsErrCode) {
        self = Self.kinds[code.rawValue] ?? Self(status)
    }

    /// The meaning of JetStream's codes; for others the status decides.
    private static let kinds: [UInt32: Self] = {
        let codes: [(Self, [jsErrCode])] = [
            (
                .unavailable,
                [
                    JSClusterNotAvailErr, JSClusterNotLeaderErr, JSClusterIncompleteErr, JSClusterNoPeersErr,
                    JSStreamOfflineErr, JSConsumerOfflineErr,
                    // A message with the same id is being stored, as servers from 2.10 on say; older headers lack the name.
                    jsErrCode(10158),
                ]
            ),
            (.notPermitted, [JSNotEnabledForAccountErr, JSNotEnabledErr, JSNoAccountErr]),
            (.notFound, [JSStreamNotFoundErr, JSConsumerNotFoundErr, JSNoMessageFoundErr, JSStreamNotMatchErr]),
            (
                .conflict,
                [
                    JSStreamWrongLastSequenceErr, JSStreamWrongLastMsgIDErr, JSStreamNameExistErr,
                    JSConsumerNameExistErr, JSStreamSubjectOverlapErr,
                ]
            ),
            (
                .full,
                [
                    JSStreamStoreFailedErr, JSAccountResourcesExceededErr, JSInsufficientResourcesErr,
                    JSMemoryResourcesExceededErr, JSStorageResourcesExceededErr,
                ]
            ),
            (.tooLarge, [JSStreamMessageExceedsMaximumErr]),
        ]
        return Dictionary(uniqueKeysWithValues: codes.flatMap { kind, codes in codes.map { ($0.rawValue, kind) } })
    }()

    private init(_ status: natsStatus) {
        switch status {
        case NATS_TIMEOUT: self = .timeout
        case NATS_NO_SERVER, NATS_NO_RESPONDERS, NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION, NATS_IO_ERROR,
            NATS_NOT_YET_CONNECTED, NATS_INSUFFICIENT_BUFFER:
            self = .unavailable
        case NATS_CONNECTION_CLOSED, NATS_DRAINING: self = .closed
        case NATS_CONNECTION_AUTH_FAILED, NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED,
            NATS_SECURE_CONNECTION_WANTED:
            self = .unauthorized
        case NATS_NOT_PERMITTED: self = .notPermitted
        case NATS_NOT_FOUND: self = .notFound
        case NATS_MAX_PAYLOAD: self = .tooLarge
        default: self = .invalid
        }
    }
}

extension NATSError {
    /// The error of a change of a partition that belongs to another relay.
    ///
    /// - Parameter partition: The partition.
    /// - Returns: The error.
    package static func overtaken(_ partition: Int) -> NATSError {
        NATSError(.conflict, "partition \(partition) belongs to another relay")
    }
}
