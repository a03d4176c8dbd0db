import Foundation
import JSON
import TestSupport
import Testing

/// The clients for Python and Node: their own tests against the built host, and the examples on their pages.
@Suite(.waits, .wire) struct ClientsPackageTests {
    @Test("A client's own tests pass", arguments: ClientPackage.testFiles)
    func tests(client: ClientPackage, file: String) throws {
        let (output, status) = try client.run(client == .python ? [file, "-v"] : [file])
        #expect(status == .code(0), "\(output)")
        let passed = client == .python ? #/Ran (\d+) tests? in /# : #/(?m)^(?:\#|ℹ) pass (\d+)$/#
        let count = try #require(output.firstMatch(of: passed), "\(output)").output.1
        #expect(Int(count) ?? 0 > 1, "\(output)")
    }

    @Test("Each client has tests")
    func testFiles() {
        for client in ClientPackage.allCases {
            #expect(ClientPackage.testFiles.filter { $0.client == client }.count >= 3)
        }
    }

    @Test("The first example of a client's page works unchanged", arguments: ClientPackage.allCases)
    func page(client: ClientPackage) throws {
        let example = try #require(try Page("protocol/clients/\(client)/README.md").blocks(client.language).first)
        #expect(example.split(separator: "\n").count <= 8)
        try withTemporaryDirectory { folder in
            try link("\(folder)/.build/release/pushhost", to: try hostExecutable())
            try link("\(folder)/plugins", to: "\(repositoryRoot)/plugins")
            // The folder as `npm install` leaves it.
            try link("\(folder)/node_modules/pushhost", to: client.folder)
            let name = client == .python ? "example.py" : "example.mjs"
            try Data(example.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            let environment = ["PUSHHOST": "", "XDG_DATA_HOME": "\(folder)/data"]
            let (output, status) = try client.run([name], environment: environment, directory: folder)
            #expect(status == .code(0), "\(output)")
            #expect(output.wholeMatch(of: #/[a-z-]+\n/#) != nil, "\(output)")
        }
    }

    @Test("A client's example script saves events and outputs each one once", arguments: ClientPackage.allCases)
    func script(client: ClientPackage) throws {
        let script = client == .python ? "outbox.py" : "outbox.mjs"
        try withTemporaryDirectory { data in
            func run(_ input: String) throws -> (output: String, status: ChildProcess.Status) {
                try client.run(["\(client.folder)/examples/\(script)", data], input: input)
            }
            let events = (1...1_500).map { #"{"name":"Event \#($0)","properties":{"n":\#($0)}}"# + "\n" }
            let first = try run(events.joined())
            #expect(first.status == .code(0))
            let names = try first.output.split(separator: "\n").map { try JSON(parsing: String($0))["name"]?.string }
            #expect(names == (1...1_500).map { "Event \($0)" })
            let second = try run(#"{"name": ""}"# + "\n\n" + #"{"name": "Last"}"#)
            #expect(second.status == .code(1))
            // The recording that checks the wire contains the first run's suites.
            let lines = second.output.split(separator: "\n").filter { !$0.contains("--record: ") }
            #expect(lines.count == 2, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("line 1: saveCustomEvent: ") }, "\(lines)")
            #expect(lines.contains { $0.contains(#""Last""#) }, "\(lines)")
        }
    }

    @Test("A client's example test for CI passes", arguments: ClientPackage.allCases)
    func continuousIntegration(client: ClientPackage) throws {
        let file = client == .python ? "test_match_game.py" : "match-game.test.mjs"
        let (output, status) = try client.run(["\(client.folder)/examples/\(file)"])
        #expect(status == .code(0), "\(output)")
        #expect(output.contains(client == .python ? "Ran 2 tests" : "pass 2"), "\(output)")
    }

    private func link(_ path: String, to target: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
}
