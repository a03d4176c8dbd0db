import Foundation
import JSON
import TestSupport
import Testing

/// Every tag, operator, attribute and filter that the page of `plugins/liquid` names, tested by the cases of
/// `Tests/Fixtures/liquid`.
@Suite(.waits) struct LiquidCoverageTests {
    /// One line of the case file.
    private struct Case {
        let covers: [String]
        let line: JSON

        var template: String { line["template"]?.string ?? "" }
        var profile: JSON { line["profile"] ?? [:] }
        var diagnostics: [String] { line["diagnostics"].elements.compactMap(\.string) }

        /// The status on the page for a name that only has cases of this kind.
        var status: String {
            if line["error"] != nil { return "refused" }
            return diagnostics.isEmpty ? "rendered" : "rendered, with a diagnostic"
        }

        init(_ line: JSON) {
            self.line = line
            covers = line["covers"].elements.compactMap(\.string)
        }
    }

    private static let path = "\(repositoryRoot)/Tests/Fixtures/liquid/cases.jsonl"

    private static func cases() throws -> [Case] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { Case(try JSON(parsing: String($0))) }
    }

    @Test("Each case gives its expected text, abort or error, and the expected diagnostics")
    func rendering() throws {
        try LiquidRenderer.with { renderer throws in
            for row in try Self.cases() {
                let rendered = try renderer.render(row.template, row.profile)
                #expect(rendered.text == row.line["text"]?.string, "\(row.template): \(rendered.answer)")
                #expect(rendered.abort == row.line["abort"]?.string, "\(row.template)")
                #expect(rendered.reason == row.line["error"]?.string, "\(row.template): \(rendered.answer)")
                #expect(rendered.message == row.line["message"]?.string, "\(row.template)")
                #expect(rendered.reasons == row.diagnostics, "\(row.template)")
            }
        }
    }

    @Test("The page's tables and the cases list the same names, and the statuses match the cases")
    func page() throws {
        let statuses = try Self.statuses()
        let cases = try Self.cases()
        #expect(cases.allSatisfy { !$0.covers.isEmpty })
        #expect(Set(cases.flatMap(\.covers)) == Set(statuses.keys))
        for (name, status) in statuses {
            let own = cases.filter { $0.covers.contains(name) }
            // A name that is rendered may also have cases with mistakes.
            let shown = own.contains { $0.status != "refused" } ? own.filter { $0.status != "refused" } : own
            #expect(Set(shown.map(\.status)) == [status], "\(name)")
        }
    }

    @Test("Every name of Liquid and of this bundle has a case, and no case has another name")
    func library() throws {
        try LiquidRenderer.requireLibrary()
        let script = """
            require "\(LiquidRenderer.bundle)/library"
            Personalization::Library.load
            strainer = Liquid::StrainerFactory.create(nil, [Personalization::BrazeFilters])
            puts strainer.class.filter_method_names.map { |name| "filter " + name }
            puts Liquid::Template.tags.map { |name, _| "tag " + name.sub("#", "inline comment") }
            """
        let ruby = try ChildProcess(Tool.ruby.path(), ["-e", script])
        let names = try ruby.readToEnd().split(separator: "\n").map(String.init)
        #expect(try ruby.wait() == .code(0), "\(ruby.standardError)")
        #expect(names.count > 90, "a list that is too short shows nothing")
        let rendered = Set(try Self.statuses().filter { $0.value != "refused" }.keys)
        let known = rendered.filter { $0.hasPrefix("filter ") }
        #expect(Set(names.filter { $0.hasPrefix("filter ") }) == known)
        #expect(Set(names.filter { $0.hasPrefix("tag ") }).subtracting(try Self.statuses().keys) == [])
    }

    /// The second column of the page's tables, by the names in the first, which are prefixed with the table's kind.
    private static func statuses() throws -> [String: String] {
        let page = try String(contentsOfFile: "\(LiquidRenderer.bundle)/README.md", encoding: .utf8)
        var result: [String: String] = [:]
        var kind = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("#") { kind = "" }
            if let heading = line.wholeMatch(of: #/### (Tag|Operator|Attribute|Filter)s/#) {
                kind = heading.1.lowercased()
            }
            let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
            guard !kind.isEmpty, line.hasPrefix("| `"), cells.count >= 2 else { continue }
            for name in cells[0].matches(of: #/`([^`]+)`/#) {
                let name = "\(kind) \(name.1)"
                #expect(result[name] == nil, "\(name) stands there twice")
                result[name] = cells[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return result
    }
}
