import Foundation
import JSON
import TestSupport
import Testing

/// The conformance kit: passes what keeps the contract, and names what does not.
@Suite(.hangs, .wire) struct KitsConformanceTests {
    /// The content extensions of this repository: the folders of `plugins`, each with its executable's name.
    private static let extensions: [String: String] = {
        let plugins = "\(repositoryRoot)/plugins"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: plugins)) ?? []
        let pairs = folders.compactMap { name -> (String, String)? in
            let path = "\(plugins)/\(name)/Info.plist"
            guard let data = FileManager.default.contents(atPath: path),
                let info = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
                let point = (info["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String,
                point == "com.apple.usernotifications.content-extension"
            else { return nil }
            return (info["CFBundleExecutable"] as? String).map { (name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()
    private static let scripts = extensions.filter { $0.value.contains(".") }.keys.sorted()
    private static let programs = extensions.filter { !$0.value.contains(".") }.keys.sorted()

    @Test("There are bundles in Python, in Node and in Swift")
    func languages() {
        #expect(Self.extensions["feedback"] == "feedback.py")
        #expect(Self.extensions["punch-card"] == "punch-card.mjs")
        #expect(Self.extensions["register"] == "register")
    }

    @Test("The bundles in Python and Node keep the contract", arguments: scripts)
    func bundles(name: String) throws {
        let report = try run(["\(repositoryRoot)/plugins/\(name)"])
        #expect(report.code == .code(0), "\(report.text)")
        #expect(report.outcomes["did-receive"] == "kept")
        #expect(report.outcomes.values.contains("kept"))
    }

    @Test("The bundles in Swift keep the contract", arguments: programs)
    func swiftBundles(name: String) throws {
        let report = try run(["\(repositoryRoot)/plugins/\(name)", "--executable", try builtProduct(name)])
        #expect(report.code == .code(0), "\(report.text)")
        #expect(report.outcomes["did-receive"] == "kept")
    }

    @Test("The contract's own extension keeps it, without a kit")
    func contract() throws {
        try withTemporaryDirectory { folder in
            let page = try Page("protocol/guide/extension.md")
            try writeExecutable(try #require(page.blocks("python").first), to: "\(folder)/hello.py")
            try Data(page.blocks("xml")[0].utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            let report = try run([folder])
            #expect(report.code == .code(0), "\(report.text)")
            #expect(report.outcomes["saves"] == "skipped", "it saves by notifications")
        }
    }

    @Test("An extension without a fault keeps everything, and everything was tried")
    func sound() throws {
        let report = try run(fault: "none")
        #expect(report.code == .code(0), "\(report.text)")
        #expect(Set(report.outcomes.values) == ["kept"], "\(report.text)")
    }

    /// The faults that break the requirement of their name alone.
    private static let faults = [
        "activate", "did-receive", "view", "actions", "ids", "unknown-method", "unknown-notification",
        "unknown-members", "locale", "repeatable", "second-notification", "same-notification", "default-action",
        "offered-actions", "interact", "media", "refused-saves", "dismiss", "after-dismiss", "large-payload",
        "bytewise", "two-lines", "stderr", "end-of-input", "requests", "messages",
    ]

    @Test(
        "A fault is found under the requirement that it breaks",
        arguments: faults.map { ($0, $0) } + [("exit-code", "deactivate"), ("descendant", "deactivate")]
    )
    func fault(name: String, requirement: String) throws {
        let report = try run(fault: name, ["--only", requirement])
        #expect(report.code == .code(1))
        #expect(report.broken == [requirement], "\(report.text)")
        #expect(report.outcomes.count == 1)
    }

    @Test(
        "Of all requirements just those are broken that the fault breaks",
        arguments: [("view", ["view"]), ("saves", ["interact", "saves", "refused-saves", "after-dismiss"])]
    )
    func wholeRun(fault: String, broken: [String]) throws {
        let report = try run(fault: fault)
        #expect(report.code == .code(1))
        #expect(report.broken == broken, "\(report.text)")
    }

    @Test("Every requirement has a sentence, and a fault here that breaks it")
    func list() throws {
        let lines = try output(["--list"]).text.split(separator: "\n")
        let listed = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed.sorted() == (Self.faults + ["deactivate", "saves"]).sorted())
        #expect(lines.allSatisfy { $0.hasSuffix(".") || $0.hasSuffix("app's.") })
    }

    @Test(
        "What is no bundle, and a wrong command line, end with 64",
        arguments: [[], ["/nowhere"], ["--deadline", "x", "."], ["--only", "x", "."]]
    )
    func usage(arguments: [String]) throws {
        let result = try output(arguments)
        #expect(result.code == .code(64))
        #expect(result.text == "")
        #expect(result.error.contains("conformance.py: "), "\(result.error)")
    }

    @Test("The report for people names what is broken, and how")
    func text() throws {
        try withFault("media") { bundle in
            let payload = "\(repositoryRoot)/plugins/feedback/payload.apns"
            let result = try output([bundle, "--payload", payload, "--only", "activate", "--only", "media"])
            #expect(result.code == .code(1))
            let lines = result.text.split(separator: "\n").map(String.init)
            #expect(lines.first == "com.example.broken (run), payload: payload.apns")
            let index = try #require(lines.firstIndex { $0.hasPrefix("  BROKEN media ") })
            #expect(lines[index + 1].contains("mediaPlay was answered with the error"))
            #expect(lines.last == "2 requirements: 1 kept, 1 broken, 0 not tried")
        }
    }

    @Test(
        "A node that no schema allows is found, with what is needed",
        arguments: [
            (#"{"type":"text","text":"t","style":"heading"}"#, "style is one of title, body, caption"),
            (#"{"type":"text","text":"t","alignment":"left"}"#, "alignment is one of start, center, end"),
            (#"{"type":"image","url":"u","alt":5}"#, "alt must be a string"),
            (
                #"{"type":"carousel","id":"c","page":1,"children":[{"type":"row","children":[]}]}"#,
                "page is the position"
            ),
            (#"{"type":"carousel","page":0,"children":[]}"#, "needs id"),
            (#"{"type":"carousel","id":"c","page":0,"children":[]}"#, "kept"),
            (#"{"type":"text","text":"t","style":"caption","alignment":"end"}"#, "kept"),
        ]
    )
    func nodes(node: String, finding: String) throws {
        let python = """
            import json, sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            import conformance
            try: conformance.judge_view(json.loads(sys.argv[2])); print("kept")
            except conformance.Broken as broken: print(broken)
            """
        let child = try ChildProcess(try Tool.python.path(), ["-c", python, Kit.folder, node])
        let text = try child.readToEnd()
        #expect(text.contains(finding), "\(text)\(child.standardError)")
    }

    @Test("What the kit knows of calls, views and the version is what the documents have")
    func tables() throws {
        let python = """
            import json, sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            import conformance
            print(json.dumps({name: sorted(needed | more) for name, (needed, more) in conformance.CALLS.items()}))
            print(json.dumps({name: sorted(members) for name, members in conformance.NODES.items()}))
            print(json.dumps(conformance.CONTRACT_VERSION))
            """
        let child = try ChildProcess(try Tool.python.path(), ["-c", python, Kit.folder])
        let lines = try child.readToEnd().split(separator: "\n").map { try JSON(parsing: String($0)) }
        try #require(lines.count == 3, "\(child.standardError)")
        #expect(lines[2] == (try document("extension.openrpc.json")["info"]?["version"]))
        let calls = try Self.members(lines[0])
        for method in try #require(try document("openrpc.json")["methods"]?.array.map(Array.init)) {
            let params = method["params"]?.array?.compactMap { $0["name"]?.string } ?? []
            guard let name = method["name"]?.string, params.contains("notification") else { continue }
            let isClients = method["x-callers"] == ["client"]
            #expect(calls[name] == (isClients ? nil : params.sorted()), "\(name)")
        }
        let nodes = try document("schemas/view.schema.json")["$defs"]
        for (type, members) in try Self.members(lines[1]) {
            let required = nodes?[type]?["required"]?.array?.compactMap(\.string)
            #expect(required?.sorted() == members, "\(type)")
        }
    }

    // MARK: Steps

    private static func members(_ json: JSON) throws -> [String: [String]] {
        let object = try #require(json.object)
        let pairs = object.map { ($0.name, $0.value.array?.compactMap(\.string) ?? []) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func document(_ path: String) throws -> JSON {
        try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(repositoryRoot)/protocol/\(path)"))))
    }

    private struct Report {
        let code: ChildProcess.Status
        let text: String
        let outcomes: [String: String]
        let broken: [String]
    }

    private func run(fault: String, _ options: [String] = []) throws -> Report {
        var report: Report?
        try withFault(fault) { report = try run([$0, "--stop-grace", "5"] + options) }
        return try #require(report)
    }

    private func withFault(_ fault: String, _ body: (String) throws -> Void) throws {
        let python = try Tool.python.path()
        try Workshop.open { workshop in
            let program = "\(repositoryRoot)/Tests/Fixtures/kits/broken.py"
            try body(try workshop.add(named: "broken", script: "exec '\(python)' -I '\(program)' \(fault)"))
        }
    }

    private func run(_ arguments: [String]) throws -> Report {
        let result = try output(arguments + ["--json"])
        let rows = try result.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
        let pairs = rows.map { ($0["id"]?.string ?? "", $0["outcome"]?.string ?? "") }
        return Report(
            code: result.code,
            text: result.text,
            outcomes: Dictionary(uniqueKeysWithValues: pairs),
            broken: pairs.filter { $0.1 == "broken" }.map(\.0)
        )
    }

    private func output(_ arguments: [String]) throws -> (code: ChildProcess.Status, text: String, error: String) {
        let kit = try ChildProcess("\(Kit.folder)/conformance.py", arguments)
        // A line a requirement: together they take longer than one read may.
        var text = ""
        while let line = try kit.readLine() { text += line + "\n" }
        return (try kit.wait(), text, kit.standardError)
    }
}
