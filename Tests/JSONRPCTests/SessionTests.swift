import JSON
import JSONRPC
import TestSupport
import Testing

/// A session in memory, with its output.
final class SessionProbe {
    let session: Session
    var calls: [Call] = []
    var reports: [Session.Report] = []

    init(lineLimit: Int = 1 << 20, answersInvalidLines: Bool = true) {
        session = Session(lineLimit: lineLimit, answersInvalidLines: answersInvalidLines)
        session.onCall = { [unowned self] in calls.append($0) }
        session.report = { [unowned self] in reports.append($0) }
    }

    /// Passes lines of the peer to the session.
    func feed(_ lines: String...) {
        for line in lines { Array("\(line)\n".utf8).withUnsafeBytes { session.consume($0) } }
    }

    /// The lines that were written since the last call.
    func lines() throws -> [JSON] {
        var text: [UInt8] = []
        session.output.drain { bytes in
            text += bytes
            return bytes.count
        }
        #expect(text.isEmpty || text.last == UInt8(ascii: "\n"))
        return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }
}

@Suite struct SessionTests {
    @Test(
        "A reply has the same JSON value as id as its request",
        arguments: [
            "1", #""1""#, "1.5", "1.0", "-1", "0", "null", "9223372036854775807", "-9223372036854775808", #""""#,
            #""a\u0000b""#, #""\u2028é😀\"\\""#, "\"\(String(repeating: "long ", count: 50_000))\"", "1e300",
        ]
    )
    func ids(id: String) throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":\#(id)}"#)
        try #require(probe.calls.first).answer(.success("done"))
        let reply = try #require(try probe.lines().first)
        #expect(reply["id"] == (try JSON(parsing: id)))
        #expect(reply["result"] == "done")
    }

    @Test("A message over several lines gets one error, and a whole message behind lines without an end is received")
    func severalLines() throws {
        let probe = SessionProbe()
        probe.feed("{", #"  "jsonrpc": "2.0","#, #"  "params": ["#, "  ],", #"  "id": 1"#, "}")
        let first = try probe.lines()
        #expect(first.map { $0["error"]?["code"] } == [-32700], "also the bracket at the margin is a part of it")
        probe.feed(#"{"jsonrpc":"2.0","id":2,"method":"m","#, #" {"jsonrpc":"2.0","id":3,"method":"m"}"#)
        #expect(probe.calls.map(\.id) == [3])
        let second = try probe.lines()
        #expect(second.map { $0["error"]?["code"] } == [-32700])
    }

    @Test("Brackets in a text belong to no message over several lines", arguments: [#""[{""#, #""\"[""#, #""]}""#])
    func severalLinesWithTexts(text: String) throws {
        let probe = SessionProbe()
        probe.feed("{", "  \"a\": \(text)", "}", "}")
        #expect(try probe.lines().map { $0["error"]?["code"] } == [-32700, -32700], "the last bracket closes nothing")
    }

    @Test(
        "Only the lines that continue a message over several lines are dropped",
        arguments: [
            (["[", "  1", "]", "]"], 2), (["{ \t", "  1", "}"], 1),
            // A line that is neither indented nor a bracket at the margin ends it, also if its own error is in a batch.
            (["{", "oops", "  more"], 3), (["{", "[1]", "  more"], 3),
            // So does a whole message, which is a notification here.
            (["{", #"{"jsonrpc":"2.0","method":"a"}"#, "  more"], 2),
            // It begins with a bracket, and its first line ends where pretty-printers break lines.
            (["print {", "  more"], 2), ([#"{"a": 1"#, "  more"], 2),
            // The bracket is behind a text that ends with a backslash.
            (["{", #"  "a\\": ["#, "  ]", "}", "}"], 2),
        ] as [([String], Int)]
    )
    func continuations(lines: [String], answers: Int) throws {
        let probe = SessionProbe()
        for line in lines { probe.feed(line) }
        #expect(try probe.lines().count == answers)
    }

    @Test("Within a message over several lines, a response and a batch with one call are received")
    func wholeMessages() throws {
        let probe = SessionProbe()
        var count = 0
        let id = probe.session.request("ask", params: nil) { _ in count += 1 }
        probe.feed("{", #" {"jsonrpc":"2.0","id":\#(id),"result":1}"#)
        #expect(count == 1)
        probe.feed("{", #" [1,{"jsonrpc":"2.0","id":2,"method":"m"}]"#)
        #expect(probe.calls.map(\.id) == [2])
    }

    @Test("The number of bytes of a line that was begun is known, and a line that is too long has no number")
    func unfinishedLength() {
        let session = Session(lineLimit: 8)
        func length(after text: String) -> Int {
            Array(text.utf8).withUnsafeBytes { session.consume($0) }
            return session.unfinishedLength
        }
        #expect(length(after: "oops") == 4)
        #expect(length(after: "ab") == 6)
        #expect(length(after: "\nabc") == 3)
        #expect(length(after: "456789") == Int.max)
        #expect(length(after: "x") == Int.max)
        #expect(length(after: "\n") == 0)
    }

    @Test("For a peer that is gone nothing waits to be written, and nothing is added")
    func peerGone() {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, #"{"jsonrpc":"2.0","id":2,"method":"m"}"#)
        probe.calls[0].answer(.success(1))
        #expect(probe.session.outputCount > 0)
        probe.session.isPeerGone = true
        #expect(probe.session.outputCount == 0)
        probe.calls[1].answer(.success(2))
        Array("{}\n".utf8).withUnsafeBytes { probe.session.write(lines: $0) }
        #expect(probe.session.outputCount == 0)
    }

    @Test("The answer of an invalid line can be written by another, but that of a batch's member is in the batch's")
    func answeredThrough() throws {
        let probe = SessionProbe()
        var held: [InvalidMessage] = []
        probe.session.onMessage = { if case .invalid(let message) = $0 { held.append(message) } }
        probe.feed("oops", "[1]")
        var written: [[UInt8]] = []
        for message in held {
            message.answer(through: { session, bytes in
                #expect(session === probe.session)
                written.append(bytes)
            })
        }
        let codes = try written.map { try JSON(parsing: $0)["error"]?["code"] }
        #expect(codes == [-32700])
        #expect(try probe.lines().map { $0[0]?["error"]?["code"] } == [-32600])
    }

    @Test("Calls are received in the order of their lines, and answers are sent in the order in which they were given")
    func order() throws {
        let probe = SessionProbe()
        probe.feed(
            #"{"jsonrpc":"2.0","method":"a","id":1}"#,
            #"{"jsonrpc":"2.0","method":"b"}"#,
            #"{"jsonrpc":"2.0","method":"c","id":3}"#
        )
        #expect(probe.calls.map(\.method) == ["a", "b", "c"])
        #expect(probe.calls.map(\.isNotification) == [false, true, false])
        for call in probe.calls.reversed() { call.answer(.success(.string(call.method))) }
        #expect(try probe.lines().map { $0["result"] } == ["c", "a"])
    }

    @Test("Only the first answer of a call counts")
    func answeredOnce() throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":1}"#)
        let call = try #require(probe.calls.first)
        call.answer(.success(1))
        call.answer(.success(2))
        call.answer(.failure(.internalError(CancellationError())))
        #expect(call.isAnswered)
        #expect(try probe.lines().map { $0["result"] } == [1])
    }

    @Test("A notification is never answered; its failure is reported")
    func notifications() throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"a"}"#, #"{"jsonrpc":"2.0","method":"b"}"#)
        probe.calls[0].answer(.success(1))
        probe.calls[1].answer(.failure(.methodNotFound("b")))
        #expect(try probe.lines().isEmpty)
        guard case .failedNotification(let call, let error)? = probe.reports.first, probe.reports.count == 1 else {
            Issue.record("\(probe.reports)")
            return
        }
        #expect(call.method == "b")
        #expect(error.code == .methodNotFound)
    }

    @Test("A session without a handler answers that the method does not exist")
    func noListener() throws {
        let session = Session(lineLimit: 100)
        Array(#"{"jsonrpc":"2.0","method":"m","id":1}"#.utf8).withUnsafeBytes { session.consume($0) }
        session.finish()
        var text = ""
        session.output.drain { bytes in
            text = String(decoding: bytes, as: UTF8.self)
            return bytes.count
        }
        #expect(try JSON(parsing: text)["error"]?["code"] == -32601)
    }

    @Test("A line that is not a message is reported and answered with the id null, and the session continues")
    func invalidLine() throws {
        let probe = SessionProbe()
        probe.feed("oops", #"{"jsonrpc":"2.0","method":"m","id":1}"#)
        #expect(try probe.lines().map { [$0["id"], $0["error"]?["code"]] } == [[.null, -32700]])
        #expect(probe.reports.count == 1)
        #expect(probe.calls.count == 1)
    }

    @Test("Lines that continue a message that is spread over many are dropped, but no line that is a message itself")
    func splitMessage() throws {
        let probe = SessionProbe()
        let lines = [#"{"jsonrpc":"2.0","id":1,"#, #"  "method":"a","#, #"  "params":[1]"#, "}"]
        for line in lines { probe.feed(line) }
        #expect(try probe.lines().count == 1)
        #expect(probe.calls.isEmpty)
        probe.feed(
            #"{"jsonrpc":"2.0","id":1,"#,
            #" {"jsonrpc":"2.0","id":2,"method":"b"}"#,
            #" [{"jsonrpc":"2.0","id":3,"method":"c"}]"#
        )
        #expect(try probe.lines().count == 1)
        #expect(probe.calls.map(\.method) == ["b", "c"])
    }

    private func strayLines(_ probe: SessionProbe) -> [String?] {
        probe.reports.compactMap { if case .invalidMessage(_, let line) = $0 { .some(line) } else { nil } }
    }

    @Test("A session that does not answer invalid lines reports the beginning of each and continues")
    func silentAboutInvalidLines() throws {
        let probe = SessionProbe(answersInvalidLines: false)
        let long = String(repeating: "print ", count: 100)
        probe.feed("a stray print", "[]", long, #"{"jsonrpc":"2.0","method":"m","id":1}"#)
        #expect(try probe.lines().isEmpty)
        #expect(strayLines(probe) == ["a stray print", "[]", String(long.prefix(200))])
        #expect(probe.calls.count == 1)
        let other = SessionProbe(lineLimit: 8, answersInvalidLines: false)
        other.feed("a stray print", "print")
        #expect(strayLines(other) == ["…", "print"], "nothing is kept of a line that is too long")
    }

    @Test("Invalid lines that were held back are reported with the beginning of each")
    func heldBackInvalidLines() {
        let probe = SessionProbe(answersInvalidLines: false)
        var held: [Incoming] = []
        probe.session.onMessage = { held.append($0) }
        Array("first\nsecond\n".utf8).withUnsafeBytes { probe.session.consume($0) }
        for message in held { probe.session.handle(message) }
        #expect(strayLines(probe) == ["first", "second"])
    }

    @Test("A line that is too long is answered once, and the session continues", .exits)
    func tooLong() async {
        // In a process of its own, because that process exits.
        await #expect(processExitsWith: .success) {
            let probe = SessionProbe(lineLimit: 64)
            probe.feed(String(repeating: "x", count: 1_000), #"{"jsonrpc":"2.0","method":"m","id":1}"#)
            let lines = try probe.lines()
            try #require(lines.count == 1)
            #expect(lines[0]["id"]?.isNull == true)
            #expect(lines[0]["error"]?["code"] == -32600)
            #expect(lines[0]["error"]?["data"] == ["reason": "lineTooLong", "limit": 64])
            #expect(probe.calls.count == 1)
        }
    }

    @Test("Messages can be held back and received later")
    func heldBack() throws {
        let probe = SessionProbe()
        var held: [Incoming] = []
        probe.session.onMessage = { held.append($0) }
        Array("{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\n[1]".utf8).withUnsafeBytes {
            probe.session.consume($0)
        }
        probe.session.finish()
        #expect(held.count == 2)
        #expect(probe.calls.isEmpty)
        for message in held { probe.session.handle(message) }
        #expect(probe.calls.count == 1)
        #expect(try probe.lines().map { $0.array?.count } == [1])
    }

    @Test("A handler for the answer of a call is called once")
    func completionOnce() throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":1}"#)
        let call = try #require(probe.calls.first)
        var count = 0
        call.onAnswer { count += 1 }
        call.abandon()
        call.answer(.success(.null))
        #expect(count == 1)
        #expect(try probe.lines().isEmpty)
    }

    @Test("A handler for the answer of a call keeps nothing in memory after it was called")
    func completionFreed() throws {
        final class Kept {}
        struct Seen { weak var object: Kept? }
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":1}"#)
        let call = try #require(probe.calls.first)
        var kept: Kept? = Kept()
        let seen = Seen(object: kept)
        call.onAnswer { [kept] in _ = kept }
        kept = nil
        let isKept = seen.object != nil
        call.answer(.success(1))
        let isFreed = seen.object == nil
        #expect(isKept && isFreed)
    }
}
