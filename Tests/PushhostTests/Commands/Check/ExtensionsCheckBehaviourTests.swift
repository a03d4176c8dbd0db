import TestSupport
import Testing

/// The findings of `pushhost extensions check` about what the process of an extension does.
@Suite(.waits, .wire) struct ExtensionsCheckBehaviourTests {
    private static let flaws = [
        BundleFlaw("exits", place: "handshake", message: "exited with code 5") {
            $0.behaviour = "exitsBeforeActivate"
        },
        BundleFlaw("refuses", place: "handshake", message: "not on a Sunday") {
            $0.behaviour = "refusesActivate"
        },
        BundleFlaw("version", place: "handshake", message: "with a version") { $0.behaviour = "badVersion" },
        BundleFlaw("crash", place: "notification", message: "exited with code 3") {
            $0.behaviour = "exitsInCall"
        },
        BundleFlaw("view", place: "notification", message: "needs a type") { $0.behaviour = "badView" },
        BundleFlaw("option", place: "response", message: "option must be one of") {
            $0.behaviour = "badOption"
        },
        BundleFlaw(
            "refusal",
            place: "notification",
            message: "provide a payload that the extension accepts",
            severity: "warning"
        ) {
            $0.behaviour = "refuses"
        },
        BundleFlaw("save", place: "a generated payload", message: "may not touch") {
            $0.behaviour = "savesElsewhere"
        },
        BundleFlaw("print", place: "stdout", message: "print anything else to stderr") {
            $0.behaviour = "garbageFirst"
        },
        BundleFlaw("stays", place: "stop", message: "exit when stdin ends", options: ["--stop-grace", "300"]) {
            $0.behaviour = "ignoresTheEnd"
        },
        BundleFlaw("orphan", place: "stop", message: "which had to be killed") {
            $0.behaviour = "escapedGrandchild"
        },
    ]

    @Test("An extension that misbehaves is reported with the step in which it did", arguments: flaws)
    func behaviour(flaw: BundleFlaw) throws { try flaw.expectFinding() }

    @Test("The finding of a failed step is followed by the end of stderr")
    func standardError() throws {
        let run = try CheckedBundle.check { $0.behaviour = "exitsInCall" }
        #expect(run.output.contains("\n         | "), "\(run.output)")
    }

    @Test("The finding of a step has no stderr of an earlier one")
    func earlierErrors() throws {
        let run = try CheckedBundle.with { bundle in
            try bundle.make()
            let program = "exec '\(try builtProduct("hostile-extension"))' good"
            let script = "#!/bin/sh\necho early >&2\nsleep 600 < /dev/null > /dev/null 2>&1 &\n\(program)\n"
            try writeExecutable(script, to: "\(bundle.folder)/run")
            return try CommandRun.check([bundle.folder])
        }
        #expect(run.lines("error").contains { $0.contains("it left a process of its group behind") }, "\(run.output)")
        #expect(!run.output.contains("early"), "\(run.output)")
    }
}
