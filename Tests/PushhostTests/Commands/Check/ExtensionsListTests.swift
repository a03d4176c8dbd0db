import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions list`, and the problems that the method `extensions` reports before anything is started.
@Suite(.waits, .wire) struct ExtensionsListTests {
    /// Executables that cannot be started: what they contain, their mode, and what is reported.
    private static let brokenExecutables: [(name: String, content: String, mode: mode_t, message: String)] = [
        ("mode", "#!/bin/sh\n", 0o644, "it is not executable; chmod +x it"),
        ("interpreter", "#!/nowhere/python3 -u\n", 0o755, "its interpreter /nowhere/python3 is missing"),
        ("env", "#!/usr/bin/env nonesuch\n", 0o755, "its interpreter nonesuch is in no folder of PATH"),
        ("env -S", "#!/usr/bin/env -S nonesuch -u\n", 0o755, "its interpreter nonesuch is in no folder of PATH"),
        ("CR", "#!/bin/nonesuch\r\n", 0o755, "its first line ends with CR"),
        ("text", "print('hello')\n", 0o755, "whose first line does not begin with #!"),
    ]

    @Test("The bundles of the repository are listed without problems")
    func repository() throws {
        let run = try CommandRun.leavingNothing(["extensions", "list", "--plugins", "\(repositoryRoot)/plugins"])
        #expect(run.status == .code(0), "\(run.output)\(run.standardError)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows.first == "NAME IDENTIFIER POINT CATEGORIES EXECUTABLE PERMISSIONS PROBLEMS")
        #expect(rows.contains("like com.example.pushhost.like content like like.mjs read 0"))
        #expect(rows.contains("braze com.example.pushhost.braze destination braze braze network, read 0"))
        #expect(rows.contains { $0.hasPrefix("rich-push com.example.pushhost.rich-push service ") })
        #expect(rows.contains { $0.hasPrefix("liquid com.example.pushhost.liquid personalization ") })
    }

    @Test("A missing executable is a problem, and the exit code is 1")
    func missing() throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            try FileManager.default.removeItem(atPath: "\(bundle.folder)/run")
            let run = try CommandRun.leavingNothing(["extensions", "list", "--plugins", bundle.folder])
            #expect(run.status == .code(1))
            let row = "checked  com.example.checked  content  checked     run         read, write         1"
            let message = "its executable run is missing; looked for \(bundle.folder)/run"
            let title = "NAME     IDENTIFIER           POINT    CATEGORIES  EXECUTABLE  PERMISSIONS  PROBLEMS"
            #expect(run.output == "\(title)\n\(row)\n\nerror    \(bundle.folder): \(message)\n")
        }
    }

    @Test("An executable that cannot be started is a problem before it is started", arguments: brokenExecutables)
    func broken(name: String, content: String, mode: mode_t, message: String) throws {
        try CheckedBundle.with { bundle in
            try bundle.make()
            try Data(content.utf8).write(to: URL(filePath: "\(bundle.folder)/run"))
            #expect(chmod("\(bundle.folder)/run", mode) == 0)
            let run = try CommandRun.leavingNothing(["extensions", "list", "--json", "--plugins", bundle.folder])
            #expect(run.status == .code(1))
            let info = try #require(try JSON(parsing: run.output)["extensions"]?[0])
            #expect(info["executable"] == "run")
            #expect(info["problems"]?.array?.count == 1, "\(info)")
            let problem = info["problems"]?[0]
            #expect(problem?["path"]?.string == "\(bundle.folder)/run")
            #expect(problem?["message"]?.string?.contains(message) == true, "\(info)")
            #expect(problem?["severity"] == "error" && problem?["preventsStart"] == true)
        }
    }

    @Test("A warning is listed and does not change the exit code")
    func warning() throws {
        try CheckedBundle.with { bundle in
            var bundle = bundle
            bundle.set("InteractionEnabled", true)
            bundle.set("UserInteractionEnabled", true)
            try bundle.make()
            let run = try CommandRun.leavingNothing(["extensions", "list", "--plugins", bundle.folder])
            #expect(run.status == .code(0), "\(run.output)")
            #expect(run.output.contains("\nwarning  \(bundle.folder)/Info.plist: "), "\(run.output)")
        }
    }

    @Test("A folder without a bundle is said to be empty, and a bundle that cannot be read is a problem")
    func folders() throws {
        try withTemporaryDirectory { root in
            let empty = try CommandRun.leavingNothing(["extensions", "list", "--plugins", root])
            #expect(empty.status == .code(0))
            let text = "it has no bundle: neither it nor a folder in it has an Info.plist"
            #expect(empty.output == "warning  \(root): \(text)\n")
            let folder = "\(root)/a\u{1B}[31m"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try Data("no plist".utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            let damaged = try CommandRun.leavingNothing(["extensions", "list", "--plugins", root])
            #expect(damaged.status == .code(1))
            #expect(damaged.output.hasPrefix("error    \(root)/a"), "\(damaged.output)")
            #expect(!damaged.output.contains("\u{1B}"))
        }
    }
}
