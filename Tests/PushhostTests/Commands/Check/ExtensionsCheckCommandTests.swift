import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions check` as a command: options, exit codes, signals.
@Suite(.waits, .wire) struct ExtensionsCheckCommandTests {
    private func withBundle(_ behaviour: String = "good", _ body: (CheckedBundle) throws -> Void) throws {
        try withTemporaryDirectory { root in
            var bundle = CheckedBundle("\(root)/checked")
            bundle.behaviour = behaviour
            try bundle.make()
            try body(bundle)
        }
    }

    @Test("extensions check can print its report as one JSON object")
    func json() throws {
        try withBundle("exitsInCall") { bundle in
            let run = try CommandRun.check([bundle.folder, "--json"])
            #expect(run.status == .code(1))
            let report = try JSON(parsing: run.output)
            #expect(report["bundle"] == .string(bundle.folder))
            #expect(report["errors"] == 1)
            #expect(report["warnings"] == 0)
            let findings = try #require(report["findings"]?.array)
            #expect(findings.first?["severity"] == "ok")
            let error = try #require(findings.first { $0["severity"] == "error" })
            #expect(error["place"] == "notification")
            #expect(error["milliseconds"]?.integer != nil)
            #expect(error["stderr"]?.string?.isEmpty == false)
        }
    }

    @Test("extensions check exits with 66 for a path that is not a bundle, and with 64 for wrong arguments")
    func codes() throws {
        try withTemporaryDirectory { root in
            try Data().write(to: URL(filePath: "\(root)/file"))
            for (arguments, needed) in [
                (["\(root)/nowhere"], "there is no such folder or executable"),
                (["\(root)/file"], "it is not an executable file"),
                ([root], "it has no Info.plist"),
            ] {
                let run = try CommandRun.check(arguments)
                #expect(run.status == .code(66))
                #expect(run.output == "")
                #expect(run.standardError.contains(needed), "\(run.standardError)")
            }
            try Data().write(to: URL(filePath: "\(root)/info.plist"))
            #expect(try CommandRun.check([root]).standardError.contains("rename info.plist, case counts"))
            for arguments in [[], [root, root, "--payload", "\(root)/file"], [root, "--payloads", "x"]] {
                #expect(try CommandRun.check(arguments).status == .code(64), "\(arguments)")
            }
        }
    }

    @Test("The payload is the file that an option names, or the bundle's, or a generated one")
    func payload() throws {
        try withBundle { bundle in
            #expect(try CommandRun.check([bundle.folder]).output.contains("notification: a generated payload is shown"))
            let own = "\(bundle.folder)/payload.apns"
            try Data(#"{"aps":{"category":"checked","alert":{"title-loc-key":"NONE"}}}"#.utf8).write(
                to: URL(filePath: own)
            )
            let run = try CommandRun.check([bundle.folder, "--locale", "ko"])
            #expect(run.status == .code(0))
            #expect(run.output.contains("notification: payload.apns is shown"))
            #expect(run.lines("warning").contains { $0.contains("payload.apns: ") && $0.contains("locale ko") })
            let file = "\(bundle.folder)-payload"
            for (text, needed) in [
                (#"{"aps":{"alert":"x","category":"another"}}"#, "the payload does not reach this extension"),
                ("{", "it is not JSON"),
                (#"{"aps":{"category":"checked","content-available":1}}"#, "has no alert"),
                ("[]", "it must be an object"), (#"{"alert":"x"}"#, "needs a member aps"),
            ] {
                try Data(text.utf8).write(to: URL(filePath: file))
                let run = try CommandRun.check([bundle.folder, "--payload", file])
                #expect(run.status == .code(1))
                #expect(run.lines("error").count == 1, "\(run.output)")
                #expect(run.output.contains(needed), "\(run.output)")
            }
            #expect(try CommandRun.check([bundle.folder, "--payload", "/nowhere"]).status == .code(66))
        }
    }

    @Test("Several bundles are checked in order, and none of them if one does not exist")
    func several() throws {
        try withBundle("exitsInCall") { bundle in
            let good = "\(bundle.folder)-good"
            try CheckedBundle(good).make()
            let steps = ["--only", "notification"]
            let run = try CommandRun.check([bundle.folder, good] + steps)
            #expect(run.status == .code(1))
            #expect(run.output.contains("\n\n\(bundle.folder): 1 error, 0 warnings\n\nok "), "\(run.output)")
            #expect(run.output.hasSuffix("\n\n\(good): 0 errors, 0 warnings\n"), "\(run.output)")
            let lines = try CommandRun.check([good, bundle.folder, "--json"] + steps).output.split(separator: "\n")
            #expect(try lines.map { try JSON(parsing: String($0))["errors"] } == [0, 1])
            let missing = try CommandRun.check([good, "\(good)/nowhere"])
            #expect(missing.status == .code(66) && missing.output == "")
        }
    }

    @Test("A payload in a bundle's folder stands for the bundle")
    func payloadInBundle() throws {
        try withBundle { bundle in
            let own = "\(bundle.folder)/other.apns"
            try Data(#"{"aps":{"category":"checked","alert":"Hi"}}"#.utf8).write(to: URL(filePath: own))
            let run = try CommandRun.check([own, "--only", "notification"])
            #expect(run.status == .code(0), "\(run)")
            #expect(run.output.contains("notification: \(own) is shown"), "\(run.output)")
            #expect(run.output.hasSuffix("\n\(bundle.folder): 0 errors, 0 warnings\n"), "\(run.output)")
        }
    }

    @Test(
        "extensions check sends a notification to a service extension, and reports its failures as errors",
        arguments: [
            ("good", "went through it", 0), ("refuses", "not today", 1), ("exitsInCall", "exited with code 3", 1),
        ]
    )
    func service(behaviour: String, message: String, code: Int32) throws {
        try withTemporaryDirectory { root in
            var bundle = CheckedBundle("\(root)/service")
            bundle.nsExtension["NSExtensionPointIdentifier"] = "com.apple.usernotifications.service"
            bundle.attributes = [:]
            bundle.behaviour = behaviour
            try bundle.make()
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(code), "\(run.output)")
            #expect(run.output.contains(message), "\(run.output)")
            #expect(run.lines("warning").isEmpty, "\(run.output)")
            #expect(run.output.contains("handshake"), "\(run.output)")
            // iOS and the host ask no service about such a payload.
            let payload = #"{"aps":{"alert":"Hi"}}"#
            try Data(payload.utf8).write(to: URL(filePath: "\(bundle.folder)/payload.apns"))
            let untested = try CommandRun.check([bundle.folder])
            #expect(untested.status == .code(1), "\(untested.output)")
            #expect(untested.lines("error").count == 1, "\(untested.output)")
            #expect(untested.output.contains("payload.apns: iOS does not pass it to a service extension, so nothing"))
        }
    }

    @Test(
        "extensions check lets a personalization extension render the payload, and reports its failures as errors",
        arguments: [
            (#"{"name": "Ada"}"#, "payload.apns was rendered", 0), (#"{"do": "refuse"}"#, "a tag is not closed", 1),
            (#"{"do": "crash"}"#, "exited with code 3", 1), (#"["Ada"]"#, "profile.json: it must be an object", 1),
            ("{", "profile.json: it is not JSON", 1),
        ]
    )
    func personalization(profile: String, message: String, code: Int32) throws {
        try PersonalizationWorkspace.open { place in
            let payload = #"{"aps": {"alert": "Hello <name>"}}"#
            for (name, text) in [("payload.apns", payload), ("profile.json", profile)] {
                try Data(text.utf8).write(to: URL(filePath: "\(place.renderer)/\(name)"))
            }
            let run = try CommandRun.check([place.renderer])
            #expect(run.status == .code(code), "\(run.output)")
            #expect(run.output.contains(message), "\(run.output)")
            #expect(run.lines("error").count == Int(code), "\(run.output)")
        }
    }

    @Test(
        "extensions check exits with 128 plus a signal's number and leaves no process behind",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signal(number: Int32) throws {
        try withBundle("waits") { bundle in
            try withTemporaryDirectory { temporary in
                let gate = try Gate(bundle.folder)
                let check = try CommandRun.startCheck([bundle.folder], temporary: temporary)
                var family: [Int32] = []
                try Processes.wait(for: "the extension's process") {
                    family = try Processes.descendants(of: check.pid)
                    return family.count >= 2
                }
                check.kill(number)
                #expect(try check.wait() == .code(128 + number))
                #expect(try check.readToEnd() == "")
                #expect(!family.contains(where: Processes.isRunning))
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
                withExtendedLifetime(gate) {}
            }
        }
    }

    @Test("extensions check ends at its deadline, also in the midst of a call, and says what to do")
    func deadline() throws {
        try withBundle("waits") { bundle in
            let gate = try Gate(bundle.folder)
            // Only the deadline of the whole check can end a call of this extension.
            let run = try CommandRun.check([bundle.folder, "--deadline", "5000", "--call-deadline", "86400000"])
            #expect(run.status == .code(1))
            #expect(run.lines("error").count == 1, "\(run.output)")
            let reason = "the check took longer than 5000 ms, so the rest of it was left out; raise the limit with"
            #expect(run.output.contains("\(reason) --deadline"), "\(run.output)")
            withExtendedLifetime(gate) {}
        }
    }

    @Test("extensions check leaves no process behind when it is killed with SIGKILL", .processesAreListed)
    func killed() throws {
        try withBundle("waits") { bundle in
            try withTemporaryDirectory { temporary in
                let gate = try Gate(bundle.folder)
                let check = try CommandRun.startCheck([bundle.folder], temporary: temporary)
                var family: [Int32] = []
                try Processes.wait(for: "the extension's process") {
                    family = try Processes.descendants(of: check.pid)
                    return family.count >= 2
                }
                check.kill(SIGKILL)
                #expect(try check.wait() == .signal(SIGKILL))
                try Processes.wait(for: "the end of the host and its extension") {
                    !family.contains(where: Processes.isRunning)
                }
                withExtendedLifetime(gate) {}
            }
        }
    }

    @Test("Names in a bundle can neither print control characters on a terminal nor forge a line of the report")
    func controls() throws {
        try withTemporaryDirectory { root in
            var bundle = CheckedBundle("\(root)/b\u{1B}[31m\nerror   forged\u{202E}")
            bundle.entitlements = ["run.entitlements": [CheckedBundle.groups: ["group.a\u{202E}b\nerror   forged"]]]
            try bundle.make()
            let run = try CommandRun.check([bundle.folder])
            let bad: Set<Unicode.Scalar> = ["\u{1B}", "\u{202E}", "\u{2028}"]
            #expect(!run.output.unicodeScalars.contains { bad.contains($0) }, "\(run.output.debugDescription)")
            #expect(!run.output.split(separator: "\n").contains { $0.hasPrefix("error   forged") })
            #expect(run.output.contains("\\u{202e}"))
        }
    }
}

extension Processes {
    /// The ids of a process's children and of their descendants.
    fileprivate static func descendants(of pid: Int32) throws -> [Int32] {
        let children = try children(of: pid)
        return try children + children.flatMap { try descendants(of: $0) }
    }
}
