internal import Contract
internal import JSON
internal import Recording

/// The recording of a dry run's host, which shows what the extension received and sent.
struct DryRunRecording {
    /// Which refused calls of the extension are reported as its faults.
    enum Refusals {
        /// Every call that the contract does not allow.
        case all
        /// As `all`, except refusals that may be caused by the values that the dry run entered.
        case ofShape
    }

    private let session: RecordedSession

    init?(path: String) {
        guard let session = try? RecordedSession(path: path) else { return nil }
        self.session = session
    }

    /// The params of the host's first call of a method of the extension.
    func params(of method: String) -> JSON? {
        session.lines.lazy.filter { $0.from == Participant.host && $0.to != Participant.client }.compactMap(\.json)
            .first { $0["method"]?.string == method && $0["id"] != nil }?["params"]
    }

    /// Whether the host refused to store something for the extension.
    var hasRefusedSaves: Bool {
        session.lines.contains { line in
            line.from == Participant.host && line.to != Participant.client
                && ["suiteFull", "notStored"].contains(line.json?["error"]?["data"]?["reason"]?.string)
        }
    }

    /// Reports stack traces, and calls that the host refused because the contract does not allow them.
    func report(to report: CheckReport, _ refusals: Refusals) {
        var traces = StackTraces()
        var calls: [String: String] = [:]
        var currentCall = "its start"
        for line in session.lines where line.peer != Participant.client {
            if !line.isMessage {
                traces.read(line.text, during: currentCall)
                continue
            }
            for message in line.json?.messages ?? [] {
                let method = message["method"]?.string
                if line.from != Participant.host, let method, let id = message["id"] {
                    calls[id.description] = method
                } else if line.from == Participant.host, let method {
                    currentCall = Self.describe(method, message["params"])
                } else if line.from == Participant.host, let error = message["error"], let id = message["id"] {
                    guard Self.isFault(error["data"]?["reason"]?.string, refusals) else { continue }
                    let text = "the host refused its \(calls[id.description] ?? "call") during \(currentCall): "
                    report.addFinding(.error, "calls", text + (error["message"]?.string ?? ""))
                }
            }
        }
        traces.report(to: report)
    }

    private static func isFault(_ reason: String?, _ refusals: Refusals) -> Bool {
        let ofShape = ["methodNotFound", "missingParam", "unknownParam", "notEntitled", "invalidSuiteName"]
        let ofValues = ["invalidParams", "mistypedParam", "reservedKey"]
        return reason.map { ofShape.contains($0) || refusals == .all && ofValues.contains($0) } ?? false
    }

    /// The description of a call of the host.
    private static func describe(_ method: String, _ params: JSON?) -> String {
        let target = params?["element"]?.string ?? params?["actionIdentifier"]?.string
        return method + (target.map { " of \($0)" } ?? "")
    }
}
