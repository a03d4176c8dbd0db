import Foundation
import TestSupport
import Testing

/// `pushhost check` and `pushhost doctor` with an Xcode project, which `pushhost-phone` reads.
@Suite(.waits) struct ProjectChecksTests {
    private struct Output {
        let status: ChildProcess.Status
        let output: String
        let standardError: String
    }

    /// Runs a command with a folder that has a project, as the program of a checkout whose tool prints its arguments.
    private func run(_ command: [String], hasTool: Bool = true) throws -> Output {
        try withTemporaryDirectory { root in
            let build = "\(root)/.build"
            let tool = "\(root)/Sources/PhoneBuild/.build/release/pushhost-phone"
            let folders = ["\(root)/App/App.xcodeproj", "\(build)/other", "\(build)/phonekit", "\(root)/Empty"]
            for folder in folders + [URL(filePath: tool).deletingLastPathComponent().path] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try Data().write(to: URL(filePath: "\(build)/other/pushhost"))
            if hasTool {
                // A program that was just written cannot start while another thread's child still has it open.
                let script = "\(repositoryRoot)/Tests/Fixtures/check/arguments"
                try FileManager.default.createSymbolicLink(atPath: tool, withDestinationPath: script)
            }
            let words = command.map { $0.replacing("ROOT", with: root) }
            let run = try CommandRun(words, program: "\(build)/other/pushhost")
            return Output(
                status: run.status,
                output: run.output.replacing(root, with: "ROOT"),
                standardError: run.standardError.replacing(root, with: "ROOT")
            )
        }
    }

    @Test(
        "A project, or a folder that has one, is checked by the tool, whose exit code is that of the command",
        arguments: [
            ("check ROOT/App", "check ROOT/App --modules ROOT/.build/phonekit"),
            (
                "check ROOT/App/App.xcodeproj --json",
                "check ROOT/App/App.xcodeproj --modules ROOT/.build/phonekit --json"
            ),
            ("doctor ROOT/App", "doctor ROOT/App"),
            ("doctor --json ROOT/App/App.xcodeproj", "doctor ROOT/App/App.xcodeproj --json"),
        ]
    )
    func tool(command: String, arguments: String) throws {
        let run = try run(command.split(separator: " ").map(String.init))
        #expect(run.status == .code(1) && run.standardError == "")
        #expect(run.output == "\(arguments) \n")
    }

    @Test("Without the tool the error says how to build it", arguments: ["check", "doctor"])
    func missingTool(command: String) throws {
        let run = try run([command, "ROOT/App"], hasTool: false)
        #expect(run.status == .code(70) && run.output == "")
        #expect(run.standardError.hasPrefix("Error: Xcode projects need pushhost-phone and PhoneKit, "))
        #expect(run.standardError.contains("swift build -c release --package-path Sources/PhoneBuild && "))
    }

    @Test(
        "A project stands alone",
        arguments: [
            ("check ROOT/App ROOT/Empty", "ROOT/App: check a project alone"),
            (
                "doctor ROOT/Empty",
                "ROOT/Empty: there is no Xcode project; name an .xcodeproj, or a folder that has one"
            ),
            ("doctor ROOT/App --to braze", "--to braze: a project has no destination"),
        ]
    )
    func wrong(command: String, error: String) throws {
        let run = try run(command.split(separator: " ").map(String.init))
        #expect(run.status == .code(64) && run.output == "")
        #expect(run.standardError.hasPrefix("Error: \(error)\n"), "\(run.standardError)")
    }
}
