internal import JSON

/// A host's reply to a call of a dry run, and what it says about the extension.
struct DryRunReply {
    /// What a reply says about the extension.
    enum Verdict: Equatable {
        /// It did what was asked.
        case answered
        /// It refused with an error of its own, as it may.
        case refused
        /// It has no handler for the method.
        case unhandled
        /// What was to be pressed is not shown any more.
        case gone
        /// It broke the contract, ended, hung or failed.
        case failed
    }

    let message: JSON
    let milliseconds: Int64

    var result: JSON? { message["result"] }
    var diagnostics: [JSON] { result?["diagnostics"]?.array.map { Array($0) } ?? [] }
    var standardError: String? { message["error"]?["data"]?["stderr"]?.string }
    /// The stable word of the error.
    var reason: String? { message["error"]?["data"]?["reason"]?.string }

    /// The message of the error, with the place that it names.
    var problem: String {
        let path = message["error"]?["data"]?["path"]?.string.map { " (\($0))" } ?? ""
        let text = message["error"]?["message"]?.string ?? "the host gave no error"
        return (isInternalError ? "internal error (-32603): " : "") + text + path
    }

    /// The code of the extension's own error.
    private var code: Int64? { message["error"]?["data"]?["cause"]?["code"]?.integer }
    /// Whether the extension failed at its own work.
    var isInternalError: Bool { code == -32603 }
    /// Whether it did not answer in time.
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
