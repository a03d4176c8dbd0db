import JSON

/// Whether the host reported invalid answers of extensions to its client.
///
/// The client's call has the name of the host's call, except for `deliver` and `personalize`. So an answer was
/// refused if such a call, made before and not answered yet, was answered with an error or a diagnostic that names
/// the bundle, or if nothing waited for the answer any longer.
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

        /// The client's method that leads to the host's call.
        fileprivate var origin: String {
            switch method {
            case "deliver": "flushPending"
            case "personalize": "didReceive"
            default: method
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
        /// Diagnostics about ignored parts of an answer; they begin with the bundle.
        var remarks: [String] = []
        /// Records whose outcome a destination did not report.
        var hasUncertain = false

        /// The reasons of diagnostics about an answer.
        private static let words = ["serviceFailed", "ignoredMember", "ignoredAttachment"]

        init?(_ answer: JSON) {
            let result = answer["result"]?["structuredContent"] ?? answer["result"]
            let data = (answer["error"] ?? answer["result"]?["_meta"]?["pushhost/error"])?["data"]
            isDropped = ["requestCancelled", "stopping"].contains(data?["reason"]?.string)
            bundle = data?["extension"]?.string
            remarks = (result?["diagnostics"]?.array.map(Array.init) ?? [])
                .filter { Self.words.contains($0["reason"]?.string ?? "") }.compactMap { $0["message"]?.string }
            hasUncertain = (data?["possiblySent"] ?? result?["possiblySent"])?.integer ?? 0 > 0
            guard isDropped || bundle != nil || !remarks.isEmpty || hasUncertain else { return nil }
        }

        func isAbout(_ answer: WrongAnswer) -> Bool {
            let isNamed = [" ", ":"].contains { end in remarks.contains { $0.hasPrefix(answer.bundle + end) } }
            return isDropped || bundle == answer.bundle || isNamed || (answer.method == "deliver" && hasUncertain)
        }
    }

    private var requests: [Request] = []
    private var wrong: [WrongAnswer] = []

    /// Adds a request of the client; called in order.
    mutating func add(_ call: WireCalls.Call) {
        precondition(call.number == requests.count, "requests are noted in their order")
        requests.append(Request(method: call.contractMethod, line: call.line))
    }

    /// Adds the host's answer to a request.
    mutating func add(_ answer: JSON, to call: WireCalls.Call, line: Int) {
        requests[call.number].answered = line
        requests[call.number].refusal = Refusal(answer)
    }

    /// Adds an invalid answer.
    mutating func add(_ answer: WrongAnswer) { wrong.append(answer) }

    /// The answers that were not refused, once the whole recording has been read.
    var accepted: [WrongAnswer] {
        wrong.filter { answer in
            !requests.contains { request in
                guard request.method == answer.origin, request.line < answer.asked else { return false }
                // A killed host did not report its decision, and a client that cancelled its request receives nothing.
                guard let answered = request.answered else { return true }
                return answered > answer.asked && request.refusal?.isAbout(answer) ?? false
            }
        }
    }
}
