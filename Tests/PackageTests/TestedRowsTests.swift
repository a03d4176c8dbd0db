import TestSupport
import Testing

/// Pages that name a test in each row of their tables.
@Suite struct TestedRowsTests {
    @Test(
        "Each row names a test, and each named function is in the linked file",
        arguments: ["protocol/concepts/sandbox.md", "protocol/concepts/security.md"]
    )
    func rows(page: String) throws {
        let text = try Repository.text(of: page)
        let rows = TestedRow.all(in: text)
        #expect(rows.count >= 20)
        let files = Set(rows.flatMap { $0.links }.compactMap { TestedRow.path($0.target) })
        let texts = try Dictionary(uniqueKeysWithValues: files.map { ($0, try Repository.text(of: $0)) })
        #expect(rows.flatMap { $0.findings(in: texts) } == [])
    }

    @Test(
        "A row without a test, a missing function and a missing definition are found",
        arguments: [
            ("| [a][T] | |", "no test: | [a][T] | |"), ("| a | b |", "no test: | a | b |"),
            ("| a | [none][T] |", "T.swift has no test none"), ("| a | [loop][T] |", "T.swift has no test loop"),
            ("| a | [x][U] |", "there is no definition of U"), ("| a | [U] |", "there is no definition of U"),
        ]
    )
    func planted(row: String, finding: String) {
        #expect(Self.findings(row) == [finding])
    }

    @Test(
        "A row that names its functions or a file is accepted",
        arguments: ["| a | [x][T], [loops][T] |", "| a | [T] |"]
    )
    func accepted(row: String) {
        #expect(Self.findings(row) == [])
    }

    private static func findings(_ row: String) -> [String] {
        let untested = "| a | without tests |\n|---|---|\n| b | |"
        let page = "| it | test |\n|---|---|\n\(row)\n\n\(untested)\n\n[T]: ../../T.swift\n"
        return TestedRow.all(in: page).flatMap { $0.findings(in: ["T.swift": "func x() {}\nfunc loops() {}"]) }
    }
}

/// A row of a table whose last column is `test`.
struct TestedRow {
    /// A link in the last cell: the name of a function, if it has one, and what is linked.
    struct Link {
        let function: String?
        let label: String
        /// The target of the label's definition; nil if there is none.
        let target: String?
    }

    let text: String
    let links: [Link]

    /// All such rows of a page.
    static func all(in page: String) -> [TestedRow] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let definitions = lines.compactMap { $0.wholeMatch(of: /\[([^\]]+)\]: +(\S+)/) }
        let targets = Dictionary(definitions.map { (String($0.output.1), String($0.output.2)) }) { $1 }
        var rows: [TestedRow] = []
        var isTested = false
        for line in lines {
            if !line.hasPrefix("|") {
                isTested = false
            } else if line.hasSuffix("| test |") {
                isTested = true
            } else if isTested, !line.hasPrefix("|---") {
                let cell = line.firstMatch(of: /\|([^|]*)\|$/)?.output.1 ?? ""
                let links = cell.matches(of: /\[([^\]]+)\](?:\[([^\]]+)\])?/).map { match in
                    let label = String(match.output.2 ?? match.output.1)
                    return Link(
                        function: match.output.2.map { _ in String(match.output.1) },
                        label: label,
                        target: targets[label]
                    )
                }
                rows.append(TestedRow(text: String(line), links: links))
            }
        }
        return rows
    }

    /// The path of a file of tests, from the root; nil for a folder.
    static func path(_ target: String?) -> String? {
        target.flatMap { $0.hasSuffix(".swift") ? $0.replacing("../", with: "") : nil }
    }

    /// One sentence for each problem; `texts` has the linked files.
    func findings(in texts: [String: String]) -> [String] {
        guard !links.isEmpty else { return ["no test: \(text)"] }
        return links.compactMap { link in
            guard link.target != nil else { return "there is no definition of \(link.label)" }
            guard let function = link.function else { return nil }
            let path = Self.path(link.target) ?? ""
            return texts[path]?.contains("func \(function)(") == true ? nil : "\(path) has no test \(function)"
        }
    }
}
