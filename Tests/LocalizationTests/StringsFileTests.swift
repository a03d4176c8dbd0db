import Foundation
import TestSupport
import Testing

@testable import Localization

@Suite struct StringsFileTests {
    @Test(
        "Everything that Xcode accepts in a strings file is read",
        arguments: [
            ("\"a\" = \"b\";", ["a": "b"]),
            ("/* one\n two */\n// three\n\"a\"=\"b\" ; // four\r\n\"c\" = \"d\";", ["a": "b", "c": "d"]),
            ("", [:]), ("/* only a comment */", [:]), ("// only a comment", [:]),
            ("\"a\" = \"1\";\n\"a\" = \"2\";", ["a": "2"]),
            ("key.one = \"b\"; CFBundle-Name_2 = $x:y;", ["key.one": "b", "CFBundle-Name_2": "$x:y"]),
            ("\"alone\"; bare;", ["alone": "alone", "bare": "bare"]),
            ("{ a = b; \"c\" = 'd\"e'; }\n", ["a": "b", "c": "d\"e"]),
            (#""a" = "one\ntwo\t\"three\" \\ \'";"#, ["a": "one\ntwo\t\"three\" \\ '"]),
            (#""a" = "\U00e9 \Uac00 \Ud83d\Ude00 \UE9";"#, ["a": "é 가 😀 é"]),
            (#""a" = "\101\0501";"#, ["a": "A(1"]), (#""a" = "\q\%";"#, ["a": "q%"]),
            ("\"a\" = \"two\nlines\";", ["a": "two\nlines"]), ("\"\" = \"\";", ["": ""]),
            ("\"a/*b*/\" = \"http://c\";", ["a/*b*/": "http://c"]),
        ] as [(String, [String: String])]
    )
    func text(text: String, texts: [String: String]) throws {
        #expect(try StringsFile(Array(text.utf8)).texts == texts)
        #expect(try StringsFile(Array([0xEF, 0xBB, 0xBF]) + Data(text.utf8)).texts == texts)
        for (mark, encoding) in [([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian)]
            as [([UInt8], String.Encoding)]
        {
            let wide = try #require(text.data(using: encoding))
            #expect(try StringsFile(Array(mark) + wide).texts == texts)
        }
    }

    @Test(
        "Everything else is refused with its line",
        arguments: [
            ("\"a\" = \"1\"\n\"b\" = \"2\";", "line 1: the entry of \"a\" must end with a semicolon"),
            ("\"a\" = ;", "line 1: a text is needed, not \";\""), ("\n\"a\" =", "line 2: a text is missing"),
            ("\"a\" = \"1\n\n", "line 1: the quoted string has no end"),
            ("\"a\" = \"1\";\n\n/* x", "line 3: the comment has no end"),
            ("= \"b\";", "line 1: a key is needed, not \"=\""), ("{ a = b;\n", "line 2: the closing } is missing"),
            ("{ a = b; } c", "line 1: nothing may follow the closing }"), ("}", "line 1: a key is needed, not \"}\""),
            (#""a" = "\U";"#, "line 1: \\U needs up to four hexadecimal digits"),
            ("{ a = ( b ); }", "line 1: a text is needed, not \"(\""), ("\"a\" = \"\\", "line 1: the quoted string"),
        ]
    )
    func wrong(text: String, message: String) throws {
        let failure = #expect(throws: BundleFile.Failure.self) { try StringsFile(Array(text.utf8)) }
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("A property list of either format is read; values that are not strings are skipped")
    func propertyLists() throws {
        let list: [String: Any] = ["a": "b", "plural": ["one": "x"], "n": 5]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            #expect(try StringsFile([UInt8](data)).texts == ["a": "b"])
        }
        #expect(
            try StringsFile(Array("<plist><dict><key>a</key><string>é</string></dict></plist>".utf8)).texts == [
                "a": "é"
            ]
        )
    }

    @Test(
        "Bytes that are not text, and lists that are not dictionaries, are refused",
        arguments: [
            (Data([0x22, 0xFF, 0x22]), "neither UTF-8 nor UTF-16"), (Data([0xFF, 0xFE, 0x22]), "UTF-16"),
            (Data("<plist>".utf8), "not a readable property list"), (Data("bplist00x".utf8), "cut off"),
            (Data("<plist><array/></plist>".utf8), "must be a dictionary"),
        ]
    )
    func noText(data: Data, message: String) {
        let failure = #expect(throws: BundleFile.Failure.self) { try StringsFile([UInt8](data)) }
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test("A few bytes that expand to a huge tree are refused at once", .waits, arguments: [7, 20])
    func bomb(width: Int) {
        let bytes = BinaryPropertyLists.bomb(width: width)
        let failure = #expect(throws: BundleFile.Failure.self) { try StringsFile(Array(bytes)) }
        #expect(failure?.message.contains("more values") == true, "\(failure?.message ?? "")")
    }

    @Test("Every truncated file is read or refused, without a crash")
    func beginnings() {
        let text = "/* c */ \"k\\n\\U00e9\" = \"%1$@\"; // d\nb = 'c';\n{ }"
        for count in 0...text.utf8.count { _ = try? StringsFile(Array(text.utf8.prefix(count))) }
    }
}
