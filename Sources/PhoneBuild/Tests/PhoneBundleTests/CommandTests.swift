import Foundation
import PhoneTestSupport
import Testing

/// The program as another one calls it: its output and its exit codes.
struct CommandTests {
    private let cafe = "\(StandIns.fixtures)/Cafe"
    private let targets = [
        "OrderCard", "OrderPicture", "BrewGuide", "CupPairs", "LoyaltyCard", "DrinkVote", "TableBooking", "PourSound",
        "CafeFinder",
    ]

    /// The program beside the tests, which are built together.
    private func run(_ arguments: String...) -> (status: Int32, output: String) {
        StandIns.run(Self.program, arguments)
    }

    private static let program: String = {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("pushhost-phone").path
    }()

    @Test func outputThatCannotBeWrittenIsAnErrorOfOneLine() {
        for target in ["/dev/full", "&-"] {
            let lost = StandIns.run("/bin/sh", ["-c", "'\(Self.program)' list '\(cafe)' >\(target)"])
            #expect(lost.status == 74)
            #expect(lost.output.hasPrefix("Error: stdout cannot be written: "))
            #expect(lost.output.split(separator: "\n").count == 1)
        }
        #expect(StandIns.run("/bin/sh", ["-c", "'\(Self.program)' list '\(cafe)' 2>/dev/full >/dev/null"]).status == 0)
    }

    private func list(_ output: String, _ key: String) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return try #require(object?[key] as? [[String: Any]])
    }

    @Test func listPrintsTheExtensions() throws {
        let result = run("list", cafe, "--json")
        #expect(result.status == 0)
        let extensions = try list(result.output, "extensions")
        #expect(extensions.map { $0["target"] as? String } == targets)
        let kinds = ["content", "service"] + Array(repeating: "content", count: targets.count - 2)
        #expect(extensions.map { $0["kind"] as? String } == kinds)
        let text = run("list", cafe, "--target", "OrderPicture").output
        #expect(text.hasPrefix("OrderPicture: service extension com.example.cafe.picture\n"))
    }

    @Test func buildPrintsTheBundles() throws {
        try withTemporaryFolder { folder in
            let result = run(
                "build",
                cafe,
                "--target",
                "OrderPicture",
                "--output",
                folder,
                "--modules",
                StandIns.folder,
                "--json"
            )
            #expect(result.status == 0)
            let bundle = try #require(try list(result.output, "bundles").first)
            #expect(bundle["bundle"] as? String == "\(folder)/OrderPicture")
            #expect(bundle["isCompiled"] as? Bool == true)
            let inputs = try #require(bundle["inputs"] as? [String])
            let expected = [
                "Cafe.xcodeproj/project.pbxproj", "Config/Shared.xcconfig", "OrderPicture",
                "Packages/Menu/Package.swift",
            ]
            #expect(Set(expected.map { "\(cafe)/\($0)" }).subtracting(inputs) == [])
        }
    }

    @Test func aFailedBuildIsNamedWithItsInputs() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(atPath: cafe, toPath: "\(folder)/Cafe")
            try write("let number: Int = \"one\"\n", to: "\(folder)/Cafe/OrderPicture/More.swift")
            let arguments = ["build", "\(folder)/Cafe", "--output", "\(folder)/out", "--modules", StandIns.folder]
            let result = run(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
            #expect(result.status == 1)
            #expect(result.output.contains("\(folder)/Cafe/OrderPicture/More.swift:1:19: error: "))
            #expect(result.output.contains("\(folder)/out/OrderCard: built in "))
        }
    }

    @Test func checkPrintsATable() throws {
        let arguments = ["check", cafe, "--modules", StandIns.folder, "--target", "OrderPicture"]
        let complete = StandIns.run(Self.program, arguments)
        #expect(complete == (0, "OrderPicture  service  nothing is missing\n"))
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(atPath: cafe, toPath: "\(folder)/Cafe")
            try write("let text = \"\".fancyText\n", to: "\(folder)/Cafe/OrderPicture/More.swift")
            let result = StandIns.run(Self.program, ["check", "\(folder)/Cafe"] + arguments.dropFirst(2) + ["--json"])
            #expect(result.status == 1)
            let checked = try #require(try list(result.output, "extensions").first)
            #expect(checked["verdict"] as? String == "incomplete")
            let finding = try #require((checked["findings"] as? [[String: Any]])?.first)
            #expect(finding["path"] as? String == "\(folder)/Cafe/OrderPicture/More.swift")
            #expect(finding["line"] as? Int == 1 && finding["column"] as? Int == 15)
        }
    }

    @Test func doctorPrintsFindingsAndCounts() throws {
        #expect(run("doctor", cafe) == (0, "9 notification extensions: 0 errors, 0 warnings\n"))
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(atPath: cafe, toPath: "\(folder)/Cafe")
            let path = "\(folder)/Cafe/Config/Identifier.xcconfig"
            try write("BASE_IDENTIFIER = com.example.bar\n", to: path)
            let result = run("doctor", "\(folder)/Cafe", "--json")
            #expect(result.status == 1)
            let findings = try list(result.output, "findings")
            #expect(findings.map { $0["reason"] as? String } == ["groupInCode"])
            #expect(findings.first?["path"] as? String == "\(folder)/Cafe/CafeKit/GuestRecords.swift")
            #expect(findings.first?["line"] as? Int == 6)
        }
        #expect(run("doctor", "/absent").status == 1)
    }

    @Test func wrongCommandLinesAndPathsHaveExitCodes() {
        #expect(run("build", cafe).status == 64)
        #expect(
            run("list", "/absent") == (
                1, "/absent: error: there is nothing: name an .xcodeproj, an .xcworkspace or a folder\n"
            )
        )
        let unknown = run("list", cafe, "--target", "Other")
        let choices = targets.sorted().joined(separator: ", ")
        let text = "\(cafe): error: there is no notification extension Other: choose one of \(choices)\n"
        #expect(unknown == (1, text))
    }
}
