import Foundation
import JSON
import TestSupport
import Testing

/// How `pushhost replay` shows lines that were inserted or removed.
@Suite(.waits, .wire) struct ReplayDiffTests {
    /// An extension that saves the events in a file, one name for each line, and then shows a text.
    static let script = """
        read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
        read -r line
        shown=$(printf '%s' "$line" | sed 's/.*"notification":"\\([^"]*\\)".*/\\1/')
        n=0
        while IFS= read -r name <&3; do
            n=$((n + 1))
            printf '{"jsonrpc":"2.0","id":%s,"method":"saveCustomEvent","params":{"name":"%s","notification":"%s"}}\\n' "$n" "$name" "$shown"
            read -r answer
        done 3< events
        printf '{"jsonrpc":"2.0","id":2,"result":{"view":%s}}\\n' "$(cat view)"
        read line
        """

    static let show =
        #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"saves"}}}}"#
    static let pending = #"{"jsonrpc":"2.0","id":2,"method":"pending","params":{"suite":"\#(Workspace.group)"}}"#

    /// Records a session with this extension, changes what the extension does, and runs the body.
    static func recorded(
        _ options: [String] = ReplayTests.fixed,
        _ lines: [String] = [show, pending],
        events: [String] = ["Opened", "Copied"],
        _ body: (_ file: String, _ change: ([String]) throws -> Void, _ workspace: Workspace) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "saves", script: "cd '\(workspace.plugins)/saves'\n" + script)
            let change = { (events: [String]) in
                try Data(events.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: "\(folder)/events"))
            }
            try change(events)
            try Data(#"{"type":"text","text":"Hello"}"#.utf8).write(to: URL(filePath: "\(folder)/view"))
            let file = try ReplayTests.record(lines, options + ["--plugins", workspace.plugins], in: workspace.root)
            #expect(try runPushhost(["replay", file]).status == .code(0))
            try body(file, change, workspace)
        }
    }

    /// The lines of a report that say what differs, without files and contents.
    static func titles(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  /") }
    }

    @Test("A new call is shown as an insertion, and ids, numbers and times that it shifts are not differences")
    func insertion() throws {
        try Self.recorded { file, change, _ in
            try change(["Opened", "Viewed Coupon", "Copied"])
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(1))
            #expect(
                Self.titles(run.output) == [
                    "  com.example.saves to host: + saveCustomEvent Viewed Coupon", "  host to client, of pending",
                ],
                "\(run.output)"
            )
            #expect(run.output.contains(#"    + {"jsonrpc":"2.0","id":2,"method":"saveCustomEvent""#), "\(run.output)")
            #expect(run.output.contains("at /result/records/1\n      - (absent)\n      + {"), "\(run.output)")
            #expect(!run.output.contains("/id\n") && !run.output.contains("/time\n"), "\(run.output)")
        }
    }

    @Test("A missing call is shown as a deletion with its line")
    func deletion() throws {
        try Self.recorded(ReplayTests.fixed, [Self.show]) { file, change, _ in
            try change(["Copied"])
            let run = try runPushhost(["replay", file])
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let number = try #require(lines.firstIndex { $0.contains("Opened") }) + 1
            #expect(
                run.output.hasPrefix(
                    "DIFFERS  \(file)\n  \(file):\(number)\n"
                        + "  com.example.saves to host: - saveCustomEvent Opened\n    - {"
                ),
                "\(run.output)"
            )
            #expect(Self.titles(run.output).count == 1, "\(run.output)")
        }
    }

    @Test("A renamed event is one difference with both names, although another event was inserted before it")
    func renamed() throws {
        try Self.recorded(ReplayTests.fixed, [Self.show]) { file, change, _ in
            try change(["Opened", "Copied Code"])
            let run = try runPushhost(["replay", file])
            #expect(
                run.output.contains("  com.example.saves to host, of saveCustomEvent\n    at /params/name\n"),
                "\(run.output)"
            )
            #expect(run.output.contains("      - \"Copied\"\n      + \"Copied Code\"\n"), "\(run.output)")
            try change(["New", "Opened", "Copied Code"])
            let both = try runPushhost(["replay", file])
            #expect(
                Self.titles(both.output) == [
                    "  com.example.saves to host: + saveCustomEvent New",
                    "  com.example.saves to host, of saveCustomEvent",
                ],
                "\(both.output)"
            )
        }
    }

    @Test("Ids that differ without an insertion are differences")
    func ids() throws {
        try Self.recorded(ReplayTests.fixed, [Self.show]) { file, _, _ in
            try ReplayTests.change(file) { lines in
                lines.map {
                    $0.replacing(#"\"id\":2,\"method\":\"save"#, with: #"\"id\":7,\"method\":\"save"#)
                        .replacing(#"\"id\":2,\"result\":{\"id\":2}"#, with: #"\"id\":7,\"result\":{\"id\":2}"#)
                }
            }
            let run = try runPushhost(["replay", file])
            #expect(run.output.contains("    at /id\n      - 7\n      + 2\n"), "\(run.output)")
        }
    }

    @Test("Text from outside cannot control a terminal")
    func escaped() throws {
        try Self.recorded(ReplayTests.fixed, [Self.show]) { file, change, _ in
            try change(["\u{9B}31mRed"])
            let run = try runPushhost(["replay", file])
            #expect(run.output.contains(#"+ "\u{9b}31mRed""#), "\(run.output)")
            #expect(!run.output.contains("\u{9B}"))
        }
    }

    @Test("A view that differs is drawn as it was and as it is now, once, in place of both lines")
    func views() throws {
        try Self.recorded(ReplayTests.fixed, [Self.show]) { file, _, workspace in
            let view = "\(workspace.plugins)/saves/view"
            let now =
                #"{"type":"stack","children":[{"type":"text","text":"Hi"},{"type":"button","id":"ok","title":"OK"}]}"#
            try Data(now.utf8).write(to: URL(filePath: view))
            let drawings = { (top: String, side: String, bottom: String) in
                """
                    - recorded
                      Hello
                    + now
                      Hi
                      \(top)
                      \(side)  OK  \(side)
                      \(bottom)

                """
            }
            for (locale, drawing) in [
                ("C.UTF-8", drawings("╭─ ok ─╮", "│", "╰──────╯")), ("C", drawings("+- ok -+", "|", "+------+")),
            ] {
                var environment = ProcessInfo.processInfo.environment
                environment["LC_ALL"] = locale
                let run = try runPushhost(["replay", file], environment: environment)
                #expect(run.output.contains(drawing), "\(run.output)")
                #expect(run.output.components(separatedBy: "- recorded\n").count == 2, "\(run.output)")
                #expect(run.output.contains("    the views are those above\n"), "\(run.output)")
                #expect(run.output.contains("    at /result/view/type\n      - \"text\"\n      + \"stack\"\n"))
            }
        }
    }

    @Test(
        "Without a fixed clock, what extensions save is compared too, in any order",
        arguments: [
            (["Opened", "Copied"], []), (["Copied", "Opened"], []),
            (["Opened", "Viewed", "Copied"], ["  com.example.saves to host: + saveCustomEvent Viewed"]),
            (["Copied"], ["  com.example.saves to host: - saveCustomEvent Opened"]),
            (["Copied", "Closed"], ["  com.example.saves to host, of saveCustomEvent"]),
            (["Opened", "Copied", "Copied"], ["  com.example.saves to host: + saveCustomEvent Copied"]),
        ] as [([String], [Substring])]
    )
    func effects(events: [String], titles: [Substring]) throws {
        try Self.recorded([], [Self.show]) { file, change, _ in
            try change(events)
            let run = try runPushhost(["replay", file])
            #expect(Self.titles(run.output) == titles, "\(run.output)")
            #expect(run.status == .code(titles.isEmpty ? 0 : 1))
            let isSubset = titles.allSatisfy { $0.contains(" + ") }
            let subset = try runPushhost(["replay", "--mode", "subset", file])
            #expect(subset.status == .code(isSubset ? 0 : 1), "\(subset.output)")
        }
    }

    @Test("The times that an extension gives its events are compared only if the clock is fixed")
    func times() throws {
        for (options, status) in [([], 0), (ReplayTests.fixed, 1)] as [([String], Int32)] {
            try Self.recorded(options, [Self.show], events: [#"A","time":"2026-01-02T00:00:00Z"#]) { file, change, _ in
                try change([#"A","time":"2026-01-03T00:00:00Z"#])
                let run = try runPushhost(["replay", file])
                #expect(run.status == .code(status), "\(run.output)")
            }
        }
    }
}
