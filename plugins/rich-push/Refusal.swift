/// Why no file is attached to a notification.
struct Refusal: Error, Equatable {
    /// The `reason` of the diagnostic.
    enum Reason: String {
        /// The URL or the file breaks a rule.
        case refused = "attachmentRefused"
        /// The download failed.
        case failed = "attachmentFailed"
        /// The host gave no folder for files.
        case fetchingOff = "fetchingOff"
    }

    let reason: Reason
    let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
