import Foundation
import Testing

@testable import Recording

/// The redaction of secrets in lines.
@Suite struct SecretsTests {
    private func hidden(_ line: String, _ secrets: [String]) -> String {
        var all = Secrets()
        for (number, secret) in secrets.enumerated() { all.add(secret, name: "S\(number)") }
        let result = Array(line.utf8).withUnsafeBytes(all.hidden)
        return result.map { String(decoding: $0, as: UTF8.self) } ?? line
    }

    @Test(
        "A secret is found as it is and as a JSON string spells it, with or without an escaped slash",
        arguments: [#"geheimé<&>/"\😀"#, #"geheimé<&>/\"\\😀"#, #"geheimé<&>\/\"\\😀"#]
    )
    func spellings(spelt: String) {
        let secret = #"geheimé<&>/"\😀"#
        #expect(hidden(#"{"a":"x\#(spelt)y"}"#, [secret]) == #"{"a":"x[S0]y"}"#)
        #expect(hidden("x\(spelt)y \(spelt)", [secret]) == "x[S0]y [S0]", "in what is no JSON too")
    }

    @Test(
        "A part of a secret at the end of a truncated string is redacted, except a short part",
        arguments: [
            (#"{"e":"34567890 and"}"#, #"{"e":"[S0] and"}"#), (#"{"e":"cret-1234567890 and"}"#, #"{"e":"[S0] and"}"#),
            ("{\"e\":\"\u{FFFD}cret-1234567890 and\"}", "{\"e\":\"[S0] and\"}"),
            (#"{"e":"and s3cret-12345"}"#, #"{"e":"and [S0]"}"#),
            (#"{"e":"4567890 s3cret-"}"#, #"{"e":"4567890 s3cret-"}"#),
            (#"{"e":"and s3cret-12345 goes on"}"#, #"{"e":"and s3cret-12345 goes on"}"#),
            (#"["a\"s3cret-12345\"","\\","cret-1234567890"]"#, #"["a\"s3cret-12345\"","\\","[S0]"]"#),
        ]
    )
    func parts(line: String, wanted: String) { #expect(hidden(line, ["s3cret-1234567890"]) == wanted) }

    @Test(
        "A redacted number becomes a JSON string, and a longer number is not redacted",
        arguments: [
            (#"{"id":12345678}"#, #"{"id":"[S0]"}"#),
            (#"{"id":"12345678","n":[12345678]}"#, #"{"id":"[S0]","n":["[S0]"]}"#),
            (#"{"id":123456789,"m":912345678,"f":12345678.5}"#, #"{"id":123456789,"m":912345678,"f":12345678.5}"#),
            (#"{"t":"a912345678"}"#, #"{"t":"a9[S0]"}"#),
        ]
    )
    func numbers(line: String, wanted: String) { #expect(hidden(line, ["12345678"]) == wanted) }

    @Test("Longer secrets are redacted first, a short one only as a word, and a line without secrets is unchanged")
    func several() {
        #expect(hidden("s3cret-a s3cret-a-long short", ["s3cret-a", "s3cret-a-long", "short"]) == "[S0] [S1] short")
        var all = Secrets()
        #expect(Array("s3cret-a".utf8).withUnsafeBytes(all.hidden) == nil)
        all.add("s3cret-a", name: "A")
        #expect(Array(#"{"a":"nothing \" here"}"#.utf8).withUnsafeBytes(all.hidden) == nil)
    }

    @Test(
        "The end of a chunk that may be the beginning of a secret is recognized, also with escapes",
        arguments: [
            ("xx", 0), ("xxg", 1), ("xxgeheim", 6), (#"xxgeheim\"#, 7), (#"xxgeheim\"-"#, 9), ("geheimx", 0),
        ]
    )
    func begun(piece: String, count: Int) {
        var all = Secrets()
        all.add(#"geheim"-geheim"#, name: "A")
        #expect(all.countOfBegun(atEndOf: Array(piece.utf8)) == count)
    }
}
