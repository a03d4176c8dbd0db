internal import JSON

/// A host's reply to a call of a dry run, and how the extension behaved.
struct DryRunReply {
    /// How the extension behaved, according to a reply.
    enum Verdict: Equatable {
        /// It answered with a result.
        case answered
        /// It refused the call with an error of its own, which the contract allows.
        case refused
        /// It has no handler for the method.
        case unhandled
        /// The element, the action or the presentation is not shown any more.
        case gone
        /// It violated the contract, ended, hung, or answered with an internal error.
        case failed
    }

    let message: JSON
    let milliseconds: Int64

    var result: JSON? { message["result"] }
    var diagnostics: [JSON] { result?["diagnostics"]?.array.map { Array($0) } ?? [] }
    var standardError: String? { message["error"]?["data"]?["stderr"]?.string }
    /// The `reason` of the error.
    var reason: String? { message["error"]?["data"]?["reason"]?.string }

    /// The message of the error, with the place that it names.
    var problem: String {
        let path = message["error"]?["data"]?["path"]?.string.map { " (\($0))" } ?? ""
        let text = message["error"]?["message"]?.string ?? "the host gave no error"
        return (isInternalError ? "internal error (-32603): " : "") + text + path
    }

    /// The code of the extension's own error.
    private var code: Int64? { message["error"]?["data"]?["cause"]?["code"]?.integer }
    /// The `reason` of the extension's own error; that of the host's, if the extension passed it on.
    var causeReason: String? { message["error"]?["data"]?["cause"]?["data"]?["reason"]?.string }
    /// Whether the extension answered with an internal error.
    var isInternalError: Bool { code == -32603 }
    /// Whether the extension did not answer in time.
    var isHang: Bool { reason == "extensionTimedOut" }

    var verdict: Verdict {
        guard result == nil else { return .answered }
        return switch reason {
        case "extensionRefused": isInternalError ? .failed : code == -32601 ? .unhandled : .refused
        case "unknownElement", "unknownAction", "noPresentation", "unknownNotification", "noMediaButton": .gone
        default: .failed
        }
    }
}
