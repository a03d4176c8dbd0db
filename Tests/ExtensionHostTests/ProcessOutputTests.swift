import JSON
import JSONRPC
import Platform
import TestSupport
import Testing

@testable import ExtensionHost

/// What the host keeps of the output of a process, except messages.
@Suite(.waits) struct ProcessOutputTests {
    /// Runs a process that ends with its stdin.
    private func withRun(_ body: (ProcessRun) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let bundle = try ExtensionBundle(folder: BundleFolder("\(folder)/a").path)
            let child = try Platform.ChildProcess(Program(path: "/bin/cat", directory: "/"), isNonblocking: true)
            defer { _ = child.process.reap() }
            let session = Session(lineLimit: 9, answersInvalidLines: false)
            let pipes = ProcessPipes(child, session, tap: nil, history: ExtensionHistory()) { _ in }
            let watch = BundleWatch(bundle, executable: "/bin/cat")
            try body(ProcessRun(pipes, watch: watch, limits: ExtensionLimits(), now: 0))
        }
    }

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
    func stray() throws {
        try withRun { run in
            let logged = run.noteStray(.strayResponse(id: 7), expected: 2, limit: 9)
            #expect(logged == "it answered 7, which no request has")
            #expect(run.lastStray == "it answered the id 7, which no request has; the request that waits has the id 2")
            #expect(run.strayLines == 0)
            let error = RPCError(code: .parseError, message: "no JSON", data: nil)
            let text = run.noteStray(.invalidMessage(error, line: "hello"), expected: nil, limit: 9)
            #expect(text == "a line on its stdout is not a message and was skipped: hello")
            #expect(run.lastStray == "a line on its stdout is not a message: hello")
            #expect(run.explanationOfSilence == run.lastStray)
            run.prepareForCall(isFirst: true)
            #expect(run.lastStray == nil)
            #expect(run.strayLines == 1)
        }
    }

    @Test("A flood of lines is counted, and its first twenty are logged")
    func flood() throws {
        try withRun { run in
            let error = RPCError(code: .parseError, message: "no JSON", data: nil)
            let logged = (0..<100).compactMap { _ in
                run.noteStray(.invalidMessage(error, line: "x"), expected: nil, limit: 9)
            }
            #expect(logged.count == 20)
            #expect(run.strayLines == 100)
        }
    }

    @Test("A process that keeps stopping itself is continued three times in each call")
    func suspension() throws {
        try withRun { run in
            var continued = [run.continueIfStopped()]
            for _ in 0..<4 {
                run.child.signal(SIGSTOP)
                while run.noteSuspension() == nil {}
                continued.append(run.continueIfStopped())
            }
            #expect(continued == [false, true, true, true, false])
            #expect(run.isSuspended)
            run.prepareForCall(isFirst: true)
            #expect(run.continueIfStopped())
            #expect(!run.isSuspended)
        }
    }
}
