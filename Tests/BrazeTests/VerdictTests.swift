import ExtensionKit
import JSON
import Testing

@testable import braze

@Suite struct VerdictTests {
    private func verdict(_ status: Int, _ body: String = "", attributes: Int = 2, events: Int = 3) -> Verdict {
        let exchange = Exchange.answer(Answer(status: status, body: Array(body.utf8)))
        return Verdict(exchange, attributes: attributes, events: events)
    }

    @Test(
        "After a success, everything is accepted",
        arguments: [
            (201, #"{"message":"success","attributes_processed":2,"events_processed":3}"#),
            (200, #"{"message":"success"}"#), (201, #"{"message":"success","errors":null}"#),
            (201, #"{"message":"success","errors":[]}"#), (202, #"{"message":"queued"}"#),
        ]
    )
    func success(status: Int, body: String) {
        #expect(verdict(status, body) == Verdict(outcome: .accepted))
    }

    @Test("Errors with an index refer to objects of either array")
    func partial() {
        let verdict = verdict(
            201,
            #"""
            {"message":"success","errors":[{"type":"EMAIL_BAD_FORMAT","input_array":"attributes","index":1},
            {"type":"bad","input_array":"events","index":0},{"type":"worse","input_array":"events","index":"0"}]}
            """#
        )
        #expect(verdict == Verdict(outcome: .accepted, failures: [1: "EMAIL_BAD_FORMAT", 2: "bad; worse"]))
    }

    @Test(
        "An index out of range, or of an array that was not sent, is ignored with a diagnostic",
        arguments: [("attributes", 2), ("events", 3), ("events", -1), ("purchases", 0), ("events", Int.max)]
    )
    func foreign(array: String, index: Int) {
        let errors = #"[{"type":"bad","input_array":"\#(array)","index":\#(index)}]"#
        for (status, outcome) in [(201, Verdict.Outcome.accepted), (400, .invalid("Braze answered 400: success"))] {
            let verdict = verdict(status, #"{"message":"success","errors":\#(errors)}"#)
            #expect(verdict.outcome == outcome)
            #expect(verdict.failures.isEmpty)
            #expect(verdict.diagnostics.map(\.reason).first == "foreignError")
        }
    }

    @Test(
        "Errors that do not refer to an object are reported",
        arguments: [#"["one","two"]"#, #"[{"type":"one; two"}]"#, #""one; two""#]
    )
    func unplaced(errors: String) {
        let success = verdict(201, #"{"message":"success","errors":\#(errors)}"#)
        #expect(success.outcome == .accepted && success.failures.isEmpty)
        #expect(success.diagnostics.map(\.reason) == ["unplacedErrors"])
        #expect(success.diagnostics[0].message.hasSuffix("one; two"))
        let refused = verdict(400, #"{"message":"no","errors":\#(errors)}"#)
        #expect(refused == Verdict(outcome: .invalid("Braze answered 400: no (one; two)")))
    }

    @Test("It is reported if Braze processed fewer objects than were sent, without an error")
    func fewer() {
        let verdict = verdict(201, #"{"message":"success","attributes_processed":1,"events_processed":3}"#)
        #expect(verdict.outcome == .accepted)
        #expect(verdict.diagnostics.map(\.reason) == ["fewerProcessed"])
    }

    @Test(
        "A success whose body is not from Braze is uncertain",
        arguments: [
            "", "<html>", "[]", "{}", #"{"message":"failure"}"#, #"{"message":1}"#, #"{"message":"succ"#, "\u{0}",
        ]
    )
    func foreign(body: String) {
        for status in [200, 201, 204] {
            guard case .uncertain = verdict(status, body).outcome else {
                Issue.record("\(status) \(body) is not uncertain")
                continue
            }
        }
    }

    @Test("The indices of a 400 identify the invalid objects")
    func invalid() {
        let body =
            #"{"message":"Valid data must be provided","errors":[{"type":"bad","input_array":"events","index":2}]}"#
        let outcome = Verdict.Outcome.invalid("Braze answered 400: Valid data must be provided")
        #expect(verdict(400, body) == Verdict(outcome: outcome, failures: [4: "bad"]))
        #expect(verdict(400).outcome == .invalid("Braze answered 400"))
    }

    @Test(
        "Other answers",
        arguments: [200, 301, 307, 401, 402, 403, 404, 405, 407, 408, 409, 413, 425, 429, 500, 501, 502, 503, 504, 520]
    )
    func statuses(status: Int) {
        let word =
            switch verdict(status, "gone").outcome {
            case .accepted: "taken"
            case .invalid: "invalid"
            case .tooLarge: "too large"
            case .stop: "stop"
            case .retryLater: "later"
            case .uncertain: "uncertain"
            }
        let expected =
            switch status {
            case 413: "too large"
            case 408, 425, 429, 503: "later"
            case 200, 500, 502, 504, 520: "uncertain"
            default: "stop"
            }
        #expect(word == expected)
    }

    @Test("The reason of a stop says what an operator must check")
    func stop() {
        guard case .stop(let text) = verdict(401, #"{"message":"Invalid API Key\n!"}"#).outcome else {
            Issue.record("no stop")
            return
        }
        #expect(text.hasPrefix("Braze answered 401: Invalid API Key !. ") && text.contains("BRAZE_API_KEY"))
    }

    @Test("A success that is not one of Braze names the endpoint, and a page for browsers as one")
    func foreign() {
        let page = "the endpoint answered 200 with a page for browsers, so it is not the REST API of Braze"
        let advice = ": check BRAZE_REST_ENDPOINT and the proxies in front of it"
        #expect(verdict(200, "\n<!doctype html><title>Sign in").outcome == .uncertain(page + advice))
        let other = "Braze answered 200: hello, but not that it was a success"
        #expect(verdict(200, #"{"message":"hello"}"#).outcome == .uncertain(other + advice))
    }

    @Test("Without an answer, the verdict depends on whether the request may have arrived")
    func failures() {
        func outcome(_ mayHaveArrived: Bool) -> Verdict.Outcome {
            Verdict(.failure("no answer", mayHaveArrived: mayHaveArrived), attributes: 1, events: 1).outcome
        }
        #expect(outcome(true) == .uncertain("no answer"))
        #expect(outcome(false) == .retryLater("no answer"))
    }

    @Test("A text of the server is shortened to one line of limited length")
    func short() {
        #expect(Verdict.short("a\r\nb\n\nc") == "a b c")
        #expect(Verdict.short(String(repeating: "x", count: 10_000)).count == 301)
    }
}
