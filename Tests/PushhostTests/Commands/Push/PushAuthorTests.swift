import Foundation
import JSON
import TestSupport
import Testing

/// What the author of an extension sees of its mistakes in `pushhost push`, and after they were repaired.
@Suite(.waits, .wire) struct PushAuthorTests {
    private static let identifier = "com.example.kit"

    /// An extension whose view is a text; the payload's `fail` makes it fail.
    private static func program(_ text: String = "I am fine", _ body: String = "pass") -> String {
        """
        #!/usr/bin/env python3
        from pushhost_extension import NotificationContentExtension, View, main


        class Author(NotificationContentExtension):
            def did_receive(self, notification):
                print("hello from", "the extension")
                if "fail" in notification.request.content.user_info:
                    self.prices["SPRING-20"]
                \(body)
                self.context.view = View.text("\(text)")


        main(Author)
        """
    }

    /// Passes the folder of a bundle to the closure.
    private func withBundle(_ program: String = program(), _ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let bundle = "\(folder)/bundles/author"
            try make(bundle, program)
            try body(bundle)
        }
    }

    private func make(_ bundle: String, _ program: String = program()) throws {
        try Kit.python.makeBundle(bundle, program: program, name: "author")
        try write(#"{"aps":{"alert":"x","category":"kit"}}"#, "\(bundle)/payload.apns")
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func source(_ bundle: String) -> String { "\(bundle)/author.py" }

    // MARK: In a pipe

    @Test("A print of an extension goes to stderr, and the traceback of a failure stands before the message")
    func traceback() throws {
        try withBundle { bundle in
            let fine = try CommandRun.push(["\(bundle)/payload.apns", "--ascii"])
            #expect(fine.status == .code(0))
            #expect(fine.standardError == "\(Self.identifier): hello from the extension\n")
            #expect(fine.output.contains("I am fine") && !fine.output.contains("hello"))
            let payload = #"{"aps":{"alert":"x","category":"kit"},"fail":true}"#
            let failed = try CommandRun.push(["-", "--plugins", bundle, "--json"], input: payload)
            #expect(failed.status == .code(1))
            let lines = failed.standardError.split(separator: "\n")
            #expect(lines.first == "\(Self.identifier): hello from the extension")
            #expect(lines.contains("\(Self.identifier): Traceback (most recent call last):"))
            #expect(lines.contains { $0.contains("self.prices[") }, "\(failed.standardError)")
            #expect(lines.last?.hasPrefix("Error: \(Self.identifier) refused: ") == true)
        }
    }

    @Test("The folder of a bundle stands for its payload, and a device and an app may stand before it, as for simctl")
    func arguments() throws {
        try withBundle { bundle in
            let forms = [[bundle], ["\(bundle)/"], ["booted", "com.example.app", "\(bundle)/payload.apns"]]
            for words in forms + [["booted", bundle], ["5F3B0C5E-0E1B-4F6B-8A55-1C1B0C9D7E11", bundle]] {
                let run = try CommandRun.push(words + ["--ascii"])
                #expect(run.status == .code(0), "\(words): \(run.standardError)")
                #expect(run.output.contains("I am fine"))
            }
            let two = try CommandRun.push(["\(bundle)/payload.apns", "\(bundle)/other.apns"])
            #expect(two.status == .code(64))
            #expect(two.standardError.contains("/other.apns: one payload is shown at a time"))
        }
    }

    // MARK: Repaired

    /// Passes a `push --watch` to the closure, and ends it.
    private func watch(_ arguments: [String], _ body: (ChildProcess) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let process = try PushRun.start(["push", "--watch", "--ascii"] + arguments, folder)
            try body(process)
            process.kill(SIGTERM)
            #expect(try process.wait() == .code(128 + SIGTERM))
        }
    }

    @Test("With --watch a bundle is shown again after a syntax error was made and repaired")
    func syntaxError() throws {
        try withBundle { bundle in
            try watch(["\(bundle)/payload.apns"]) { process in
                try process.awaitLine("I am fine")
                try write("#!/usr/bin/env python3\ndef x(", source(bundle))
                try process.awaitError("SyntaxError")
                try process.awaitError("exited with code 1")
                try write(Self.program("I am repaired"), source(bundle))
                try process.awaitLine("I am repaired")
            }
        }
    }

    @Test("With --watch a bundle that fails from the start is shown once it is repaired: its code, or its permissions")
    func failsFromTheStart() throws {
        try withBundle(Self.program("x", "import os; os._exit(3)")) { bundle in
            try watch(["\(bundle)/payload.apns"]) { process in
                try process.awaitError("exited with code 3")
                try write(Self.program("I am repaired"), source(bundle))
                try process.awaitLine("I am repaired")
                let file = source(bundle)
                #expect(chmod(file, 0o644) == 0)
                try process.awaitError("chmod +x")
                #expect(chmod(file, 0o755) == 0)
                try process.awaitLine("I am repaired")
            }
        }
    }

    @Test("With --watch an executable that is being written is started when that is over", .enabled(if: isLinux))
    func busy() throws {
        try withBundle { bundle in
            let writer = open(source(bundle), O_WRONLY | O_CLOEXEC)
            try watch(["\(bundle)/payload.apns"]) { process in
                try process.awaitError("Text file busy")
                close(writer)
                try process.awaitLine("I am fine")
            }
        }
    }

    @Test("With --watch an extension that does not answer in time is shown once it is repaired")
    func timeout() throws {
        try withBundle(Self.program("x", "import threading; threading.Event().wait()")) { bundle in
            try watch(["\(bundle)/payload.apns"]) { process in
                try process.awaitError("within 10000 ms")
                try write(Self.program("I am repaired"), source(bundle))
                try process.awaitLine("I am repaired")
            }
        }
    }

    @Test("With --watch a bundle that is removed and made again is shown again, and so are its later edits")
    func madeAgain() throws {
        try withBundle { bundle in
            try withTemporaryDirectory { other in
                let payload = "\(other)/payload.apns"
                try FileManager.default.copyItem(atPath: "\(bundle)/payload.apns", toPath: payload)
                try watch([payload, "--plugins", URL(filePath: bundle).deletingLastPathComponent().path]) { process in
                    try process.awaitLine("I am fine")
                    try FileManager.default.removeItem(atPath: bundle)
                    try process.awaitLine("there are no extensions in")
                    try make(bundle, Self.program("I am new"))
                    try process.awaitLine("I am new")
                    try write(Self.program("I am edited"), source(bundle))
                    try process.awaitLine("I am edited")
                }
            }
        }
    }

    @Test("With --watch a damaged Info.plist is named with its place, and its repair is noticed")
    func damagedPlist() throws {
        try withBundle { bundle in
            let plist = "\(bundle)/Info.plist"
            let text = try String(contentsOfFile: plist, encoding: .utf8)
            try write(text.replacing("<plist", with: "<plst"), plist)
            try watch(["\(bundle)/payload.apns"]) { process in
                try process.awaitLine("Info.plist")
                try write(text, plist)
                try process.awaitLine("I am fine")
            }
        }
    }

    // MARK: At a terminal

    private func play(_ arguments: [String], _ body: (PushTerminal) throws -> Void) throws {
        try withTemporaryDirectory { folder in try body(try PushTerminal(["push"] + arguments, folder)) }
    }

    @Test(
        "At a terminal a failed start shows its whole message and the traceback, and quitting has a failing exit code"
    )
    func failedStart() throws {
        let name = String(repeating: "long_name_", count: 20)
        try withBundle(Self.program("x", "raise ValueError(\"\(name)!\")")) { bundle in
            try play([bundle]) { terminal in
                let frame = try terminal.wait(for: "refused: ", "raise ValueError", "Tab and arrows")
                let text = frame.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
                #expect(text.contains("\(name)!"), "\(frame)")
                let end = try terminal.end(typing: "q")
                #expect(end.code == .code(1))
                #expect(end.output.components(separatedBy: "\u{1B}[?1049l").last?.contains("Error: ") == true)
            }
        }
    }

    @Test(
        "At a terminal a line moves while an extension works, and Control-C ends a push that waits",
        arguments: [0, 1]
    )
    func works(case number: Int) throws {
        try withTemporaryDirectory { root in
            let gate = "\(root)/gate"
            guard mkfifo(gate, 0o600) == 0 else { throw TestFailure("mkfifo: \(errno)") }
            try withBundle(Self.program("I am slow", "open(\"\(gate)\").read()")) { bundle in
                try play([bundle]) { terminal in
                    try terminal.wait(for: "the extension is working", "hello from the extension")
                    guard number == 0 else {
                        #expect(try terminal.end(typing: "\u{3}").code == .code(130))
                        return
                    }
                    // A key that comes meanwhile is handled later.
                    try terminal.type("q")
                    try FileHandle(forWritingTo: URL(filePath: gate)).close()
                    let end = try terminal.end()
                    #expect(end.code == .code(0))
                    #expect(end.output.contains("I am slow"))
                }
            }
        }
    }

    @Test("Control-Z gives the terminal back and stops the command, which draws again when it is continued")
    func suspends() throws {
        try withBundle { bundle in
            try withTemporaryDirectory { folder in
                let terminal = try PushTerminal(job: ["push", bundle], folder)
                try terminal.wait(for: "I am fine")
                terminal.forget()
                try terminal.type("\u{1A}")
                try terminal.wait(for: "stopped")
                try terminal.wait(for: "I am fine")
                let end = try terminal.end(typing: "q")
                #expect(end.code == .code(0))
                let parts = end.output.components(separatedBy: "stopped")
                #expect(parts.count == 2)
                #expect(parts[0].hasSuffix("\u{1B}[?25h\u{1B}[?1049l") && parts[1].contains("\u{1B}[?1049h"))
            }
        }
    }

    // MARK: In the browser

    private func edit(_ say: String) -> JSON {
        let payload = #"{"aps":{"alert":"x","category":"kit"},"say":"\#(say)"}"#
        return ["type": "edit", "text": .string(payload)]
    }

    @Test(
        "The preview says that it waits for a stuck extension, gives it up for a newer text, and shows only the newest"
    )
    func stuckPreview() throws {
        let body = """
            say = notification.request.content.user_info.get("say", "")
                    while say == "stuck": pass
                    self.context.view = View.text("It says " + say)
                    return
            """
        try withBundle(Self.program("x", body)) { bundle in
            try PreviewRun.open([bundle]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("It says ") }
                try window.send(edit("stuck"))
                try window.wait("waiting") { $0["seconds"]?.integer ?? 0 >= 1 }
                for say in ["one", "two"] {
                    try window.send(edit(say))
                    try window.send(["type": "choose", "name": "locale", "value": .string(say)])
                }
                try window.send(edit("three"))
                let picture = try window.wait("picture") { picture in
                    #expect(!picture.html.contains("It says one") && !picture.html.contains("It says two"))
                    // A choice between the edits shows the stuck text again, which is given up too.
                    #expect(picture["problem"]?.string?.contains("did not answer") != true)
                    return picture.html.contains("It says three")
                }
                #expect(picture["problem"] == .null)
                #expect(window.state["waiting"]?["seconds"] == .null)
            }
        }
    }

    @Test("The preview shows a bundle again after a syntax error was made and repaired, and the traceback meanwhile")
    func repairedPreview() throws {
        try withBundle { bundle in
            try PreviewRun.open([bundle]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("I am fine") }
                try write("#!/usr/bin/env python3\ndef x(", source(bundle))
                try window.wait("picture") { $0["problem"]?.string?.contains("SyntaxError") == true }
                try write(Self.program("I am repaired"), source(bundle))
                try window.wait("picture") { $0.html.contains("I am repaired") && $0["problem"] == .null }
            }
        }
    }
}
