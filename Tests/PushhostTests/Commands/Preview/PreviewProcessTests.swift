import Foundation
import JSON
import TestSupport
import Testing

/// The windows, the host and the extensions of a preview, each of which may end or hang, and its command line.
@Suite(.waits) struct PreviewProcessTests {
    @Test("Two windows show the same, and each knows who edited")
    func twoWindows() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            let (one, two) = (try run.window(), try run.window())
            let (first, second) = (try one.wait("welcome")["window"], try two.wait("welcome")["window"])
            #expect(first != second)
            try one.send(PreviewRun.edit(PreviewRun.payload(title: "From one")))
            try two.wait("picture") { $0.html.contains("From one") }
            #expect(two.state["editor"]?["author"] == first)
            try two.send(["type": "touch", "element": "email", "value": "from@two"])
            try one.wait("picture") { $0.html.contains("from@two") }
            try two.send(["type": "choose", "name": "scheme", "value": "dark"])
            try one.wait("picture") { $0.html.contains("pn-dark") && $0.html.contains("from@two") }
            try one.send(["type": "choose", "name": "textSize", "value": "accessibility-large"])
            try two.wait("picture") { $0.html.contains("--body:33px") }
        }
    }

    @Test("A window that does not read is dropped with a message, and the others go on")
    func laggingWindow() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            let (lagging, window) = (try run.window(), try run.window())
            let padding = String(repeating: " ", count: 200 << 10)
            // More than the system's buffers and those of the preview hold.
            for number in 0..<400 {
                try window.send(PreviewRun.edit(PreviewRun.payload(title: "Edit \(number)") + padding))
                try window.wait("picture") { $0.html.contains("Edit \(number)<") }
            }
            let (code, reason) = try lagging.waitForClose()
            #expect(code == 1013 && reason == "this window did not keep up")
        }
    }

    @Test("An extension that crashes and a host that is killed are shown, and the next push shows a notification again")
    func crashes() throws {
        try withTemporaryDirectory { folder in
            let program = """
                #!/usr/bin/env python3
                import os
                import sys
                from pushhost_extension import NotificationContentExtension, View, main


                class Fragile(NotificationContentExtension):
                    def did_receive(self, notification):
                        info = notification.request.content.user_info
                        if "crash" in info:
                            print("out of cheese", file=sys.stderr, flush=True)
                            os._exit(3)
                        self.context.view = View.text("I am fine: " + info.get("say", ""))


                main(Fragile)
                """
            try Kit.python.makeBundle("\(folder)/fragile", program: program, name: "fragile")
            let payload = "\(folder)/fragile/payload.apns"
            try Data(#"{"aps":{"alert":"x","category":"kit"},"say":"1"}"#.utf8).write(to: URL(filePath: payload))
            try PreviewRun.open([payload]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("I am fine: 1") }
                try window.send(PreviewRun.edit(#"{"aps":{"alert":"x","category":"kit"},"crash":"1"}"#))
                let crashed = try window.wait("picture") { $0["problem"]?.string != nil }
                #expect(crashed["problem"]?.string?.contains("exited with code 3") == true, "\(crashed)")
                #expect(crashed["problem"]?.string?.contains("out of cheese") == true, "\(crashed)")
                try window.waitForEntry("stderr", "out of cheese")
                try window.waitForEntry("end", "ended")
                try window.waitForEntry("log", "warning pushhost: ")
                try window.send(PreviewRun.edit(#"{"aps":{"alert":"x","category":"kit"},"say":"2"}"#))
                try window.wait("picture") { $0.html.contains("I am fine: 2") && $0["problem"] == .null }
                let host = try #require(try Processes.children(of: run.process.pid).first)
                kill(host, SIGKILL)
                try window.wait("host") { $0["isRunning"] == false }
                try window.wait("picture") { $0["problem"]?.string?.contains("the host") == true }
                // What is pushed arrives as a banner.
                try window.send(["type": "push"])
                try window.wait("picture") { $0["state"] == "banner" }
                try window.send(["type": "choose", "name": "part", "value": "expanded"])
                try window.wait("picture") { $0.html.contains("I am fine: 2") }
                #expect(window.state["host"]?["isRunning"] == true)
            }
        }
    }

    @Test("The clock can be fixed in the page; one that is none is named, and the preview goes on")
    func clock() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            let window = try run.window()
            try window.wait("choices")
            try window.send(["type": "choose", "name": "clock", "value": "tomorrow"])
            try window.wait("notice") { $0["text"]?.string?.hasPrefix("Clock: write a time such as 9:41 or ") == true }
            #expect(window.state["host"]?["isRunning"] == true)
            try window.send(["type": "choose", "name": "clock", "value": "2030-01-01T00:00:00Z"])
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            let records = try window.wait("records") { $0["count"] == 3 }
            #expect(records["records"]?[0]?["record"]?["time"]?.string?.hasPrefix("2030-01-01T00:00:00.") == true)
        }
    }

    @Test(
        "A choice ends a host that does not answer, and a signal that comes meanwhile is noticed afterwards",
        .enabled(if: Processes.areListed)
    )
    func signalDuringEnd() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            let window = try run.window()
            try window.wait("picture") { $0["state"] == "expanded" }
            let host = try #require(try Processes.children(of: run.process.pid).first)
            // A stopped host does not end before it goes on; that it was asked to is seen from outside.
            kill(host, SIGSTOP)
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "choose", "name": "clock", "value": "2030-01-01T00:00:00Z"])
            try Processes.wait(for: "the end of the host") { Processes.hasPending(SIGTERM, host) }
            run.process.kill(SIGTERM)
            try Processes.wait(for: "the signal") { !Processes.hasPending(SIGTERM, run.process.pid) }
            kill(host, SIGCONT)
            #expect(try run.process.wait() == .code(128 + SIGTERM))
        }
    }

    @Test(
        "A wrong command line is refused before a page is served",
        arguments: [
            (["/nowhere.apns"], 66, "/nowhere.apns: there is no such file"),
            (["-"], 64, "stdin cannot be watched"), (["--port", "70000"], 64, "70000"),
            (["--clock", "soon"], 64, "an RFC 3339 time"),
            ([PreviewRun.register, "--profile", "/nowhere.json"], 66, "/nowhere.json: there is no such file"),
        ]
    )
    func refused(arguments: [String], code: Int32, text: String) throws {
        try withTemporaryDirectory { folder in
            let run = try CommandRun(["preview"] + arguments, temporaryFolder: folder)
            #expect(run.output == "")
            #expect(run.status == .code(code))
            #expect(run.standardError.contains(text), "\(run.standardError)")
        }
    }

    @Test("A port that is in use is named, and SIGINT ends the preview too")
    func port() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            try withTemporaryDirectory { folder in
                let arguments = ["preview", PreviewRun.register, "--port", "\(run.port)"]
                let process = try PushRun.startProgram(arguments, folder)
                #expect(try process.wait() == .code(69))
                #expect(process.standardError.contains("--port \(run.port): 127.0.0.1:\(run.port) cannot be used"))
            }
        }
    }
}
