import JSON
import TestSupport
import Testing

@testable import JSONRPC

/// Messages that follow headers, in a session in memory.
@Suite struct HeaderFramingTests {
    /// A request with line breaks, after its header.
    private static func framed(_ id: Int, header: String = "Content-Length") -> String {
        let text = "{\n  \"jsonrpc\": \"2.0\", \"method\": \"é\",\r\n  \"id\": \(id)\n}"
        return "\(header): \(text.utf8.count)\r\n\r\n\(text)"
    }

    /// What a peer gets that writes some bytes in pieces of a length: the ids of its calls, and the errors' reasons and messages.
    private static func read(_ text: String, pieces: Int = .max, limit: Int = 1 << 20) throws -> (
        ids: [JSON], errors: [JSON]
    ) {
        let session = Session(lineLimit: limit, acceptsHeaders: true)
        session.onCall = { $0.answer(.success(true)) }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
            bytes[start..<min(start + min(pieces, bytes.count), bytes.count)].withUnsafeBytes { session.consume($0) }
        }
        session.finish()
        var replies: [JSON] = []
        var output: [UInt8] = []
        session.output.drain { bytes in
            output += bytes
            return bytes.count
        }
        while !output.isEmpty {
            let end = try #require(output.firstRange(of: Array("\r\n\r\n".utf8)), "a reply has no header")
            let header = String(decoding: output[..<end.lowerBound], as: UTF8.self)
            let count = try #require(Int(header.dropFirst("Content-Length: ".count)))
            replies.append(try JSON(parsing: Array(output[end.upperBound..<(end.upperBound + count)])))
            output.removeFirst(end.upperBound + count)
        }
        return (replies.filter { $0["result"] != nil }.compactMap { $0["id"] }, replies.compactMap { $0["error"] })
    }

    @Test("However a stream is cut, each message is answered once, with headers", arguments: 1...80)
    func pieces(length: Int) throws {
        let text = Self.framed(1) + "\r\n" + Self.framed(2, header: "content-LENGTH") + Self.framed(3)
        let (ids, errors) = try Self.read(text, pieces: length)
        #expect(ids == [1, 2, 3])
        #expect(errors.isEmpty)
    }

    @Test("An input that ends within what may become a header is a line")
    func undecided() {
        let session = Session(lineLimit: 1_000, acceptsHeaders: true)
        var lines: [String?] = []
        session.report = { if case .invalidMessage(_, let line) = $0 { lines.append(line) } }
        Array("Content-Len".utf8).withUnsafeBytes { session.consume($0) }
        session.finish()
        var output = ""
        session.output.drain { bytes in
            output += String(decoding: bytes, as: UTF8.self)
            return bytes.count
        }
        #expect(output.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#), "\(output)")
        #expect(lines == ["Content-Len"])
    }

    @Test("Empty lines before headers are ignored", arguments: ["\n\n", "\r\n\r\n", "\n\r\n", " \r\n\t\n\n"])
    func emptyLines(lines: String) throws {
        for length in [1, .max] {
            // The last line may have no end.
            let text = Self.framed(1) + lines + Self.framed(2) + lines + " "
            let (ids, errors) = try Self.read(text, pieces: length)
            #expect(ids == [1, 2])
            #expect(errors.isEmpty, "\(errors)")
        }
    }

    @Test("Messages that are written together get a header each")
    func together() {
        let session = Session(lineLimit: 1_000, acceptsHeaders: true)
        Array(Self.framed(1).utf8).withUnsafeBytes { session.consume($0) }
        Array("{}\n[1]\n".utf8).withUnsafeBytes { session.write(lines: $0) }
        var output = ""
        session.output.drain { bytes in
            output += String(decoding: bytes, as: UTF8.self)
            return bytes.count
        }
        #expect(output.hasSuffix("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]"), "\(output)")
    }

    @Test(
        "A mistake gets one error that says what to correct, and the next message is read",
        arguments: [
            (
                "Content-Length: two\r\n\r\n{}", "headerFraming",
                "must be the number of bytes of the message, this is two"
            ),
            ("Content-Length: -2\r\n\r\n{}", "headerFraming", "this is -2"),
            ("Content-Length:\r\n\r\n{}", "headerFraming", "must be the number"),
            ("Content-Length: 99999999999999999999\r\n\r\n{}", "headerFraming", "must be the number"),
            ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "headerFraming", "must be the number"),
            ("Content-Type: application/json\r\n\r\n{}", "headerFraming", "needs the header Content-Length"),
            ("Content-Type: a/b; charset=latin1\r\nContent-Length: 2\r\n\r\n{}", "headerFraming", "names latin1"),
            ("X: \(String(repeating: "x", count: 4_096))\r\n\r\n{}", "headerFraming", "at most 4096 bytes"),
            // The limit comes before the next mistake, even if one byte more would reach it.
            (String(repeating: "x", count: 4_097), "headerFraming", "at most 4096 bytes"),
            ("some text\r\n\r\n{}", "headerFraming", "this is some text"),
            (
                "Content-Type: a/b; v=1; charset=latin1\r\nContent-Length: 2\r\n\r\n{}", "headerFraming",
                "names latin1"
            ),
            ("{}\r\n", "headerFraming", "this message has no headers"),
            ("[{\"a\":1}]\r\n", "headerFraming", "this message has no headers"),
            // The next message's headers begin in the same line.
            ("{}", "headerFraming", "this message has no headers"),
            ("Content-Length: 1\r\n\r\n{}", "parseError", "ends too early; Content-Length"),
            ("Content-Length: 9\r\n\r\n{}", "parseError", "text follows the message; Content-Length"),
            (
                "Content-Length: 3000\r\n\r\n" + String(repeating: " ", count: 3_000), "lineTooLong",
                "at most 1000 bytes"
            ),
        ]
    )
    func mistakes(text: String, reason: String, part: String) throws {
        for length in [1, 7, .max] {
            let (ids, errors) = try Self.read(
                Self.framed(1) + text + Self.framed(2) + Self.framed(3),
                pieces: length,
                limit: 1_000
            )
            // A length that is too great takes the start of the next message with it.
            #expect(ids == (part.hasPrefix("text follows") ? [1, 3] : [1, 2, 3]))
            #expect(errors.map { $0["data"]?["reason"] } == [.string(reason)])
            let code: JSON = reason == "lineTooLong" ? -32600 : -32700
            #expect(errors.first?["code"] == code)
            #expect(errors.first?["message"]?.string?.contains(part) == true, "\(errors)")
        }
    }

    @Test("A message of as many bytes as are allowed is read, and one of a byte more is refused")
    func limit() throws {
        let text = Self.framed(1)
        let count = text.utf8.count - "Content-Length: 50\r\n\r\n".utf8.count
        #expect(try Self.read(text, limit: count).ids == [1])
        let (ids, errors) = try Self.read(text, limit: count - 1)
        #expect(ids.isEmpty)
        #expect(errors.map { $0["data"]?["reason"] } == ["lineTooLong"])
    }

    @Test("Headers of as many bytes as are allowed are read, and those of a byte more are refused")
    func headerLimit() throws {
        let rest = 4_096 - "X: \r\nContent-Length: 50\r\n\r\n".utf8.count
        let texts = [rest, rest + 1].map {
            "\(Self.framed(1))X: \(String(repeating: "x", count: $0))\r\n\(Self.framed(2))"
        }
        #expect(try Self.read(texts[0]).ids == [1, 2])
        let (ids, errors) = try Self.read(texts[1])
        #expect(ids == [1])
        #expect(errors.first?["message"]?.string?.contains("at most 4096 bytes") == true, "\(errors)")
    }

    @Test(
        "The end of the input within a message is an error",
        arguments: [
            ("Content-Length: 9\r\n\r\n{}", "after 2 of the 9 bytes"), ("Content-Len", "within the headers"),
            // What is discarded has its error already.
            ("Content-Length: 2000000\r\n\r\n{}", "at most 1048576 bytes"), ("some text\r\n", "this is some text"),
        ]
    )
    func end(text: String, part: String) throws {
        let (ids, errors) = try Self.read(Self.framed(1) + text)
        #expect(ids == [1])
        #expect(errors.count == 1)
        #expect(errors.first?["message"]?.string?.contains(part) == true, "\(errors)")
    }

    @Test(
        "A Content-Type in UTF-8 is no mistake",
        arguments: [
            "; charset=utf-8", "; charset=\"UTF8\"", "; charset", "", "; version=1; charset=utf-8",
            "; Charset = UTF-8",
        ]
    )
    func types(parameter: String) throws {
        let text = "Content-Type: application/vscode-jsonrpc\(parameter)\r\n"
        #expect(try Self.read(text + Self.framed(1)).ids == [1])
    }

    @Test("A length that is given twice is no mistake, if it is the same")
    func sameLength() throws {
        let text = Self.framed(1)
        let header = text.prefix { $0 != "\r\n" }
        let (ids, errors) = try Self.read("\(header)\r\n\(text)")
        #expect(ids == [1])
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test("Headers of no bytes are followed by the next headers, or by the end")
    func noBytes() throws {
        let none = "Content-Length: 0\r\n\r\n"
        for length in [1, .max] {
            let (ids, errors) = try Self.read(Self.framed(1) + none + Self.framed(2) + none, pieces: length)
            #expect(ids == [1, 2])
            #expect(errors.isEmpty, "\(errors)")
        }
    }

    @Test("After the end was reported, the session can read another stream")
    func finishTwice() {
        let session = Session(lineLimit: 1_000, acceptsHeaders: true)
        var (calls, errors) = (0, 0)
        session.onCall = { _ in calls += 1 }
        session.report = { if case .invalidMessage = $0 { errors += 1 } }
        let text = Array(Self.framed(1).utf8)
        text.dropLast().withUnsafeBytes { session.consume($0) }
        session.finish()
        session.finish()
        #expect(errors == 1)
        text.withUnsafeBytes { session.consume($0) }
        #expect(calls == 1)
    }

    @Test("The number of bytes that were read of the first bytes, the headers and the message is known")
    func unfinishedLength() {
        let session = Session(lineLimit: 8, acceptsHeaders: true)
        func length(after text: String) -> Int {
            Array(text.utf8).withUnsafeBytes { session.consume($0) }
            return session.unfinishedLength
        }
        #expect(length(after: "Content") == 7)
        #expect(length(after: "-Length: 5\r\n") == 19)
        #expect(length(after: "\r\n{}") == 2)
        #expect(length(after: "   ") == 0)
        #expect(length(after: "Content-Length: 9\r\n\r\n1") == Int.max)
        #expect(length(after: "23456789") == 0)
    }

    @Test(
        "A stream that begins otherwise consists of lines, to the end",
        arguments: ["", "\n", "\u{FEFF}", "Cont\n", "Content-Size: 3\n", " Content-Length: 3\n"]
    )
    func lines(start: String) throws {
        let session = Session(lineLimit: 1_000, acceptsHeaders: true)
        var count = 0
        session.onCall = { _ in count += 1 }
        Array("\(start){\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1}\n".utf8).withUnsafeBytes {
            for byte in $0.indices { session.consume(UnsafeRawBufferPointer(rebasing: $0[byte...byte])) }
        }
        #expect(count == 1)
        Array("Content-Length: 2\r\n".utf8).withUnsafeBytes { session.consume($0) }
        var output = ""
        session.output.drain { bytes in
            output += String(decoding: bytes, as: UTF8.self)
            return bytes.count
        }
        #expect(output.hasSuffix("\n"))
        #expect(output.contains("this connection began without one"))
    }

    @Test("After headers, params that are null are absent, also in a batch", arguments: ["%", "[%]"])
    func nullParams(frame: String) throws {
        let text = frame.replacing("%", with: #"{"jsonrpc":"2.0","method":"a","id":1,"params":null}"#)
        let session = Session(lineLimit: 1_000, acceptsHeaders: true)
        var count = 0
        session.onCall = { _ in count += 1 }
        Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8).withUnsafeBytes { session.consume($0) }
        #expect(count == 1)
    }

    @Test("Only a session that accepts headers reads them")
    func others() {
        let session = Session(lineLimit: 1_000)
        var errors: [String] = []
        session.report = { if case .invalidMessage(let error, _) = $0 { errors.append(error.message) } }
        Array("Content-Length: 2\r\n".utf8).withUnsafeBytes { session.consume($0) }
        #expect(errors.count == 1)
    }

    private final class Tap: WireTap {
        var text = ""
        func didRead(_ bytes: UnsafeRawBufferPointer) { text += String(decoding: bytes, as: UTF8.self) }
        func didReadEnd() { text += "end\n" }
        func willWrite(_ line: UnsafeRawBufferPointer) { text += String(decoding: line, as: UTF8.self) + "\n" }
    }

    @Test("A recording has each message as a line")
    func recording() {
        let (session, tap) = (Session(lineLimit: 1_000, acceptsHeaders: true), Tap())
        session.tap = tap
        session.onCall = { $0.answer(.success(true)) }
        Array((Self.framed(1) + Self.framed(2)).utf8).withUnsafeBytes { session.consume($0) }
        session.finish()
        let lines = tap.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6, "\(tap.text)")
        #expect(lines[0].hasPrefix("{   \"jsonrpc\""))
        #expect(lines[1] == #"{"jsonrpc":"2.0","id":1,"result":true}"#)
        #expect(lines[4] == "end")
    }

    @Test("A recording of lines has the bytes that were read as they are")
    func recordingOfLines() {
        let (session, tap) = (Session(lineLimit: 1_000), Tap())
        session.tap = tap
        session.onCall = { $0.answer(.success(true)) }
        for text in [#"{"jsonrpc":"2.0","#, "\"method\":\"a\",\"id\":1}\r\n\n"] {
            Array(text.utf8).withUnsafeBytes { session.consume($0) }
        }
        session.finish()
        let request = #"{"jsonrpc":"2.0","method":"a","id":1}"#
        let answer = #"{"jsonrpc":"2.0","id":1,"result":true}"#
        #expect(tap.text == "\(request)\r\n\n\(answer)\nend\n")
    }

    @Test("Answers that are written together are recorded one by one", arguments: [false, true])
    func together(hasHeaders: Bool) {
        let (session, tap) = (Session(lineLimit: 1_000, acceptsHeaders: hasHeaders), Tap())
        session.onCall = { $0.answer(.success(true)) }
        if hasHeaders { Array(Self.framed(1).utf8).withUnsafeBytes { session.consume($0) } }
        session.tap = tap
        let lines = #"{"a":1}"# + "\n" + #"{"b":2}"# + "\n"
        Array(lines.utf8).withUnsafeBytes { session.write(lines: $0) }
        #expect(tap.text == lines)
    }
}
