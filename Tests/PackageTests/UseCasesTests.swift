import Foundation
import TestSupport
import Testing

/// The table of use cases in `plugins/README.md`, with a bundle and a session for each, and the list of languages.
@Suite struct UseCasesTests {
    /// A bundle as described by its `Info.plist`.
    private struct Bundle {
        let name: String
        let language: String
        let point: String
    }

    private static let points = [
        "com.apple.usernotifications.content-extension": "content", "com.apple.usernotifications.service": "service",
        "pushhost.destination": "destination", "pushhost.personalization": "personalization",
        "pushhost.source": "source",
    ]
    private static let languages = ["": "Swift", "py": "Python", "mjs": "Node", "rb": "Ruby"]

    @Test("Every bundle is in the table of use cases, and every row names existing bundles and sessions")
    func useCases() throws {
        let rows = try Self.rows(ofTable: "| Use case | Bundle | Session |")
        #expect(rows.count { !$0[1].isEmpty } >= 15)
        #expect(Self.findings(rows, bundles: try Self.bundles().map(\.name), sessions: try Self.sessions()) == [])
    }

    @Test("Every content extension is shown in a session of its row")
    func shown() throws {
        let rows = try Self.rows(ofTable: "| Use case | Bundle | Session |")
        for bundle in try Self.bundles() where bundle.point == "content" {
            let own = rows.filter { Self.links($0[1]).contains { $0.target == bundle.name } }
            for session in own.flatMap({ Self.links($0[2]) }).map(\.text) where session.hasPrefix(bundle.name) {
                let replies = session.replacing(".jsonl", with: ".replies.jsonl")
                let text = try Repository.text(of: "protocol/sessions/\(replies)")
                #expect(text.contains(#""extension":"com.example.pushhost.\#(bundle.name)""#), "\(session)")
            }
            #expect(own.contains { Self.links($0[2]).contains { $0.text == "\(bundle.name).jsonl" } }, "\(bundle.name)")
        }
    }

    @Test("The list of languages contains every bundle, as its Info.plist says")
    func languages() throws {
        let page = try Repository.text(of: "plugins/README.md")
        for language in Self.languages.values {
            let item = try #require(page.split(separator: "- **\(language)**: ").dropFirst().first)
            let end = item.firstRange(of: /\n(?:- |\n)/)?.lowerBound ?? item.endIndex
            let wanted = try Self.bundles().filter { $0.language == language }.map(\.name)
            #expect(Self.links(String(item[..<end])).map(\.target) == wanted)
        }
    }

    @Test(
        "A mistake in a row or a bundle is found",
        arguments: [
            (
                ["| **Games** | | |", "| a game | [a](a), [b](b) | [a.jsonl](../protocol/sessions/a.jsonl), short |"],
                []
            ),
            (["| a game | [a](a) | [a.jsonl](../protocol/sessions/a.jsonl) |"], ["b has no row"]),
            (["| a game | [a](a), [b](b), [c](c) | [a.jsonl](../protocol/sessions/a.jsonl) |"], ["c is not a bundle"]),
            (
                ["| a game | [a](a), [b](c) | [a.jsonl](../protocol/sessions/a.jsonl) |"],
                ["c is not a bundle", "b has no row"]
            ),
            (["| a game | [a](a), [b](b) | [c.jsonl](../protocol/sessions/c.jsonl) |"], ["c.jsonl is not a session"]),
            (["| a game | [a](a), [b](b) | [a.jsonl](a.jsonl) |"], ["a.jsonl is not a session"]),
            (["| a game | [a](a), [b](b) | |"], ["a game has no session"]),
        ]
    )
    func planted(rows: [String], findings: [String]) {
        let found = Self.findings(rows.map(Self.cells), bundles: ["a", "b"], sessions: ["a.jsonl"])
        #expect(found == findings)
    }

    /// The problems in the table of use cases, a sentence each; a row without bundle and session is a heading.
    private static func findings(_ rows: [[String]], bundles: [String], sessions: [String]) -> [String] {
        var findings: [String] = []
        for row in rows where !row[1].isEmpty || !row[2].isEmpty {
            let (named, played) = (links(row[1]), links(row[2]))
            if named.isEmpty { findings.append("\(row[0]) has no bundle") }
            if played.isEmpty { findings.append("\(row[0]) has no session") }
            for link in named where !bundles.contains(link.target) || link.text != link.target {
                findings.append("\(link.target) is not a bundle")
            }
            for link in played
            where !sessions.contains(link.text) || link.target != "../protocol/sessions/\(link.text)" {
                findings.append("\(link.text) is not a session")
            }
        }
        let named = Set(rows.flatMap { links($0[1]).map(\.target) })
        return findings + bundles.filter { !named.contains($0) }.map { "\($0) has no row" }
    }

    // MARK: The files

    private static func bundles() throws -> [Bundle] {
        // The templates of new bundles have a plist too, in a deeper folder.
        let lists = try Repository.files(under: ["plugins"]).filter {
            $0.wholeMatch(of: /plugins\/[^\/]+\/Info.plist/) != nil
        }
        return try lists.map { path in
            let data = Data(try Repository.text(of: path).utf8)
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            let info = try #require(list as? [String: Any])
            let executable = try #require(info["CFBundleExecutable"] as? String)
            let point = (info["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String
            let suffix = executable.contains(".") ? executable.split(separator: ".").last.map(String.init) : ""
            return Bundle(
                name: String(path.split(separator: "/")[1]),
                language: try #require(languages[suffix ?? ""], "\(executable)"),
                point: try #require(points[point ?? ""], "\(path)")
            )
        }
    }

    private static func sessions() throws -> [String] {
        try Repository.files(under: ["protocol/sessions"]).map { String($0.split(separator: "/")[2]) }
            .filter { !$0.hasSuffix(".replies.jsonl") }
    }

    // MARK: The page

    /// The cells of each row of a table, without its header.
    private static func rows(ofTable head: String) throws -> [[String]] {
        let lines = try Repository.text(of: "plugins/README.md").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let start = try #require(lines.firstIndex { $0 == head })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { cells(String($0)) }
    }

    private static func cells(_ row: String) -> [String] {
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func links(_ cell: String) -> [(text: String, target: String)] {
        cell.matches(of: #/\[([^\]]+)\]\(([^)]+)\)/#).map { (String($0.output.1), String($0.output.2)) }
    }
}
