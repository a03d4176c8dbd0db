import Foundation
import Testing

@testable import Recording

/// The redaction of secrets in lines, in every notation.
@Suite struct SecretsTests {
    private func hidden(_ line: String, _ secrets: [String]) -> String {
        var all = Secrets()
        for (number, secret) in secrets.enumerated() { all.add(secret, name: "S\(number)") }
        let result = Array(line.utf8).withUnsafeBytes(all.hidden)
        return result.map { String(decoding: $0, as: UTF8.self) } ?? line
    }

    @Test(
        "A secret is found in every JSON escape notation",
        arguments: [
            #"geheimé<&>/"\😀"#,
            #"geheim\u00e9<&>\/\"\\\ud83d\ude00"#, #"geheim\u00E9\u003C\u0026\u003E/\u0022\u005C\uD83D\uDE00"#,
            #"\u0067\u0065\u0068\u0065\u0069\u006d\u00e9\u003c\u0026\u003e\u002f\"\\😀"#,
        ]
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

    private static let binary = "s3cret?>?>~~~key"

    @Test(
        "A secret within Base64 is found, however many bytes precede and follow it",
        arguments: 0..<6,
        0..<3
    )
    func base64(before: Int, behind: Int) throws {
        let text = String(repeating: "x", count: before) + Self.binary + String(repeating: "y", count: behind)
        let standard = Data(text.utf8).base64EncodedString()
        let url = standard.replacing("+", with: "-").replacing("/", with: "_")
        // What is left has no more than the bytes before and behind, and what belongs to them.
        for spelt in [standard, url, url.replacing("=", with: ""), standard.replacing("/", with: #"\/"#)] {
            let line = hidden(#"{"a":"\#(spelt)","b":1}"#, [Self.binary])
            let left = try #require(line.wholeMatch(of: /\{"a":"(\w*)\[S0\](\w*)(=*)","b":1\}/), "\(spelt): \(line)")
            #expect(left.output.1.utf8.count == before / 3 * 4 + [0, 2, 3][before % 3], "\(line)")
        }
        #expect(hidden("log \(standard) end", [Self.binary]).contains("[S0]"), "in what is no JSON too")
    }

    @Test("A part of a secret's Base64 at the end of a truncated string is redacted")
    func base64Part() {
        let standard = Data("s3cret-1234567890".utf8).base64EncodedString()
        #expect(hidden("{\"e\":\"\(standard.dropFirst(5)) and\"}", ["s3cret-1234567890"]).hasPrefix("{\"e\":\"[S0]"))
        #expect(hidden("{\"e\":\"and \(standard.dropLast(6))\"}", ["s3cret-1234567890"]) == "{\"e\":\"and [S0]\"}")
    }

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
            ("xx", 0), ("xxg", 1), ("xxgeheim", 6), (#"xxgeheim\u00"#, 10), (#"xxgeheim\u00E9-"#, 13), ("geheimx", 0),
            (#"xx\u006"#, 5),
        ]
    )
    func begun(piece: String, count: Int) {
        var all = Secrets()
        all.add("geheimé-geheim", name: "A")
        #expect(all.countOfBegun(atEndOf: Array(piece.utf8)) == count)
    }
}
