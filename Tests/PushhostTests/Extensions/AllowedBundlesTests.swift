import Foundation
import JSON
import TestSupport
import Testing

/// A bundle that declares permissions runs only if the user has allowed it.
@Suite(.waits, .wire) struct AllowedBundlesTests {
    @Test("A bundle is refused until it is allowed, also by a running host, and the error says how to allow it")
    func allow() throws {
        try Answers.open { answers in
            let host = try answers.host()
            let error = try host.show("good")["error"]
            #expect(error?["data"]?["reason"] == "cannotStart")
            let message = error?["message"]?.string ?? ""
            let folder = "\(answers.workspace.plugins)/good"
            for part in [
                "it reads ", "which you have not allowed", "with pushhost extensions allow \(folder), ",
                "with --allow com.example.good",
            ] {
                #expect(message.contains(part), "\(message)")
            }
            #expect(try host.describe("good")["allowed"] == false)
            let list = try answers.run(["extensions", "list", "--plugins", answers.workspace.plugins])
            #expect(list.output.contains("read, write (not allowed)"))

            let run = try answers.run(["extensions", "allow", folder])
            #expect(run.status == .code(0))
            #expect(run.output.hasPrefix("com.example.good: it reads /"))
            _ = try host.shown("good")
            #expect(try host.describe("good")["allowed"] == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle that declares nothing needs no answer")
    func nothing() throws {
        try Answers.open { answers in
            try answers.workspace.add(named: "plain", script: "exit 3", permissions: [:])
            let host = try answers.host()
            #expect(try host.show("plain")["error"]?["data"]?["reason"] == "extensionExited")
            #expect(try host.describe("plain")["allowed"] == nil)
        }
    }

    @Test("A destination that gets variables is refused like one with permissions")
    func variables() throws {
        try Answers.open { answers in
            let attributes: [String: Any] = ["PushhostDestinationName": "mine", "PushhostEnvironment": ["TOKEN"]]
            try answers.workspace.add(
                named: "mine",
                point: "pushhost.destination",
                script: "exit 3",
                attributes: attributes,
                permissions: [:]
            )
            let host = try answers.host(["--retry-patience", "1"])
            try host.result("saveCustomEvent", ["name": "e"])
            let message = "\(try host.call("flushPending", ["to": "mine"]))"
            #expect(message.contains("it gets the variables TOKEN, which you have not allowed"), "\(message)")
            #expect(try host.result("suites")["suites"]?[0]?["pending"] == 1)
        }
    }

    @Test("When a file of an allowed bundle has changed, it is refused again", arguments: Change.allCases)
    func change(_ change: Change) throws {
        try Answers.open { answers in
            let folder = "\(answers.workspace.plugins)/good"
            try FileManager.default.createDirectory(atPath: "\(folder)/lib", withIntermediateDirectories: false)
            try Data("1".utf8).write(to: URL(filePath: "\(folder)/lib/code"))
            #expect(try answers.run(["extensions", "allow", folder]).status == .code(0))
            #expect(try answers.isAllowed)
            let file = URL(filePath: "\(folder)/lib/code")
            switch change {
            case .content:
                // The time of modification can be set, the time of the change cannot.
                let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
                try Data("2".utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.modificationDate: try #require(date)],
                    ofItemAtPath: file.path
                )
            case .newFile: try Data().write(to: URL(filePath: "\(folder)/lib/.hidden"))
            case .removal: try FileManager.default.removeItem(at: file)
            case .otherBundle:
                try FileManager.default.moveItem(atPath: folder, toPath: "\(answers.workspace.root)/old")
                try answers.workspace.add("good")
            }
            #expect(try !answers.isAllowed)
        }
    }

    enum Change: CaseIterable { case content, newFile, removal, otherBundle }

    @Test(
        "When the executable to which an allowed bundle links has changed, or is another one, it is refused again",
        arguments: [true, false]
    )
    func linkedExecutable(isSameFile: Bool) throws {
        try Answers.open { answers in
            let (manager, root) = (FileManager.default, answers.workspace.root)
            let program = try String(contentsOfFile: "\(answers.workspace.plugins)/good/run", encoding: .utf8)
            for name in ["second", "first"] {
                try manager.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: false)
                try writeExecutable(program, to: "\(root)/\(name)/run")
            }
            try manager.createSymbolicLink(atPath: "\(root)/current", withDestinationPath: "first")
            let folder = "\(answers.workspace.plugins)/good"
            try manager.removeItem(atPath: "\(folder)/run")
            try manager.createSymbolicLink(atPath: "\(folder)/run", withDestinationPath: "\(root)/current/run")
            #expect(try answers.run(["extensions", "allow", folder]).status == .code(0))
            #expect(try answers.isAllowed)
            if isSameFile {
                try writeExecutable(program + "#\n", to: "\(root)/first/run")
            } else {
                // It is older than the bundle.
                try manager.removeItem(atPath: "\(root)/current")
                try manager.createSymbolicLink(atPath: "\(root)/current", withDestinationPath: "second")
            }
            #expect(try !answers.isAllowed)
            #expect(try answers.run(["extensions", "allow", folder]).status == .code(0))
            #expect(try answers.isAllowed)
        }
    }

    @Test("A folder that is allowed always may change and get bundles; what is forgotten is refused again")
    func always() throws {
        try Answers.open { answers in
            let plugins = answers.workspace.plugins
            #expect(try answers.run(["extensions", "allow", "--always", plugins]).status == .code(0))
            try Data().write(to: URL(filePath: "\(plugins)/good/more"))
            #expect(try answers.isAllowed)
            #expect(try answers.run(["extensions", "allow", "--forget", plugins]).status == .code(0))
            #expect(try !answers.isAllowed)
            let again = try answers.run(["extensions", "allow", "--forget", plugins])
            #expect(again.standardError == "Warning: \(plugins): nothing was allowed there\n")
        }
    }

    @Test("--allow holds for one run, and --no-sandbox asks for nothing")
    func oneRun() throws {
        try Answers.open { answers in
            for options in [["--allow", "com.example.good"], ["--no-sandbox"]] {
                let host = try answers.host(options)
                _ = try host.shown("good")
                #expect(try host.finish() == .code(0))
            }
            #expect(try !answers.isAllowed)
            #expect(try answers.host(["--allow", "com.example.other"]).show("good")["error"] != nil)
        }
    }

    @Test("A bundle that extensions new makes is allowed whatever its author changes")
    func own() throws {
        try Answers.open { answers in
            let made = try answers.run(
                ["extensions", "new", "mine", "--language", "python", "--output", answers.workspace.plugins]
            )
            #expect(made.status == .code(0), "\(made.standardError)")
            let folder = "\(answers.workspace.plugins)/mine"
            var info = try String(contentsOfFile: "\(folder)/Info.plist", encoding: .utf8)
            let network = "<key>Network</key><array><string>*</string></array>"
            let end = try #require(info.range(of: "</dict>", options: .backwards))
            info.insert(
                contentsOf: "<key>PushhostPermissions</key><dict>\(network)</dict>",
                at: end.lowerBound
            )
            try Data(info.utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            #expect(try answers.host().describe("mine")["allowed"] == true)
        }
    }

    @Test("At a terminal a command asks, and the answer is kept", arguments: [("y", true), ("", false), ("a", true)])
    func question(answer: String, isAllowed: Bool) throws {
        try Answers.open { answers in
            let terminal = try Pseudoterminal(columns: 100, rows: 40)
            let payload = "\(answers.workspace.root)/payload.apns"
            try Data(#"{"aps":{"category":"good","alert":"Hi"}}"#.utf8).write(to: URL(filePath: payload))
            let command = try ChildProcess.command(
                ["push", payload, "--json", "--plugins", "\(answers.workspace.plugins)/good"],
                environment: answers.environment,
                terminal: terminal
            )
            try command.write("\(answer)\n".utf8)
            let screen = try command.readToEnd()
            #expect(screen.contains("/good was not made here, and it reads "), "\(screen)")
            #expect(screen.contains("[y] yes, [a] always in this folder"), "\(screen)")
            #expect(try command.wait() == .code(isAllowed ? 0 : 1))
            #expect(try answers.isAllowed == isAllowed)
            // Only the folder is allowed as it will be.
            try Data().write(to: URL(filePath: "\(answers.workspace.plugins)/good/more"))
            #expect(try answers.isAllowed == (answer == "a"))
        }
    }

    @Test("extensions check tries nothing of a bundle that is not allowed")
    func check() throws {
        try Answers.open { answers in
            let folder = "\(answers.workspace.plugins)/good"
            let run = try answers.run(["extensions", "check", folder])
            #expect(run.status == .code(1))
            #expect(run.output.contains("pushhost extensions allow \(folder)"))
            #expect(!run.output.contains("handshake"))
        }
    }

    @Test("A recording does not allow its bundles")
    func replay() throws {
        try Answers.open { answers in
            let recording = "\(answers.workspace.root)/session.jsonl"
            let options = ["--record", recording, "--allow", "com.example.good"]
            let host = try HostProcess(
                answers.workspace.arguments(options),
                environment: answers.environment,
                unchecked: "it records itself"
            )
            _ = try host.shown("good")
            #expect(try host.finish() == .code(0))
            let replay = { try answers.run(["replay", recording] + $0) }
            let refused = try replay([])
            #expect(refused.status == .code(1), "\(refused.output)\(refused.standardError)")
            #expect(refused.output.contains("com.example.good could not be started"), "\(refused.output)")
            #expect(try replay(["--allow", "com.example.good"]).status == .code(0))
        }
    }

    @Test("The answers of commands that run at once are all kept")
    func atOnce() throws {
        try Answers.open { answers in
            let folders = (0..<12).map { "\(answers.workspace.root)/bundles-\($0)" }
            for folder in folders {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            let runs = try folders.map { folder in
                let words = ["extensions", "allow", "--always", folder]
                let command = try hostCommand(words, unchecked: "it is a command")
                return try ChildProcess(command[0], Array(command.dropFirst()), environment: answers.environment)
            }
            for run in runs { #expect(try run.wait() == .code(0)) }
            let file = URL(filePath: "\(answers.state)/pushhost/allowed-bundles.json")
            let kept = try JSON(parsing: Array(Data(contentsOf: file)))["folders"]?.array?.compactMap(\.string) ?? []
            #expect(Set(kept) == Set(folders))
        }
    }

    @Test("A folder without bundles, and an answer that cannot be kept, are errors")
    func failures() throws {
        try Answers.open { answers in
            let empty = try answers.run(["extensions", "allow", answers.workspace.data])
            #expect(empty.status == .code(66))
            #expect(empty.standardError == "Error: \(answers.workspace.data): there is no bundle\n")
            try Data().write(to: URL(filePath: answers.state))
            let lost = try answers.run(["extensions", "allow", answers.workspace.plugins])
            #expect(lost.status == .code(73))
            let start = "Error: the answer cannot be kept in \(answers.state)/"
            #expect(lost.standardError.hasPrefix(start), "\(lost.standardError)")
        }
    }
}

/// A bundle that declares permissions, and a user who has answered nothing.
private struct Answers {
    let workspace: Workspace

    var state: String { "\(workspace.root)/state" }
    var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": state]) { $1 }
    }

    static func open(_ body: (Answers) throws -> Void) throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            try body(Answers(workspace: workspace))
        }
    }

    func host(_ options: [String] = []) throws -> HostProcess {
        try workspace.host(options, environment: environment)
    }

    func run(_ words: [String]) throws -> CommandRun { try CommandRun(words, environment: environment) }

    /// Whether a new host runs the bundle.
    var isAllowed: Bool {
        get throws {
            let host = try host()
            let reply = try host.show("good")
            #expect(try host.finish() == .code(0))
            return reply["result"] != nil
        }
    }
}
