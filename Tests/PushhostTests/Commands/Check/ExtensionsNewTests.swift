import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions new`: what it writes passes `extensions check` and its own test as it is.
@Suite(.waits, .wire) struct ExtensionsNewTests {
    /// The languages whose extensions run without a build, with their executables.
    private static let scriptLanguages = [
        ("python", "spring-sale.py"), ("node", "spring-sale.mjs"), ("shell", "spring-sale.sh"),
    ]

    private func new(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws
        -> CommandRun
    {
        try CommandRun.leavingNothing(
            ["extensions", "new"] + arguments + ["--output", folder],
            environment: environment
        )
    }

    @Test("A new extension passes extensions check, and its session replays as recorded", arguments: scriptLanguages)
    func scripts(language: String, executable: String) throws {
        try withTemporaryDirectory { root in
            let run = try new(["spring-sale", "--language", language], in: root)
            #expect(run.status == .code(0), "\(run.standardError)")
            let bundle = "\(root)/spring-sale"
            #expect(run.output.contains("pushhost extensions check \(bundle)\n"))
            #expect(FileManager.default.isExecutableFile(atPath: "\(bundle)/\(executable)"))

            let check = try CommandRun.check([bundle])
            #expect(check.output.hasSuffix(": 0 errors, 0 warnings\n"), "\(check.output)")
            let replay = try CommandRun.leavingNothing(["replay", "\(bundle)/session.jsonl"])
            #expect(replay.status == .code(0), "\(replay.output)")
            #expect(replay.output.hasPrefix("same "))

            let replies = try Self.replies(bundle)
            #expect(replies.map { $0["error"] } == [nil, nil, nil, nil])
            #expect(replies[0]["result"]?["extension"] == "com.example.spring-sale")
            #expect(replies[1]["result"]?["view"] == ["type": "text", "text": "SPRING-20 is used."])
            #expect(replies[2]["result"]?["records"]?[0]?["properties"] == ["Code": "SPRING-20"])
        }
    }

    @Test("The session of a new extension differs after a change of the extension")
    func change() throws {
        try withTemporaryDirectory { root in
            #expect(try new(["sale", "--language", "python"], in: root).status == .code(0))
            let file = URL(filePath: "\(root)/sale/sale.py")
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacing("is used", with: "was used").utf8).write(to: file)
            let replay = try CommandRun.leavingNothing(["replay", "\(root)/sale/session.jsonl"])
            #expect(replay.status == .code(1), "\(replay.output)")
        }
    }

    @Test(
        "A Swift extension is a package with a link to its executable, which extensions check misses until it is built"
    )
    func swift() throws {
        try withTemporaryDirectory { root in
            let run = try new(["spring-sale", "--language", "swift"], in: root)
            #expect(run.status == .code(0), "\(run.standardError)")
            let bundle = "\(root)/spring-sale"
            #expect(run.output.contains("swift build --package-path \(bundle)\n"))
            #expect(run.output.contains("pushhost replay --update --plugins \(bundle) \(bundle)/session.jsonl\n"))
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(bundle)/spring-sale")
            #expect(target == ".build/debug/spring-sale")
            let manifest = try String(contentsOfFile: "\(bundle)/Package.swift", encoding: .utf8)
            #expect(manifest.contains(#".package(name: "pushhost", path: "\#(repositoryRoot)")"#))
            let source = "\(bundle)/Sources/spring-sale/SpringSaleExtension.swift"
            #expect(try String(contentsOfFile: source, encoding: .utf8).contains("class SpringSaleExtension:"))
            #expect(!FileManager.default.fileExists(atPath: "\(bundle)/session.replies.jsonl"))
            let check = try CommandRun.check([bundle])
            #expect(check.status == .code(1))
            #expect(check.lines("error").contains { $0.contains("its executable spring-sale is missing") })
        }
    }

    @Test("No file of a new extension has a name of the template", arguments: ["swift", "python", "node", "shell"])
    func names(language: String) throws {
        try withTemporaryDirectory { root in
            let identifier = ["--identifier", "org.example.my-coupon-2"]
            #expect(try new(["my-coupon-2", "--language", language] + identifier, in: root).status == .code(0))
            let bundle = "\(root)/my-coupon-2"
            let info = try String(contentsOfFile: "\(bundle)/Info.plist", encoding: .utf8)
            #expect(info.contains("<string>org.example.my-coupon-2</string>"))
            let files = try #require(FileManager.default.enumerator(atPath: bundle)).compactMap { $0 as? String }
            #expect(files.filter { $0.contains("__pycache__") } == [])
            for file in files {
                #expect(!file.replacing("my-coupon-2", with: "").contains("my-coupon"), "\(file)")
                guard let text = try? String(contentsOfFile: "\(bundle)/\(file)", encoding: .utf8) else { continue }
                let rest = text.replacing("my-coupon-2", with: "").replacing("my_coupon_2", with: "")
                for word in ["my-coupon", "my_coupon", "MyCouponExtension", "/path/to"] {
                    #expect(!rest.contains(word), "\(file) contains \(word)")
                }
            }
        }
    }

    @Test("A session that cannot be recorded is an error with what is missing; the bundle stays")
    func missingInterpreter() throws {
        try withTemporaryDirectory { root in
            let run = try new(["sale", "--language", "python"], in: root, environment: ["PATH": "/nowhere"])
            #expect(run.status == .code(1))
            #expect(run.standardError.contains("its session could not be recorded"))
            #expect(run.standardError.contains("python3"))
            #expect(FileManager.default.fileExists(atPath: "\(root)/sale/Info.plist"))
            #expect(!FileManager.default.fileExists(atPath: "\(root)/sale/session.replies.jsonl"))
        }
    }

    @Test(
        "Wrong names, identifiers, languages and packages are refused before anything is written",
        arguments: [
            (["1st", "--language", "python"], "begins with a letter"),
            (["a--b", "--language", "python"], "single -"), (["../a", "--language", "python"], "begins with a letter"),
            (["a", "--language", "perl"], "'swift', 'python', 'node' or 'shell'"), (["a"], "--language"),
            (["a", "--language", "node", "--identifier", "a b"], "letters, digits, - and ."),
            (["a", "--language", "swift", "--package", "/nowhere"], "it has no Package.swift"),
            ([], "name the extension, or an Xcode project with --from"),
            (["--from", "/nowhere"], "there is no such project"), (["a", "--from", "/"], "leave out NAME"),
            (["--target", "A"], "it names a target of --from"),
        ] as [([String], String)]
    )
    func refused(arguments: [String], needed: String) throws {
        try withTemporaryDirectory { root in
            let run = try new(arguments, in: root)
            #expect(run.status == .code(64))
            #expect(run.standardError.contains(needed), "\(run.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
        }
    }

    @Test("The printed commands work in a shell, also in a folder whose name needs quotes")
    func commands() throws {
        try withTemporaryDirectory { root in
            let folder = "\(root)/Ada's bundles"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let run = try new(["sale", "--language", "shell"], in: folder)
            #expect(run.status == .code(0), "\(run.standardError)")
            let commands = run.output.split(separator: "\n").dropFirst()
            #expect(commands.count == 3)
            let program = quoted(try hostCommand(unchecked: "these commands serve no client"))
            let script = "set -e\npushhost() { \(program) \"$@\"; }\n\(commands.joined(separator: "\n"))\n"
            let shell = try ChildProcess("sh", ["-c", script])
            shell.closeInput()
            let output = try shell.readToEnd()
            #expect(try shell.wait() == .code(0), "\(output)\(shell.standardError)")
            #expect(output.contains("SPRING-20") && output.contains("0 errors, 0 warnings") && output.contains("same "))
        }
    }

    @Test("An existing folder is not touched")
    func existing() throws {
        try withTemporaryDirectory { root in
            try FileManager.default.createDirectory(atPath: "\(root)/sale", withIntermediateDirectories: false)
            let run = try new(["sale", "--language", "shell"], in: root)
            #expect(run.status == .code(73))
            #expect(
                run.standardError == "Error: \(root)/sale cannot be created: it exists already; choose another name\n"
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/sale") == [])
        }
    }

    private static func replies(_ bundle: String) throws -> [JSON] {
        try String(contentsOfFile: "\(bundle)/session.replies.jsonl", encoding: .utf8)
            .split(separator: "\n").dropFirst().map { try JSON(parsing: String($0)) }
    }
}
