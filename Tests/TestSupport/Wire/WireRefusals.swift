import JSON

/// What the host told its client about answers of extensions that the documents refuse.
///
/// The call that leads to an extension has the method that the host calls there, but for `deliver` and `personalize`. So an answer was
/// refused where such a call, made before and not answered yet, was answered with an error that names the bundle, or
/// with a remark that does; or where nobody waited for it any more.
struct WireRefusals {
    /// An answer that does not fit.
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

    /// What an answer to the client says of extensions.
    private struct Refusal {
        /// Nobody waited for what the extension answered.
        var isDropped = false
        /// The bundle that an error is about.
        var bundle: String?
        /// Remarks on what was not taken of an answer; they begin with the bundle.
        var remarks: [String] = []
        /// Records of which a destination did not say what became of them.
        var hasUncertain = false

        /// The words of remarks on an answer.
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

    /// Notes a request of the client, each as it comes.
    mutating func add(_ call: WireCalls.Call) {
        precondition(call.number == requests.count, "requests are noted in their order")
        requests.append(Request(method: call.contractMethod, line: call.line))
    }

    /// Notes what the host answered to a request.
    mutating func add(_ answer: JSON, to call: WireCalls.Call, line: Int) {
        requests[call.number].answered = line
        requests[call.number].refusal = Refusal(answer)
    }

    /// Notes an answer that does not fit.
    mutating func add(_ answer: WrongAnswer) { wrong.append(answer) }

    /// The answers that were not refused, once all of the recording was read.
    var accepted: [WrongAnswer] {
        wrong.filter { answer in
            !requests.contains { request in
                guard request.method == answer.origin, request.line < answer.asked else { return false }
                // A host that was killed did not say what it made of it, and who took a request back hears nothing.
                guard let answered = request.answered else { return true }
                return answered > answer.asked && request.refusal?.isAbout(answer) ?? false
            }
        }
    }
}
