import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// The topic `$/stderr`.
@Suite(.waits, .wire) struct StandardErrorTopicTests {
    private func lines(_ notifications: [JSON]) -> [JSON] {
        notifications.filter { $0["method"] == "$/stderr" }.compactMap { $0["params"] }
    }

    @Test("A line comes before the answer and the end of the extension that wrote it")
    func order() throws {
        try Workspace.open { workspace in
            let bundle = "\(workspace.plugins)/kit"
            let program = """
                #!/usr/bin/env python3
                import os
                import sys
                from pushhost_extension import NotificationContentExtension, View, main


                class Talker(NotificationContentExtension):
                    def did_receive(self, notification):
                        self.context.view = View.button("Say", id="say")
                        print("one\\n\\ntwo")

                    def interact(self, interaction):
                        print("three " + "x" * 5000 + "\\nwithout end", end="", file=sys.stderr, flush=True)
                        os._exit(3)


                main(Talker)
                """
            try Kit.python.makeBundle(bundle, program: program, name: "talker")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/stderr", "didDismiss"]])
            let shown = try host.result("didReceive", HostProcess.payload("kit"))
            #expect(lines(host.notifications).map { $0["line"] } == ["one", "two"])
            #expect(
                lines(host.notifications).allSatisfy { $0["extension"] == "com.example.kit" && $0["missed"] == nil }
            )
            let notification = try #require(shown["notification"])
            let error = try host.error("interact", ["notification": notification, "element": "say"])
            #expect(error.data?["exitCode"] == 3)
            // A long line comes in pieces, and one without its end when the process ends.
            let all = host.notifications.map { $0["method"] == "$/stderr" ? $0["params"]?["line"]?.string?.count : nil }
            #expect(all == [3, 3, 4_096, 910, 11, nil])
            #expect(host.notifications.last?["method"] == "didDismiss")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A client that does not read misses lines, is told how many, and the host does not keep them")
    func flood() throws {
        try Workspace.open { workspace in
            let bundle = "\(workspace.plugins)/kit"
            let (count, done) = (60_000, "\(workspace.root)/done")
            let program = """
                #!/usr/bin/env python3
                import sys
                from pushhost_extension import NotificationContentExtension, View, main


                class Flood(NotificationContentExtension):
                    def did_receive(self, notification):
                        self.context.view = View.button("Say", id="say")
                        for number in range(\(count)):
                            print("a line that is longer than others", number, file=sys.stderr)
                        open("\(done)", "w").close()

                    def interact(self, interaction):
                        print("the last line")


                main(Flood)
                """
            try Kit.python.makeBundle(bundle, program: program, name: "flood")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/stderr"]])
            let payload = HostProcess.payload("kit")
            try host.send(["jsonrpc": "2.0", "id": "flood", "method": "didReceive", "params": payload])
            try Processes.wait(for: "the end of the flood") { FileManager.default.fileExists(atPath: done) }
            let notification = try #require(try host.reply()["result"]?["notification"])
            try host.result("interact", ["notification": notification, "element": "say"])
            let last = try #require(lines(host.notifications).last)
            #expect(last["line"] == "the last line")
            let missed = lines(host.notifications).compactMap { $0["missed"]?.integer }.reduce(0, +)
            #expect(missed > 0)
            #expect(Int(missed) + lines(host.notifications).count == count + 1)
            #expect(try host.finish() == .code(0))
        }
    }
}
