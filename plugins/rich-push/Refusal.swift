/// Why a notification stays as it is.
struct Refusal: Error, Equatable {
    /// The stable words of the diagnostics.
    enum Reason: String {
        /// A rule forbids it, whatever the server has.
        case refused = "attachmentRefused"
        /// It was tried in vain.
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
