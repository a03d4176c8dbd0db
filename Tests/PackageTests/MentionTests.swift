import TestSupport
import Testing

@Suite struct MentionTests {
    @Test("No file of Sources and plugins mentions the library of another target")
    func mentions() throws {
        let kinds = [".swift", ".c", ".h", ".modulemap"]
        for file in try Repository.files(under: ["Sources", "plugins"]) where kinds.contains(where: file.hasSuffix) {
            let text = try Repository.text(of: file)
            #expect(MentionRules.jansson.violations(in: text, at: file) == [], "\(file)")
            #expect(MentionRules.database.violations(in: text, at: file) == [], "\(file)")
        }
    }

    @Test("The targets that may mention a library do, so the rules contain its real names")
    func presence() throws {
        let json = try Repository.text(of: "Sources/JSON/Node.swift")
        let elsewhere = MentionRules.jansson.violations(in: json, at: "Sources/JSONRPC/Node.swift")
        #expect(elsewhere.contains("CJansson"))
        #expect(elsewhere.contains("json_t"))
        #expect(elsewhere.contains("json_decref"))
        #expect(MentionRules.jansson.violations(in: json, at: "Sources/JSON/Node.swift") == [])
    }

    @Test(
        "A forbidden mention is found",
        arguments: [
            ("let tree: UnsafeMutablePointer<json_t>", "json_t"),
            ("json_loadb(start)", "json_loadb"),
            ("if kind == JSON_OBJECT {", "JSON_OBJECT"),
            ("#include <jansson.h>", "jansson"),
            ("// as GRDB does", "GRDB"),
            ("sqlite3_step(statement)", "sqlite3_step"),
            ("let queue = try DatabaseQueue(path: path)", "DatabaseQueue"),
            ("catch SQLITE_BUSY", "SQLITE_BUSY"),
        ]
    )
    func planted(text: String, name: String) {
        let rules = [MentionRules.jansson, MentionRules.database]
        #expect(rules.flatMap { $0.violations(in: text, at: "Sources/HostCore/Turn.swift") } == [name])
        #expect(rules.flatMap { $0.violations(in: text, at: "plugins/braze/main.swift") } == [name])
        #expect(rules.flatMap { $0.violations(in: text, at: "Sources/JSONRPC/JSON/Turn.swift") } == [name])
    }

    @Test("Words that only resemble the names are accepted")
    func innocent() {
        let text =
            "version(\"jansson\") JSON.Object JSONRPC json jsonText(json) some_json_t my_sqlite3_ SQLite Database"
        #expect(MentionRules.jansson.violations(in: text, at: "Sources/HostCore/Turn.swift") == [])
        #expect(MentionRules.database.violations(in: text, at: "Sources/HostCore/Turn.swift") == [])
    }
}
