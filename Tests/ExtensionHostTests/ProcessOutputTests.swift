import JSON
import JSONRPC
import Testing

@testable import ExtensionHost

/// What the host keeps of the output of a process, except messages.
@Suite struct ProcessOutputTests {
    /// The tail after these writes to stderr, and the lines for the log.
    private func tail(_ writes: [String]) -> (tail: StandardErrorTail, lines: [String]) {
        var tail = StandardErrorTail()
        var lines: [String] = []
        for text in writes { Array(text.utf8).withUnsafeBytes { tail.append($0) { lines.append($0) } } }
        tail.finish { lines.append($0) }
        return (tail, lines)
    }

    @Test("Lines of stderr are logged one by one; empty ones are skipped, and a last line without a newline counts")
    func lines() {
        let (tail, lines) = tail(["one\nt", "wo\n\n", "three"])
        #expect(lines == ["one", "two", "three"])
        #expect(tail.text == "one\ntwo\n\nthree")
        #expect(tail.text(since: 4) == "two\n\nthree")
        #expect(tail.count == 14)
    }

    @Test("The tail and an endless line are bounded", arguments: [4_095, 4_096, 4_097, 20_000])
    func bounded(length: Int) {
        let (tail, lines) = tail([String(repeating: "x", count: length)])
        #expect(tail.text.utf8.count == min(length, StandardErrorTail.limit))
        #expect(lines.map(\.utf8.count).reduce(0, +) == length)
        #expect(lines.allSatisfy { $0.utf8.count <= StandardErrorTail.limit })
        #expect(tail.count == length)
    }

    @Test("The last unexpected line explains a missing answer until the next call")
    func stray() {
        var output = StrayOutput()
        let logged = output.note(.strayResponse(id: 7), expected: 2, limit: 9)
        #expect(logged == "it answered 7, which no request has")
        #expect(output.last == "it answered the id 7, which no request has; the request that waits has the id 2")
        #expect(output.count == 0)
        let error = RPCError(code: .parseError, message: "no JSON", data: nil)
        let text = output.note(.invalidMessage(error, line: "hello"), expected: nil, limit: 9)
        #expect(text == "a line on its stdout is no message and was skipped: hello")
        #expect(output.last == "a line on its stdout is no message: hello")
        output.forgetLast()
        #expect(output.last == nil)
        #expect(output.count == 1)
    }

    @Test("A flood of lines is counted, and its first twenty are logged")
    func flood() {
        var output = StrayOutput()
        let error = RPCError(code: .parseError, message: "no JSON", data: nil)
        let logged = (0..<100).compactMap { _ in
            output.note(.invalidMessage(error, line: "x"), expected: nil, limit: 9)
        }
        #expect(logged.count == 20)
        #expect(output.count == 100)
    }

    @Test("A process that keeps stopping itself is continued three times in each call")
    func suspension() {
        var suspension = Suspension()
        var continued: [Bool] = [suspension.beginContinuing()]
        for _ in 0..<4 {
            suspension.setStopped(true)
            continued.append(suspension.beginContinuing())
        }
        #expect(continued == [false, true, true, true, false])
        #expect(suspension.isStopped)
        suspension.resetCount()
        let isContinued = suspension.beginContinuing()
        #expect(isContinued)
        #expect(!suspension.isStopped)
    }
}
