import Foundation
import JSON
import TestSupport
import Testing

/// What the preview keeps of a session: its timeline, its report, its records and the session that it saves.
@Suite(.waits) struct PreviewTimelineTests {
    @Test("The timeline has the user's calls, their answers, records at their suite and what a flush would send")
    func timeline() throws {
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window()
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(["type": "choose", "name": "destination", "value": "file"])
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            try window.waitForEntry("flush", "would send 3 records")
            let entries = window.timeline
            let press = try #require(entries.last { $0["from"] == "client" && $0["kind"] == "call" })
            #expect(press["text"] == "didReceiveResponse REGISTER" && press["to"] == "host")
            let answer = try #require(entries.last { $0["call"] == press["n"] })
            #expect(answer["kind"] == "answer" && answer["duration"]?.integer != nil)
            let saved = entries.filter { $0["kind"] == "saved" }
            #expect(saved.map { $0["to"] } == Array(repeating: "suite group.com.example.pushhost", count: 3))
            #expect(saved.first?["text"] == "event Registered for Certification")
            #expect(entries.last { $0["kind"] == "flush" }?["to"] == "destination file")
            // What the page asks to find out what it shows is no step of the user.
            let methods = ["subscribe", "suites", "pending", "flushPending", "checkPayload", "extensions"]
            #expect(!entries.contains { $0["text"]?.string.map(methods.contains) ?? false })
            let lanes = try #require(window.state["lanes"]?["lanes"]?.array).map { $0["title"]?.string }
            #expect(lanes == ["You", "Host", "register", "group.com.example.pushhost", "file"])
        }
    }

    @Test("A report has the steps, the payload and the versions, and no secret of a destination")
    func report() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try workspace.add(
                named: "tried",
                point: "pushhost.destination",
                script: """
                    exec python3 -c '
                    import json, sys
                    environment = json.loads(sys.stdin.readline())["params"]["environment"]
                    print("key", environment["THE_KEY"], file=sys.stderr, flush=True)
                    for id, result in (1, {"version": "1.0"}), (2, {"stop": environment["THE_KEY"]}), (3, {}):
                        if id > 1: sys.stdin.readline()
                        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
                    '
                    """,
                attributes: ["PushhostDestinationName": "tried", "PushhostEnvironment": ["THE_KEY"]]
            )
            let arguments = [PreviewRun.register, "--plugins", PreviewRun.plugins, "--plugins", workspace.plugins]
            try PreviewRun.open(arguments, environment: ["THE_KEY": "s3cret/key"]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
                try window.send(["type": "choose", "name": "destination", "value": "tried"])
                try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
                try window.send(["type": "action", "action": "REGISTER"])
                try window.waitForEntry("stderr", "key [THE_KEY]")
                try window.send(["type": "export", "format": "report"])
                let file = try window.wait("export")
                let text = try #require(file["text"]?.string)
                #expect(file["name"] == "bug-report.md")
                for wanted in [
                    "## Steps", "4. Press “REGISTER”", "\"cert_title\"", "tried: key [THE_KEY]", "- SQLite 3",
                    "- Text size: large", "- Device: iphone-16",
                ] {
                    #expect(text.contains(wanted), "\(wanted) in \(text)")
                }
                #expect(!text.contains("s3cret") && !text.contains("## Text in the editor"), "\(text)")
                // What is written since was not shown, and a push says so.
                try window.send(PreviewRun.edit("{"))
                try window.send(["type": "push"])
                try window.wait("notice") { $0["text"]?.string?.hasPrefix("Not pushed: ") == true }
                try window.send(["type": "export", "format": "report"])
                let other = try window.wait("export") { $0["text"] != file["text"] }["text"]?.string ?? ""
                #expect(other.contains("## Text in the editor, which was not shown\n\n```json\n{\n```"), "\(other)")
                #expect(other.contains("\"cert_title\""), "\(other)")
            }
        }
    }

    @Test("The steps since the last push are saved as a session that pushhost replay accepts")
    func session() throws {
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window()
            // What was done before the push is no part of the session.
            try window.send(["type": "touch", "element": "email", "value": "before@example.com"])
            try window.wait("picture") { $0.html.contains("before@example.com") }
            try window.send(PreviewRun.edit(PreviewRun.payload(title: "Session")))
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            try window.wait("picture") { $0.html.contains("Thanks") }
            try window.send(["type": "record"])
            let text = try #require(try window.wait("session")["text"]?.string)
            #expect(text.contains("Registered for Certification") && !text.contains("before@example.com"))
            let file = "\(run.folder)/session.jsonl"
            try Data(text.utf8).write(to: URL(filePath: file))
            let host = try hostCommand(unchecked: "replay starts its own host")[0]
            let replay = try ChildProcess(host, ["replay", file])
            let output = try replay.readToEnd()
            #expect(try replay.wait() == .code(0), "\(output)")
            #expect(output.contains("same "))
        }
    }

    @Test("The time in which a timer of the extension changed the view is a step of the saved session")
    func waits() throws {
        try AdvanceClockTests.withBundle { _, payload in
            try PreviewRun.open([payload]) { run in
                let window = try run.window()
                let touch: JSON = ["type": "touch", "element": "card"]
                for _ in 1...2 {
                    try window.send(touch)
                    try window.wait("picture") { $0.html.contains("open") }
                    try window.wait("picture") { $0.html.contains("closed") }
                }
                try window.send(["type": "record"])
                let text = try #require(try window.wait("session")["text"]?.string)
                let waits = text.split(separator: "\n").count {
                    $0.contains(#""from":"client""#) && $0.contains("advanceClock")
                }
                #expect(waits == 2, "\(text)")
                #expect(text.contains(#"\"title\":\"closed\""#))
            }
        }
    }

    @Test("Records are cleared by beginning again with new suites, not in a folder that the user named")
    func clear() throws {
        for own in [false, true] {
            try withTemporaryDirectory { folder in
                let data = own ? ["--data", folder] : []
                try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins] + data) { run in
                    let window = try run.window()
                    try window.send(PreviewRun.edit(PreviewRun.saving))
                    try window.wait("records") { $0["count"]?.integer ?? 0 > 0 && $0["canClear"] == .bool(!own) }
                    try window.send(["type": "clearRecords"])
                    // It is still expanded, so the notification that is shown again saves its event.
                    try window.send(["type": "choose", "name": "destination", "value": "file"])
                    let count: JSON = own ? 2 : 1
                    if own { try window.send(PreviewRun.edit(PreviewRun.saving + " ")) }
                    try window.wait("records") { $0["count"] == count }
                    let flush = try window.wait("flush") { $0["destination"] == "file" }
                    #expect(flush["text"]?.string?.contains("would send \(count) record") == true, "\(flush)")
                }
            }
        }
    }

    @Test("The timeline is bounded, and an unknown message, an unknown element and an unknown bundle change nothing")
    func bounds() throws {
        try PreviewRun.open([PreviewRun.register]) { run in
            let window = try run.window()
            try window.send(["type": "launch"])
            let notice = try window.wait("notice")
            #expect(notice["isError"] == true)
            try window.send(["type": "bundle", "bundle": "../../etc"])
            try window.send(["type": "touch", "element": "nothing"])
            try window.wait("picture") { $0["problem"]?.string?.contains("nothing") == true }
            for number in 0..<100 {
                try window.send(PreviewRun.edit(PreviewRun.payload(title: "Edit \(number)")))
                try window.wait("picture") { $0.html.contains("Edit \(number)<") }
            }
            let other = try run.window()
            let whole = try other.wait("timeline") { $0["whole"] == true }
            #expect(whole["entries"]?.array?.count == 300)
            #expect(window.timeline.count > 300)
        }
    }
}
