import ExtensionKit
import JSON

/// The meaning of a response for the objects of its request.
struct Verdict: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        /// All objects were accepted, except those in `failures`.
        case accepted
        /// None was accepted, because of the objects in `failures` if any are named.
        case invalid(String)
        /// None was accepted, because the request is too large.
        case tooLarge(String)
        /// None was accepted, and none will be until an operator acts.
        case stop(String)
        /// None was accepted, but a later attempt may succeed.
        case retryLater(String)
        /// It is unknown whether they were accepted.
        case uncertain(String)
    }

    var outcome: Outcome
    /// The errors of failed objects, by their index in the request.
    var failures: [Int: String] = [:]
    /// Diagnostics for the caller of the flush.
    var diagnostics: [DeliveryResult.Diagnostic] = []
}

extension Verdict {
    /// Interprets the exchange of a request (braze.com, "POST: Create and update users", "API errors and responses").
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - attributes: The number of objects in `attributes`.
    ///   - events: The number of objects in `events`.
    init(_ exchange: Exchange, attributes: Int, events: Int) {
        switch exchange {
        case .failure(let text, let mayHaveArrived):
            self.init(outcome: mayHaveArrived ? .uncertain(text) : .retryLater(text))
        case .answer(let answer): self.init(answer, attributes: attributes, events: events)
        }
    }

    private init(_ answer: Answer, attributes: Int, events: Int) {
        let body = (try? JSON(parsing: answer.body))?.object
        let message = body?["message"]?.string
        let text = "Braze answered \(answer.status)\(message.map { ": \(Self.short($0))" } ?? "")"
        let errors = AnswerErrors(body?["errors"], attributes: attributes, events: events)
        switch answer.status {
        case 200..<300:
            // Braze answers "queued" during maintenance.
            guard message == "success" || message == "queued" else {
                self.init(outcome: .uncertain(Self.foreign(answer, text)))
                return
            }
            self.init(outcome: .accepted, failures: errors.failures, diagnostics: errors.diagnostics)
            if let unplaced = errors.unplaced {
                let text = "\(text), with errors that name no object: \(unplaced)"
                diagnostics.append(.init(reason: "unplacedErrors", text))
            }
            if errors.failures.isEmpty, errors.unplaced == nil {
                diagnostics += Self.missing(body, "attributes_processed", attributes)
                diagnostics += Self.missing(body, "events_processed", events)
            }
        case 400, 422:
            let reason = errors.unplaced.map { "\(text) (\($0))" } ?? text
            self.init(outcome: .invalid(reason), failures: errors.failures, diagnostics: errors.diagnostics)
        case 413: self.init(outcome: .tooLarge(text))
        case 408, 425, 429, 503: self.init(outcome: .retryLater(text))
        case 501, 505, ..<500: self.init(outcome: .stop("\(text). \(Self.advice(answer.status))"))
        default: self.init(outcome: .uncertain(text))
        }
    }

    /// Why an answer is not one that Braze gives to such a request.
    private static func foreign(_ answer: Answer, _ text: String) -> String {
        let isPage = answer.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
        let problem =
            isPage
            ? "the endpoint answered \(answer.status) with a page for browsers, so it is not the REST API of Braze"
            : "\(text), but not that it was a success"
        return "\(problem): check BRAZE_REST_ENDPOINT and the proxies in front of it"
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 300..<400:
            "The endpoint redirects, and the key is never sent elsewhere: set BRAZE_REST_ENDPOINT to the target"
        case 401: "Check that BRAZE_API_KEY is a key of the workspace on the cluster of BRAZE_REST_ENDPOINT"
        case 402, 403: "Check that the key has the permission users.track, and the plan and the allowed addresses"
        case 404, 405, 410: "Check BRAZE_REST_ENDPOINT"
        case 407: "The proxy wants other credentials: check https_proxy"
        default: "Check the endpoint and the proxies in front of it"
        }
    }

    /// A diagnostic if fewer objects were processed than sent without an error.
    private static func missing(_ body: JSON.Object?, _ name: String, _ sent: Int) -> [DeliveryResult.Diagnostic] {
        guard let count = body?[name]?.integer, count < sent else { return [] }
        let text = "Braze answered \(name) \(count) to \(sent) objects and names no error"
        return [.init(reason: "fewerProcessed", text)]
    }

    /// A text of the server as one short line.
    static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 300 ? "\(line.prefix(300))…" : line
    }
}
