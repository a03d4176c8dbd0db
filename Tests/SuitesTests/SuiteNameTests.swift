import Suites
import Testing

struct SuiteNameTests {
    @Test(
        "Names in the format of App Groups are valid",
        arguments: [
            "standard", "a", "7", "group.com.company.app", "A-b_c.d", String(repeating: "n", count: 128), "a..b",
        ]
    )
    func good(text: String) {
        #expect(SuiteName(text)?.text == text)
    }

    @Test(
        "Names that could leave the folder, hide a file or be confused with others are invalid",
        arguments: [
            "", ".", "..", ".hidden", "-option", "_x", "a/b", "../a", "a b", "ä", "a\u{0}b", "a\n", "a\\b", "a:b", "é",
            String(repeating: "n", count: 129), "a\u{301}", "A\u{FF21}", "٣",
        ]
    )
    func bad(text: String) {
        #expect(SuiteName(text) == nil)
    }

    @Test("The bytes of a name are those of its text, and no others", arguments: ["group.a", "group.", "group.ab", ""])
    func bytes(text: String) throws {
        let name = try #require(SuiteName("group.a"))
        #expect(Array(text.utf8).withUnsafeBytes { name.isEqual(to: $0) } == (text == "group.a"))
    }

    @Test("Names are compared exactly")
    func exact() {
        #expect(SuiteName("a") == SuiteName("a"))
        #expect(SuiteName("a") != SuiteName("A"))
        #expect(SuiteName("standard") == .standard)
    }
}
