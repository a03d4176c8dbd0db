import Foundation
import TestSupport
import Testing

/// The plugin in a real Neovim with the built host; the cases are in `Tests/Fixtures/neovim`.
@Suite(.waits, .wire) struct NeovimTests {
    private static let folder = "\(repositoryRoot)/Tests/Fixtures/neovim"

    @Test("In Neovim the example extensions are drawn and operated by keys, their records listed and flushed")
    func bundles() throws { try run("bundles", cases: 9) }

    @Test("In Neovim every node is drawn and redrawn, and a delivery joins or replaces the previous one")
    func views() throws { try run("views", cases: 21) }

    @Test("In Neovim the language server marks mistakes in a payload, and a check delivers nothing")
    func payloads() throws { try run("payloads", cases: 12) }

    @Test("The plugin starts the host on demand, stops it with Neovim, and reports its exit")
    func host() throws { try run("host", cases: 13) }

    @Test("Neovim opens the payload's file in the browser, and its preview ends with it")
    func browse() throws { try run("browse", cases: 5) }

    @Test("Every Neovim case file has a test in this suite")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let cases = Set(files.filter { $0.hasSuffix(".lua") }).subtracting(["harness.lua"])
        #expect(cases == ["bundles.lua", "views.lua", "payloads.lua", "host.lua", "browse.lua"])
    }

    /// Runs the cases of a file, all of which must pass, in a Neovim without a user configuration.
    private func run(_ file: String, cases: Int) throws {
        let program = try Tool.neovim.path()
        for bundle in ["match-game", "register"] { _ = try builtProduct(bundle) }
        try withTemporaryDirectory { folder in
            var environment = ProcessInfo.processInfo.environment
            environment["PUSHHOST_ROOT"] = repositoryRoot
            environment["PUSHHOST_PROGRAM"] = try hostExecutable()
            for kind in ["CONFIG", "DATA", "STATE", "CACHE"] { environment["XDG_\(kind)_HOME"] = folder }
            // Neovim converts the terminal's locale into the locale of its texts.
            environment["LC_ALL"] = "C.UTF-8"
            // The bundle of the cases may write there.
            environment["TMPDIR"] = "/tmp"
            let script = "luafile \(Self.folder)/\(file).lua"
            let arguments = ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", script]
            let neovim = try ChildProcess(program, arguments, environment: environment, directory: folder)
            var lines: [String] = []
            while let line = try neovim.readLine() { lines.append(line) }
            let report = "\(lines.joined(separator: "\n"))\n\(neovim.standardError)"
            #expect(try neovim.wait() == .code(0), "\(report)")
            #expect(lines.last == "ran \(cases)", "\(report)")
            #expect(lines.count { $0.hasPrefix("ok ") } == cases, "\(report)")
        }
    }
}
