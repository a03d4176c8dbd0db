import Foundation
import TestSupport

/// A client of `protocol/clients`, with its own tests and examples.
enum ClientPackage: String, CaseIterable, Sendable {
    case python
    case node

    /// Python with what builds the package, so that the package is tested too.
    private static let pythonWithHatchling = Result { try Tool.python(with: "hatchling") }

    var folder: String { "\(repositoryRoot)/protocol/clients/\(rawValue)" }

    /// The language of a fenced code block on a page.
    var language: String { self == .python ? "python" : "js" }

    /// The folder of the client's tests, and the file names that are tests.
    private var tests: (folder: String, prefix: String, suffix: String) {
        self == .python ? ("\(folder)/tests", "test_", ".py") : ("\(folder)/test", "", ".test.mjs")
    }

    /// Every test file of every client.
    static let testFiles: [(client: ClientPackage, path: String)] = allCases.flatMap { client in
        let (folder, prefix, suffix) = client.tests
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted()
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .map { (client, "\(folder)/\($0)") }
    }

    /// Runs a program in the client's language and returns its combined output and exit status.
    ///
    /// The output is read line by line, so that only a program that is silent for long counts as hanging.
    func run(
        _ arguments: [String],
        environment changes: [String: String] = [:],
        directory: String? = nil,
        input: String = ""
    ) throws -> (output: String, status: ChildProcess.Status) {
        var environment = ProcessInfo.processInfo.environment
        environment["PUSHHOST"] = try hostExecutable()
        environment["PYTHONPATH"] = "\(folder)/src"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        environment["PYTHONIOENCODING"] = "utf-8"
        environment.merge(changes) { $1 }
        let process = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$0" "$@" 2>&1"#, try self == .python ? Self.pythonWithHatchling.get() : Tool.node.path()]
                + arguments,
            environment: environment,
            directory: directory
        )
        try process.write(input.utf8)
        process.closeInput()
        var output = ""
        while let line = try process.readLine() { output += "\(line)\n" }
        return (output, try process.wait())
    }
}
