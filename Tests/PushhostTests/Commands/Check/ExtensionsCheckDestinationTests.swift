import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions check` of a destination.
@Suite(.waits, .wire) struct ExtensionsCheckDestinationTests {
    /// Does what its first argument says when it receives a batch.
    private static let program = """
        #!/usr/bin/env python3
        import json, os, sys

        BEHAVIOUR = "@"
        def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

        for message in map(json.loads, sys.stdin):
            if "id" not in message or "method" not in message: continue
            id, params = message["id"], message["params"]
            if message["method"] == "activate":
                if params["environment"].get("TRIED_KEY") == "s3cret": send(id=id, result={"version": "1.0"})
                else: send(id=id, error={"code": 1, "message": "TRIED_KEY is missing"})
            elif params != {"suite": "standard", "batch": []}: send(id=id, result={"stop": str(params)})
            elif BEHAVIOUR == "refuses": send(id=id, error={"code": 1, "message": "not today"})
            elif BEHAVIOUR == "accepts": send(id=id, result={"accepted": [1]})
            elif BEHAVIOUR == "gives up": send(id=id, result={"stop": "the key is wrong"})
            elif BEHAVIOUR == "a number": send(id=id, result=1)
            elif BEHAVIOUR == "exits": os._exit(3)
            elif BEHAVIOUR == "waits": open("waiting", "w").close()
            else:
                if BEHAVIOUR == "saves": send(id="s", method="saveCustomEvent", params={"name": "x"})
                if BEHAVIOUR == "logs": send(method="log", params=["warning", "look"])
                send(id=id, result={})
        """

    private func withBundle(
        _ behaviour: String = "good",
        _ attributes: [String: Any] = [:],
        _ body: (CheckedBundle) throws -> Void
    ) throws {
        try withTemporaryDirectory { root in
            var bundle = CheckedBundle("\(root)/bundle")
            bundle.nsExtension["NSExtensionPointIdentifier"] = "pushhost.destination"
            let usual: [String: Any] = ["PushhostDestinationName": "tried", "PushhostEnvironment": ["TRIED_KEY"]]
            bundle.attributes = usual.merging(attributes) { $1 }
            bundle.entitlements = [:]
            try bundle.make()
            let program = Self.program.replacing("@", with: behaviour)
            try writeExecutable(program, to: "\(bundle.folder)/run")
            try body(bundle)
        }
    }

    private func check(_ behaviour: String = "good", _ attributes: [String: Any] = [:]) throws -> CommandRun {
        var run: CommandRun?
        try withBundle(behaviour, attributes) { bundle in
            run = try CommandRun.check([bundle.folder], environment: ["TRIED_KEY": "s3cret"])
        }
        return try #require(run)
    }

    @Test("A valid destination is started with the variables that it names, given an empty batch and stopped")
    func good() throws {
        let run = try check()
        #expect(run.status == .code(0), "\(run)")
        #expect(run.standardError == "", "\(run)")
        let places = run.lines("ok").map { $0.dropFirst(9).prefix { $0 != ":" } }
        #expect(places == ["permissions", "Info.plist", "load", "handshake", "deliver", "stop"], "\(run.output)")
        #expect(run.output.contains("for tried"), "\(run.output)")
        #expect(run.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(run.output)")
        #expect(!run.output.contains("s3cret"))
    }

    @Test("Unset variables are no warning, because they may be optional; the destination's own refusal is an error")
    func unset() throws {
        try withBundle { bundle in
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(1))
            #expect(run.lines("warning") == [], "\(run.output)")
            let unset = "environment: TRIED_KEY: not set here, so the destination does not get it"
            #expect(run.lines("skipped").map { String($0.dropFirst(9)) } == [unset], "\(run.output)")
            #expect(run.lines("error").count == 1, "\(run.output)")
            #expect(run.output.contains("handshake: "), "\(run.output)")
            #expect(run.output.contains("refused: TRIED_KEY is missing"), "\(run.output)")
        }
    }

    @Test("A destination whose further variables are not set checks clean")
    func optional() throws {
        let run = try check("good", ["PushhostEnvironment": ["TRIED_KEY", "TRIED_SIZE", "TRIED_PROXY"]])
        #expect(run.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(run.output)")
        #expect(run.output.contains("TRIED_SIZE, TRIED_PROXY: not set here, so the destination does not get them"))
    }

    @Test(
        "extensions check reports each mistake of a destination's process",
        arguments: [
            ("refuses", "warning", "deliver: com.example.checked refused: not today"),
            ("gives up", "warning", "the key is wrong"), ("logs", "warning", "log: look"),
            ("accepts", "error", "accepted names the record 1"),
            ("a number", "error", "must be answered with an object"),
            ("exits", "error", "exited with code 3"), ("saves", "error", "refused its saveCustomEvent"),
        ]
    )
    func misbehaviours(behaviour: String, severity: String, message: String) throws {
        let run = try check(behaviour)
        #expect(run.status == .code(severity == "error" ? 1 : 0), "\(run.output)")
        #expect(run.lines(severity).filter { $0.contains(message) }.count == 1, "\(run.output)")
        #expect(run.lines("error").count + run.lines("warning").count == 1, "\(run.output)")
    }

    @Test(
        "A destination's Info.plist is checked for the keys of a destination",
        arguments: [
            ("PushhostDestinationNam", "did you mean PushhostDestinationName?"),
            ("PushhostDestinationname", "must be written PushhostDestinationName"),
            ("PushhostKey", "the host does not know PushhostKey"),
            ("UNNotificationExtensionCategory", "only a content extension has it"),
            ("CFBundleName", "move it to the root"),
        ]
    )
    func keys(key: String, message: String) throws {
        let run = try check("good", [key: "x"])
        #expect(run.status == .code(1))
        #expect(
            run.lines("error").filter { $0.contains("Info.plist: ") && $0.contains(message) }.count == 1,
            "\(run.output)"
        )
        #expect(run.lines("error").count == 1, "\(run.output)")
    }

    @Test(
        "A destination's attribute in another kind of bundle is an error",
        arguments: [
            ("PushhostDestinationName", "only a destination (pushhost.destination) has it"),
            ("PushhostEnvironment", "is ignored"),
        ]
    )
    func otherPoint(key: String, message: String) throws {
        try withTemporaryDirectory { root in
            var bundle = CheckedBundle("\(root)/bundle")
            bundle.attributes?[key] = "x"
            try bundle.make()
            let run = try CommandRun.check([bundle.folder])
            #expect(run.lines("error").count == 1, "\(run.output)")
            #expect(run.output.contains(message), "\(run.output)")
        }
    }

    @Test(
        "A check of a destination that is ended by a signal exits with its number and leaves no process behind",
        .processesAreListed
    )
    func signal() throws {
        try withBundle("waits") { bundle in
            try withTemporaryDirectory { temporary in
                let check = try ChildProcess.command(
                    ["extensions", "check", bundle.folder],
                    environment: ProcessInfo.processInfo.environment.merging(["TRIED_KEY": "s3cret"]) { $1 },
                    temporaryFolder: temporary
                )
                let mark = "\(bundle.folder)/waiting"
                try Processes.wait(for: "the batch") { FileManager.default.fileExists(atPath: mark) }
                #expect(try !Processes.family(in: bundle.folder).isEmpty)
                check.kill(SIGTERM)
                _ = try check.readToEnd()
                #expect(try check.wait() == .code(128 + SIGTERM))
                #expect(try Processes.family(in: bundle.folder).isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
            }
        }
    }
}
