import Testing

/// The message check for messages between the host and extensions.
@Suite struct WireExtensionsTests {
    private typealias Lines = WireLines

    @Test(
        "The host's messages to an extension are checked by its extension point",
        arguments: [
            (Lines.content, Lines.request("interact", #"{"notification":"n","element":"e"}"#, "x<"), nil),
            (
                Lines.content, Lines.request("interact", #"{"notification":"n","element":"e","x":1}"#, "x<"),
                "no param x"
            ),
            (Lines.content, Lines.request("interact", #"{"notification":"n"}"#, "x<"), "lacks the param element"),
            (Lines.content, Lines.request("deliver", #"{"suite":"s","batch":[]}"#, "x<"), "no method deliver"),
            (Lines.content, Lines.request("didDismiss", #"{"notification":"n"}"#, "x<"), "has the member id"),
            (Lines.content, Lines.notification("deactivate", #"{}"#, "x<"), nil),
            (Lines.destination, Lines.request("deliver", #"{"suite":"s","batch":[]}"#, "x<"), nil),
            (
                Lines.destination,
                Lines.request(
                    "deliver",
                    #"{"suite":"s","batch":[{"id":1,"kind":"customEvent","time":"2026-01-01T00:00:00.000Z","leased":true}]}"#,
                    "x<"
                ),
                "/batch/0/leased"
            ),
            (
                Lines.destination, Lines.request("interact", #"{"notification":"n","element":"e"}"#, "x<"),
                "no method interact"
            ),
        ]
    )
    func calls(point: String, line: String, wanted: String?) throws {
        let found = try Lines.findings(line, bundle: point)
        if let wanted {
            #expect(found.count == 1 && found[0].contains(wanted), "\(found)")
        } else {
            #expect(found == [])
        }
    }

    @Test("A call from an extension is checked by its extension point, if the host accepts it")
    func callsOfExtensions() throws {
        let store = Lines.request("store", #"{"key":"k","value":1}"#, "x>")
        let accepted = Lines.answer(#"{"stored":true}"#, "x<")
        #expect(
            try Lines.findings(store, accepted, bundle: Lines.content).map {
                $0.hasSuffix("store lacks the param notification")
            } == [true]
        )
        let refused = Lines.error(-32602, "missingParam").replacing("<", with: "x<")
        #expect(try Lines.findings(store, refused, bundle: Lines.content) == [])
        let whole = store.replacing(#""k""#, with: #""k","notification":"n""#)
        #expect(try Lines.findings(whole, accepted, bundle: Lines.content) == [])
        #expect(try Lines.findings(whole, accepted, bundle: Lines.destination) != [])
        #expect(
            try Lines.findings(whole, Lines.answer(#"{"stored":true,"at":1}"#, "x<"), bundle: Lines.content).count == 1
        )
        #expect(try Lines.findings("x>{stray", "x>[]", "x>{\"no\":1}", bundle: Lines.content) == [])
    }

    // MARK: Answers that do not fit

    private static let interact = Lines.request("interact", #"["n","e"]"#)
    private static let callToExtension = Lines.request("interact", #"{"notification":"n","element":"e"}"#, "x<")
    private static let invalidAnswer = Lines.answer(#"{"view":{"type":"blink"}}"#, "x>")
    private static let deactivate = Lines.notification("deactivate", "{}", "x<")
    private static let display = #"{"view":{"type":"text","text":""},"actions":[]}"#

    private static func refusal(_ code: Int, _ reason: String, of bundle: String = "com.example.x") -> String {
        #"<{"jsonrpc":"2.0","id":1,"error":{"code":\#(code),"message":"m","#
            + #""data":{"reason":"\#(reason)","extension":"\#(bundle)"}}}"#
    }

    /// The findings if a touch led to an invalid answer, and the process exited cleanly at the end.
    private func found(_ answer: String, _ further: String = Lines.ping) throws -> [String] {
        try Lines.findings(
            Self.interact,
            Self.callToExtension,
            Self.invalidAnswer,
            answer,
            further,
            Self.deactivate,
            "ended",
            bundle: Lines.content
        )
    }

    @Test("An extension's invalid answer must be refused by the host")
    func answers() throws {
        let sentences = try found(Lines.answer(Self.display))
        #expect(sentences.count == 1, "\(sentences)")
        #expect(sentences.first?.contains("accepted in the answer to interact: /view/type") == true, "\(sentences)")
        #expect(try found(Self.refusal(124, "badExtensionReply")) == [])
        #expect(try found(Self.refusal(124, "badExtensionReply", of: "com.example.y")).count == 1)
        for envelope in [#""result":{},"error":{"code":1,"message":"m"}"#, #""error":{"message":"m"}"#] {
            let bad = #"x>{"jsonrpc":"2.0","id":1,\#(envelope)}"#
            func count(_ answer: String) throws -> Int {
                try Lines.findings(Self.interact, Self.callToExtension, bad, answer, bundle: Lines.content).count
            }
            #expect(try count(Lines.answer(Self.display)) == 1)
            #expect(try count(Self.refusal(124, "badExtensionReply")) == 0)
        }
        // Nothing waited for the answer any longer.
        let cancelled =
            #"<{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"m","data":{"reason":"requestCancelled"}}}"#
        #expect(try found(cancelled) == [])
        #expect(
            try Lines.findings(
                Self.interact,
                Self.callToExtension,
                cancelled,
                Self.invalidAnswer,
                bundle: Lines.content
            ) == []
        )
        // A killed host cannot have reported its decision.
        #expect(
            try Lines.findings(Self.interact, Self.callToExtension, Self.invalidAnswer, bundle: Lines.content) == []
        )
        // An exit says nothing about an answer, whatever caused it.
        #expect(
            try Lines.findings(
                Self.interact,
                Self.callToExtension,
                Self.invalidAnswer,
                Lines.answer(Self.display),
                "ended",
                bundle: Lines.content
            )
            .count == 1
        )
    }

    @Test("The text of a message, and the answer to another call, do not count as a refusal")
    func words() throws {
        let words = "badExtensionReply serviceFailed ignoredMember requestCancelled stopping"
        let view = #"{"view":{"type":"text","text":"\#(words)"},"actions":[]}"#
        #expect(try found(Lines.answer(view)).count == 1)
        #expect(try found(#"<{"jsonrpc":"2.0","id":1,"result":\#(Self.display)}"#, Self.interact).count == 1)
        let late = Self.interact.replacing(#""id":1"#, with: #""id":2"#)
        let refused = Self.refusal(124, "badExtensionReply").replacing(#""id":1"#, with: #""id":2"#)
        #expect(
            try Lines.findings(
                Self.interact,
                Self.callToExtension,
                Self.invalidAnswer,
                Lines.answer(Self.display),
                late,
                refused,
                bundle: Lines.content
            )
            .count == 1
        )
    }

    @Test("A tool's failure also counts as a refusal of an answer")
    func tools() throws {
        let call = Lines.request("tools/call", #"{"name":"interact","arguments":{"notification":"n","element":"e"}}"#)
        let error =
            #"{"code":124,"message":"m","data":{"reason":"badExtensionReply","extension":"com.example.x"}}"#
        let content = #""content":[{"type":"text","text":"m"}]"#
        let refused = Lines.answer(#"{\#(content),"isError":true,"_meta":{"pushhost/error":\#(error)}}"#)
        let taken = Lines.answer(#"{\#(content),"isError":false,"structuredContent":\#(Self.display)}"#)
        #expect(
            try Lines.findings(
                call,
                Self.callToExtension,
                Self.invalidAnswer,
                refused,
                Self.deactivate,
                bundle: Lines.content
            ) == []
        )
        #expect(
            try Lines.findings(
                call,
                Self.callToExtension,
                Self.invalidAnswer,
                taken,
                Self.deactivate,
                bundle: Lines.content
            ).count == 1
        )
    }

    @Test("A service's answer is refused by a diagnostic that begins with the service's identifier")
    func service() throws {
        let payload = #"{"payload":{"aps":{"alert":"a"}}}"#
        let request =
            #"{"identifier":"i","date":"2026-01-01T00:00:00.000Z","content":{"title":"","subtitle":"","#
            + #""body":"a","categoryIdentifier":"","threadIdentifier":"","attachments":[],"userInfo":{}}}"#
        let asked = Lines.request("didReceive", #"{"notification":"n","request":\#(request)}"#, "x<")
        let bad = Lines.answer(#"{"content":{"title":5}}"#, "x>")
        func shown(_ diagnostics: String) -> String {
            Lines.answer(
                #"{"notification":"n","extension":null,"content":{"title":"","subtitle":"","body":"a","attachments":[]},"#
                    + #""layout":null,"view":{"type":"text","text":"a"},"actions":[],"diagnostics":[\#(diagnostics)]}"#
            )
        }
        func found(_ diagnostics: String) throws -> Int {
            try Lines.findings(
                Lines.request("didReceive", payload),
                asked,
                bad,
                shown(diagnostics),
                Self.deactivate,
                "ended",
                bundle: Lines.service
            )
            .count
        }
        #expect(try found("") == 1)
        #expect(try found(#"{"reason":"ignoredMember","message":"com.example.x: title must be a string"}"#) == 0)
        #expect(try found(#"{"reason":"ignoredMember","message":"com.example.xy: title must be a string"}"#) == 1)
        #expect(try found(#"{"reason":"noExtension","message":"com.example.x: no"}"#) == 1)
    }

    @Test("A destination's answer is refused by counting its batch as possibly sent")
    func destination() throws {
        let batch = #"[{"id":1,"kind":"customEvent","name":"a","time":"2026-01-01T00:00:00.000Z"}]"#
        let asked = Lines.request("deliver", #"{"suite":"s","batch":\#(batch)}"#, "x<")
        func found(_ possiblySent: Int) throws -> Int {
            let counts = #"{"delivered":0,"rejected":0,"possiblySent":\#(possiblySent),"remaining":1,"diagnostics":[]}"#
            return try Lines.findings(
                Lines.request("flushPending", #"{"to":"d"}"#),
                asked,
                Lines.answer(#"{"accepted":1}"#, "x>"),
                Lines.answer(counts),
                Self.deactivate,
                "ended",
                bundle: Lines.destination
            )
            .count
        }
        #expect(try found(0) == 1)
        #expect(try found(1) == 0)
    }

    @Test("An extension with an invalid answer to activate must not be called any more")
    func activation() throws {
        let params = #"{"version":"1.0","bundle":"com.example.x","locale":"en","suites":[]}"#
        let activate = Lines.request("activate", params, "x<")
        let bad = Lines.answer("{}", "x>")
        let ended = Lines.notification("didDismiss", #"{"notification":"n"}"#, "x<")
        #expect(try Lines.findings(activate, bad, ended, "ended", Self.deactivate, bundle: Lines.content) == [])
        let found = try Lines.findings(activate, bad, Self.deactivate, "ended", bundle: Lines.content)
        #expect(found.count == 1 && found[0].contains("the answer to activate: it lacks version"), "\(found)")
    }

    @Test("A call while another one is open is found, except for a destination's batches")
    func concurrentCalls() throws {
        let second = Self.callToExtension.replacing(#""id":1"#, with: #""id":2"#)
        #expect(
            try Lines.findings(Self.callToExtension, second, bundle: Lines.content)
                == ["the host calls interact while interact is not answered"]
        )
        #expect(try Lines.findings(Self.callToExtension, Lines.answer("{}", "x>"), second, bundle: Lines.content) == [])
        #expect(try Lines.findings(Self.callToExtension, "ended", second, bundle: Lines.content) == [])
        let deliver = Lines.request("deliver", #"{"suite":"s","batch":[]}"#, "x<")
        #expect(try Lines.findings(deliver, deliver.replacing(":1,", with: ":2,"), bundle: Lines.destination) == [])
    }

    @Test("A source gets a pull, a begin and a settle at once, and no two of a kind")
    func callsOfSources() throws {
        func call(_ id: Int, _ method: String, _ params: String) -> String {
            Lines.request(method, params, "x<").replacing(#""id":1"#, with: "\"id\":\(id)")
        }
        let pull = call(1, "pull", #"{"limit":1,"wait":0}"#)
        let begin = call(2, "begin", #"{"ids":[7]}"#)
        let settle = call(3, "settle", #"{"unsent":[7]}"#)
        #expect(try Lines.findings(pull, begin, settle, bundle: Lines.source) == [])
        #expect(
            try Lines.findings(begin, call(4, "begin", #"{"ids":[8]}"#), bundle: Lines.source)
                == ["the host calls begin while begin is not answered"]
        )
        #expect(try Lines.findings(call(1, "begin", #"{"ids":[]}"#), bundle: Lines.source).count == 1)
    }

    @Test("A bundle that the recording does not describe is found")
    func stranger() throws {
        #expect(try Lines.findings(Self.deactivate) == ["the recording does not describe the bundle com.example.x"])
    }
}
