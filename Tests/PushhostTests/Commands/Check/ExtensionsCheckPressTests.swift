import Foundation
import TestSupport
import Testing

/// `pushhost extensions check` of what a person sees and touches, and of the time that it takes.
@Suite(.waits, .wire) struct ExtensionsCheckPressTests {
    /// Shows a button and a label, and does what its first argument says when they are touched.
    private static let program = """
        #!/usr/bin/env python3
        import json, sys

        BEHAVIOUR = "@"
        def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

        def save(notification, name):
            send(id="s", method="saveCustomEvent", params={"notification": notification, "name": name})
            return json.loads(sys.stdin.readline())

        VIEW = {"type": "stack", "children": [
            {"type": "text", "id": "label", "text": "Hello"},
            {"type": "button", "id": "use", "title": "" if BEHAVIOUR == "no title" else "Use"}]}
        touches = 0
        for message in map(json.loads, iter(sys.stdin.readline, "")):
            if "id" not in message or "method" not in message: continue
            id, method = message["id"], message["method"]
            if method == "activate": send(id=id, result={"version": "1.0"})
            elif method == "didReceive": send(id=id, result={"view": VIEW})
            elif method != "interact": send(id=id, error={"code": -32601, "message": "no handler"})
            elif message["params"]["element"] == "label": send(id=id, error={"code": 1, "message": "only a label"})
            elif message["params"]["element"] != "use": send(id=id, error={"code": 1, "message": "unknown"})
            else:
                touches += 1
                name = {"saves too much": "C" * 300, "saves too much first": "C" * (300 if touches == 1 else 3)}
                answer = save(message["params"]["notification"], name.get(BEHAVIOUR, "Used"))
                if "error" in answer: send(id=id, error={**answer["error"], "code": 1})
                elif BEHAVIOUR == "refuses": send(id=id, error={"code": 1, "message": "sold out"})
                else: send(id=id, result={"view": VIEW})
        """

    private func check(_ behaviour: String, _ options: [String]) throws -> CommandRun {
        try CheckedBundle.with { bundle in
            var bundle = bundle
            bundle.set("UserInteractionEnabled", true)
            try bundle.make()
            try writeExecutable(Self.program.replacing("@", with: behaviour), to: "\(bundle.folder)/run")
            return try CommandRun.check([bundle.folder] + options)
        }
    }

    @Test(
        "An element that never has an effect is reported: an error if the host refuses its saves, else a warning",
        arguments: [
            ("saves too much", "error", "at most 255 characters"), ("refuses", "warning", "sold out"),
        ]
    )
    func uselessButton(behaviour: String, severity: String, message: String) throws {
        let run = try check(behaviour, ["--only", "interact"])
        #expect(run.status == .code(severity == "error" ? 1 : 0), "\(run.output)")
        let found = run.lines(severity)
        #expect(found.count == 1 && run.lines("error").count + run.lines("warning").count == 1, "\(run.output)")
        let line = try #require(found.first)
        #expect(line.contains("interact: the element use never has an effect, 4 touches were refused: "))
        #expect(line.contains(message), "\(run.output)")
    }

    @Test("An element that works once is in order, and so is a label that refuses every touch")
    func usefulButton() throws {
        for behaviour in ["good", "saves too much first"] {
            let run = try check(behaviour, ["--only", "interact"])
            #expect(run.status == .code(0), "\(run.output)")
            #expect(run.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(run.output)")
            #expect(run.output.contains("8 touches of 2 elements"), "\(run.output)")
        }
    }

    @Test("What a view shows is looked at")
    func views() throws {
        let run = try check("no title", ["--only", "notification"])
        #expect(
            run.lines("warning").map { $0.dropFirst(9) } == [
                "view: the button use has no title, so nobody knows what it does"
            ]
        )
    }

    @Test("A check ends at its deadline with an error, and leaves the other steps out")
    func deadline() throws {
        let run = try check("good", ["--deadline", "1"])
        #expect(run.status == .code(1))
        let text =
            "deadline: the check took longer than 1 ms, so the rest of it was left out; raise the limit with --deadline"
        #expect(run.lines("error").map { String($0.dropFirst(9)) } == [text], "\(run.output)")
        #expect(!run.output.contains("deactivate"), "\(run.output)")
        #expect(try CommandRun.check(["/", "--deadline", "0"]).status == .code(64))
    }

    @Test("A named step that this bundle gives no occasion for is skipped with a word")
    func namedStep() throws {
        let run = try check("good", ["--only", "media", "--only", "notification"])
        #expect(run.lines("skipped").map { $0.dropFirst(9) } == [], "\(run.output)")
        let service = try CheckedBundle.with { bundle in
            var bundle = bundle
            bundle.nsExtension["NSExtensionPointIdentifier"] = "com.apple.usernotifications.service"
            bundle.attributes = [:]
            try bundle.make()
            return try CommandRun.check([bundle.folder, "--only", "interact"])
        }
        #expect(
            service.lines("skipped").map { $0.dropFirst(9) } == ["interact: this bundle gives no occasion for it"],
            "\(service.output)"
        )
    }

    @Test("On a terminal, one line says what runs; it is gone when the report is printed")
    func progress() throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            let parent = URL(filePath: bundle.folder).deletingLastPathComponent().path
            let terminal = try PushTerminal(["extensions", "check", bundle.folder, "--only", "notification"], parent)
            let (code, output) = try terminal.end()
            #expect(code == .code(0), "\(output)")
            #expect(output.contains("\r\(bundle.folder): extensions, call 1, "), "\(output)")
            #expect(output.contains(/, call 1, \d+ s\u{1B}\[K/), "\(output)")
            #expect(output.contains("\r\u{1B}[Kok "), "\(output)")
        }
    }
}
