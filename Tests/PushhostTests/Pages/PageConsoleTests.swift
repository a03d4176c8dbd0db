import Foundation
import TestSupport
import Testing

/// Runs every command that the pages for newcomers show.
@Suite(.waits) struct PageConsoleTests {
    private static let pages: [String] = {
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(repositoryRoot)/\(path)") }
        func entries(_ folder: String) -> [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(repositoryRoot)/\(folder)")) ?? []
            return names.map { "\(folder)/\($0)" }.sorted()
        }
        // What a package of its own needs is more than a checkout: `NATSPageTests` starts the servers.
        let bundles = entries("plugins").filter { !exists("\($0)/Package.swift") }.map { "\($0)/README.md" }
        let guides = (entries("protocol/start") + entries("protocol/guides")).filter { path in
            path != NATSPageTests.fleetPage && (try? Page(path)).map { !PageConsole($0).examples.isEmpty } ?? false
        }
        return ["README.md", "plugins/README.md"] + bundles.filter(exists) + guides
    }()

    @Test("Every command on a page does what the page shows", arguments: pages)
    func page(path: String) throws {
        let page = try Page(path)
        let findings = try Self.findings(page)
        #expect(findings == [])
    }

    @Test(
        "An ellipsis stands for any text in a line, or for any lines",
        arguments: [
            (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), (["a"], ["a", "b"], false),
            (["one 17 two"], ["one … two"], true), (["one 17 twoo"], ["one … two"], false),
            (["a", "x", "y", "b"], ["a", "…", "b"], true), (["a", "b"], ["a", "…", "b"], true),
            (["a", "x", "y", "c"], ["a", "…", "b"], false), (["a.c"], ["abc"], false), (["x"], [], true),
        ]
    )
    func matching(lines: [String], shown: [String], matches: Bool) {
        #expect(PageConsole.matches(lines, shown) == matches)
    }

    @Test("A command that fails, and one that prints something else, are reported")
    func failures() throws {
        try withTemporaryDirectory { root in
            let page = Page(text: "```console\n$ false\n$ echo one\ntwo\n$ echo three \\\n> four\nthree four\n```\n")
            let findings = try PageConsole(page).findings(in: root, environment: ["PATH": "/usr/bin:/bin"])
            #expect(findings == ["$ false\nexited with 1 and printed\n", "$ echo one\nexited with 0 and printed\none"])
        }
    }

    /// Runs the commands of a page in a folder that looks like a checkout, and describes those that do not do what the
    /// page shows.
    static func findings(_ page: Page, _ variables: [String: String] = [:]) throws -> [String] {
        let console = PageConsole(page)
        try #require(!console.examples.isEmpty)
        return try withTemporaryDirectory { root in
            let folder = try checkout(in: root)
            for (name, text) in page.files {
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            environment["HOME"] = "\(root)/home"
            environment["XDG_DATA_HOME"] = "\(root)/home/data"
            environment["XDG_STATE_HOME"] = "\(root)/home/state"
            environment["TMPDIR"] = root
            environment["LC_ALL"] = "C.UTF-8"
            environment["PATH"] = "\(folder)/.build/release:\(environment["PATH"] ?? "/usr/bin:/bin")"
            return try console.findings(in: folder, environment: environment)
        }
    }

    /// A folder that looks like a checkout in which the first command of the README was run.
    private static func checkout(in root: String) throws -> String {
        let folder = "\(root)/pushhost"
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/.build", withIntermediateDirectories: true)
        let program = try hostCommand(unchecked: "the pages show the program as its users start it")[0]
        let built = URL(filePath: program).deletingLastPathComponent().path
        try manager.createSymbolicLink(atPath: "\(folder)/.build/release", withDestinationPath: built)
        for name in ["Package.swift", "Sources", "plugins", "protocol"] {
            try manager.createSymbolicLink(
                atPath: "\(folder)/\(name)",
                withDestinationPath: "\(repositoryRoot)/\(name)"
            )
        }
        return folder
    }
}
