import TestSupport
import Testing

@Suite struct LinkTests {
    @Test("Every relative link and anchor of a page has a target, and no anchor of a page occurs twice")
    func links() throws {
        let paths = try Repository.files()
        let names = paths.filter { $0.hasSuffix(".md") }
        let pages = try names.map { ($0, try Repository.text(of: $0)) }
        #expect(names.count >= 50)
        #expect(names.contains("protocol/reference/methods/host.md"))
        #expect(pages.map { MarkdownPage($0.1).links.count }.reduce(0, +) >= 500, "links are found")
        #expect(MarkdownPage.findings(in: Dictionary(uniqueKeysWithValues: pages), paths: paths) == [])
    }

    @Test("No hand-written page has more than 400 lines")
    func length() throws {
        for name in try Self.written() {
            let lines = try Repository.text(of: name).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 400, "\(name)")
        }
    }

    @Test("Prose has at most 120 characters in a line; tables, headings, code and links may have more")
    func width() throws {
        for name in try Self.written() {
            let long = MarkdownPage(try Repository.text(of: name)).prose.filter {
                $0.count > 120 && !$0.contains("](") && !$0.hasPrefix("#")
            }
            #expect(long == [], "\(name)")
        }
    }

    /// The pages that people write; the others are generated.
    private static func written() throws -> [String] {
        let generated = [
            "protocol/reference/methods/", "protocol/reference/command-line.md", "Sources/PhoneKit/symbols.md",
        ]
        return try Repository.files().filter { name in
            name.hasSuffix(".md") && !generated.contains { name.hasPrefix($0) }
        }
    }

    @Test(
        "A broken link and a repeated anchor are found",
        arguments: [
            ("[a](other.md)", ["there is no other.md"]), ("[a]\n\n[a]: other.md", ["there is no other.md"]),
            ("[a](../docs/page.md#none)", ["there is no heading for ../docs/page.md#none"]),
            ("[a](#a-part)", ["there is no heading for #a-part"]),
            ("[a](../../up.md)", ["there is no ../../up.md"]),
            ("[a](../code/main.c#top)", ["there is no heading for ../code/main.c#top"]),
            ("# A `part`\n\n## A Part", ["two headings have the anchor #a-part"]),
        ]
    )
    func planted(text: String, findings: [String]) {
        let paths = ["docs/page.md", "code/main.c"]
        let found = MarkdownPage.findings(in: ["docs/page.md": text], paths: paths)
        #expect(found == findings.map { "docs/page.md: \($0)" })
    }

    @Test(
        "Links to pages, folders, headings and web pages are accepted, and code contains no links or headings",
        arguments: [
            "[a](page.md)", "[a](../code)", "[a](../code/main.c)", "# $/a.b (of \"x\")\n\n[a](#ab-of-x)",
            "# A b\n\n[a](page.md#a-b) [b](https://example.com/#none)", "`[a](none.md)`",
            "[a]\n\n[a]: ../code/main.c", "```sh\n# a\n# a\n[a](b)\n```",
        ]
    )
    func accepted(text: String) {
        #expect(MarkdownPage.findings(in: ["docs/page.md": text], paths: ["docs/page.md", "code/main.c"]) == [])
    }
}
