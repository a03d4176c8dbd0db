import Foundation
import TestSupport
import Testing

/// A headless Chromium that runs the cases of a file in `Tests/Fixtures/browser`.
enum Browser {
    static let folder = "\(repositoryRoot)/Tests/Fixtures/browser"
    private static let programs = [
        "PUSHHOST_CHROMIUM": Tool(name: "chromium", package: "chromium"),
        "PUSHHOST_CHROMEDRIVER": Tool(name: "chromedriver", package: "chromium-driver"),
    ]

    /// Runs the cases of a file, all of which must pass.
    ///
    /// - Parameters:
    ///   - file: The file's name without its extension.
    ///   - cases: How many cases it has.
    /// - Throws: A missing program, which is named with its Debian package.
    static func run(_ file: String, cases: Int) throws {
        let python = try Tool.python(with: "selenium")
        try withTemporaryDirectory { folder in
            var environment = ProcessInfo.processInfo.environment
            environment["PUSHHOST_PROGRAM"] = try hostCommand(unchecked: "the commands start their own hosts")[0]
            for (name, tool) in programs { environment[name] = try tool.path() }
            // Chromium keeps files in these folders besides its profile.
            for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] { environment[name] = folder }
            environment["XDG_DATA_HOME"] = nil
            environment["LC_ALL"] = "C.UTF-8"
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
            let browser = try ChildProcess(
                python,
                ["\(Self.folder)/\(file).py"],
                environment: environment,
                directory: folder
            )
            var lines: [String] = []
            while let line = try browser.readLine() { lines.append(line) }
            // Its steps are for the reader of a case that hangs.
            let report = "\(lines.filter { !$0.hasPrefix("  ") }.joined(separator: "\n"))\n\(browser.standardError)"
            #expect(try browser.wait() == .code(0), "\(report)")
            #expect(lines.last == "ran \(cases)", "\(report)")
            #expect(lines.count { $0.hasPrefix("ok ") } == cases, "\(report)")
        }
    }
}
