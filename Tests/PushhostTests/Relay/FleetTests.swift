import Foundation
import TestSupport
import Testing

/// The arithmetic of the page about many hosts, and its simulation.
@Suite(.waits) struct FleetTests {
    private static let page = "\(repositoryRoot)/protocol/guides/fleet.md"

    /// Runs the script, which writes no files beside it.
    private func run(_ arguments: String...) throws -> (output: String, status: ChildProcess.Status) {
        let script = "\(repositoryRoot)/Tests/Benchmarks/fleet/fleet.py"
        let process = try ChildProcess(try Tool.python.path(), ["-B", script] + arguments)
        let output = try process.readToEnd()
        let status = try process.wait()
        #expect(process.standardError == "")
        return (output, status)
    }

    /// The tables between markers, by name.
    private func tables(_ text: String) -> [String: String] {
        let block = #/<!-- fleet\.py: (\w+) -->\n([^<]*)<!-- end -->/#
        return Dictionary(text.matches(of: block).map { (String($0.output.1), String($0.output.2)) }) { $1 }
    }

    @Test("In small, the simulation gives what the formulas say, for several causes of a limit and for a lost zone")
    func check() throws {
        let (output, status) = try run("check")
        let lines = output.split(separator: "\n")
        #expect(status == .code(0) && lines.count > 30)
        #expect(lines.filter { !$0.hasPrefix("right") } == [])
    }

    @Test("The page has the script's numbers (PUSHHOST_UPDATE_PAGES=1 writes them)")
    func numbers() throws {
        let (output, status) = try run()
        #expect(status == .code(0))
        let made = tables(output)
        var text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let kept = tables(text)
        #expect(Set(kept.keys) == Set(made.keys) && made.count == 5)
        guard ProcessInfo.processInfo.environment["PUSHHOST_UPDATE_PAGES"] != nil else {
            for (name, table) in made {
                #expect(
                    kept[name] == table,
                    "the table \(name) is stale; PUSHHOST_UPDATE_PAGES=1 and this test write it"
                )
            }
            return
        }
        for (name, table) in made {
            let start = "<!-- fleet.py: \(name) -->\n"
            text = text.replacing("\(start)\(kept[name] ?? "")<!-- end -->", with: "\(start)\(table)<!-- end -->")
        }
        try text.write(toFile: Self.page, atomically: true, encoding: .utf8)
    }

    @Test("A record takes as many bytes on the wire and in the file of a stream as the formulas say")
    func measured() throws {
        let server = try NATSServer()
        let (output, status) = try run("measure", "--port", "\(server.port)")
        #expect(status == .code(0), "\(output)")
        #expect(output.split(separator: "\n").count { $0.hasPrefix("right") } == 3)
    }
}
