import JSON

/// Whether the host reported invalid answers of extensions to its client.
///
/// The client's call has the name of the call to the extension, except for `deliver` and those of a personalization
/// extension. So the host refused an extension's answer if it answered such an open call of the client with an error or
/// a diagnostic that names the bundle, or if nothing waited for the extension's answer any longer.
struct WireRefusals {
    /// An invalid answer.
    struct WrongAnswer {
        let bundle: String
        /// The method of the host's call.
        let method: String
        /// The record with the host's call.
        let asked: Int
        let record: WireRecording.Record
        let sentences: [String]

        /// The client's methods that lead to the host's call.
        fileprivate var origins: [String] {
            switch method {
            case "deliver": ["flushPending"]
            case "personalize": ["didReceive", "checkPayload"]
            case "checkTemplates": ["checkPayload"]
            default: [method]
            }
        }
    }

    /// A request of the client.
    private struct Request {
        let method: String
        let line: Int
        var answered: Int?
        var refusal: Refusal?
    }

    /// What an answer to the client says about extensions.
    private struct Refusal {
        /// Nothing waited any longer for the extension's answer.
        var isDropped = false
        /// The bundle that an error is about.
        var bundle: String?
        /// The messages of diagnostics about ignored parts of an answer, which begin with the bundle.
        var diagnosticMessages: [String] = []
        /// Whether there are records whose outcome a destination did not report.
        var hasPossiblySent = false

        /// The reasons of diagnostics about an answer.
        private static let reasons = ["serviceFailed", "ignoredMember", "ignoredAttachment"]

        init?(_ answer: JSON) {
            let result = answer["result"]?["structuredContent"] ?? answer["result"]
            let data = (answer["error"] ?? answer["result"]?["_meta"]?["pushhost/error"])?["data"]
            isDropped = ["requestCancelled", "stopping"].contains(data?["reason"]?.string)
            bundle = data?["extension"]?.string
            diagnosticMessages = (result?["diagnostics"]?.array.map(Array.init) ?? [])
                .filter { Self.reasons.contains($0["reason"]?.string ?? "") }.compactMap { $0["message"]?.string }
            hasPossiblySent = (data?["possiblySent"] ?? result?["possiblySent"])?.integer ?? 0 > 0
            guard isDropped || bundle != nil || !diagnosticMessages.isEmpty || hasPossiblySent else { return nil }
        }

        func isAbout(_ answer: WrongAnswer) -> Bool {
            let isNamed = [" ", ":"].contains { end in diagnosticMessages.contains { $0.hasPrefix(answer.bundle + end) }
            }
            return isDropped || bundle == answer.bundle || isNamed || (answer.method == "deliver" && hasPossiblySent)
        }
    }

    private var requests: [Request] = []
    private var wrongAnswers: [WrongAnswer] = []

    /// Adds a request of the client; called in order.
    mutating func addRequest(_ call: WireCalls.Call) {
        precondition(call.number == requests.count, "requests must be added in their order")
        requests.append(Request(method: call.contractMethod, line: call.line))
    }

    /// Adds the host's answer to a request.
    mutating func addAnswer(_ answer: JSON, to call: WireCalls.Call, line: Int) {
        requests[call.number].answered = line
        requests[call.number].refusal = Refusal(answer)
    }

    /// Adds an invalid answer.
    mutating func addWrongAnswer(_ answer: WrongAnswer) { wrongAnswers.append(answer) }

    /// The answers that were not refused, once the whole recording has been read.
    var accepted: [WrongAnswer] {
        wrongAnswers.filter { answer in
            !requests.contains { request in
                guard answer.origins.contains(request.method), request.line < answer.asked else { return false }
                // Without an answer to the client the decision is unknown: the host was killed, or the client cancelled.
                guard let answered = request.answered else { return true }
                return answered > answer.asked && request.refusal?.isAbout(answer) ?? false
            }
        }
    }
}
