import PropertyLists
import Testing

/// The XML format, element by element.
@Suite struct XMLPropertyListTests {
    private func read(_ text: String) throws -> PropertyListValue {
        try PropertyListValue(propertyList: Array(text.utf8))
    }

    @Test(
        "An element has the same value as in Apple's reader",
        arguments: [
            ("<integer>+5</integer>", .integer(5)), ("<integer>0x1F</integer>", .integer(31)),
            ("<integer>-0x1F</integer>", .integer(-31)), ("<integer>18446744073709551615</integer>", .unsigned(.max)),
            ("<integer>-9223372036854775808</integer>", .integer(.min)), ("<real>1.</real>", .real(1)),
            ("<real>.5</real>", .real(0.5)), ("<real>-inf</real>", .real(-.infinity)),
            ("<real>+Infinity</real>", .real(.infinity)), ("<real>1e400</real>", .real(.infinity)),
            ("<real>6.02e23</real>", .real(6.02e23)), ("<true></true>", .bool(true)), ("<string/>", .string("")),
            ("<string>a\r\nb</string>", .string("a\r\nb")), ("<data> Y Q\n==\t</data>", .data([0x61])),
            ("<data/>", .data([])), ("<data></data>", .data([])), ("<data>YWI=</data>", .data([0x61, 0x62])),
            ("<string>a<![CDATA[<&]]]>b</string>", .string("a<&]b")),
            ("<string>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;</string>", .string("&<>\"'A😀")),
            ("<string>&amp;lt;</string>", .string("&lt;")), ("<string a='b>c'>x</string >", .string("x")),
            ("<date>2026-01-31T12:00:01Z</date>", .date(1_769_860_801)),
            ("<date>2026-13-01T00:00:00Z</date>", .date(1_798_761_600)),
            ("<!-- < --><?x y?><true/><!-- -->", .bool(true)), ("<dict/>", .dictionary([])),
        ] as [(String, PropertyListValue)]
    )
    func elements(text: String, value: PropertyListValue) throws {
        #expect(try read("<?xml version=\"1.0\"?>\n<!DOCTYPE plist SYSTEM \"a>b\">\n<plist>\(text)</plist>") == value)
    }

    @Test("The real number nan is read")
    func nan() throws {
        guard case .real(let value) = try read("<plist><real>NaN</real></plist>") else {
            Issue.record("it is no real")
            return
        }
        #expect(value.isNaN)
    }

    @Test(
        "A root without <plist> is read, and everything after the root is ignored",
        arguments: ["", "junk", "<plist>"]
    )
    func roots(rest: String) throws {
        #expect(try read("<dict><key>a</key><true/></dict>\(rest)") == .dictionary([.init("a", .bool(true))]))
        #expect(try read("<plist><true/></plist>\(rest)") == .bool(true))
    }

    @Test(
        "An error has the line of the mistake",
        arguments: [
            (
                "<array>\n<dict>\n</array>",
                "line 4: the close tag </array> does not match the open tag <dict> of line 3"
            ),
            ("<dict>\n<key>a</key>\n<key>b</key>", "line 4: the key \"a\" has no value: another <key> follows"),
            ("<dict><key>a</key></dict>", "line 2: the key \"a\" has no value"),
            ("<dict>\n<string>a</string>", "line 3: <string> has no <key> before it in <dict> of line 2"),
            ("<array>\n<key>a</key>", "line 3: <key> stands outside a <dict>"),
            ("<null/>", "line 2: <null> is not an element of a property list"),
            ("<true/>\n<true/>", "line 3: there is a second value, <true>, and a property list has one"),
            ("<dict>\nx", "line 3: text stands where an element must begin"),
            ("<integer>1.5</integer>", "line 2: <integer> holds \"1.5\", which is no integer of 64 bits"),
            ("<integer>18446744073709551616</integer>", "line 2: <integer> holds \"18446744073709551616\""),
            ("<integer>--5</integer>", "line 2: <integer> holds"), ("<integer/>", "line 2: <integer> holds \"\""),
            ("<real> 1</real>", "line 2: <real> holds \" 1\", which is no real"),
            ("<real>0x1p3</real>", "line 2: <real>"),
            ("<date>2026-01-01</date>", "line 2: <date> holds \"2026-01-01\", which is no date such as 2026-"),
            ("<data>Y!Q=</data>", "line 2: <data> holds no base64"),
            ("<data>YQ</data>", "line 2: <data> holds no base64"),
            ("<true>x</true>", "line 2: <true> is not empty"),
            ("<string>a & b</string>", "line 2: an & begins no character; write &amp;"),
            ("<string>&foo;</string>", "line 2: &foo; is not a character"),
            ("<string>&#xD800;</string>", "line 2: &#xD800; is not a character"),
            ("<string>&#-5;</string>", "line 2: &#-5; is not a character"),
            ("<string>\na<b>c</b></string>", "line 3: <string> of line 2 holds markup"),
            ("<string>\nx</plist>", "line 3: the close tag </plist> does not match the open tag <string> of line 2"),
            ("<string><![CDATA[x</string>", "line 2: <![CDATA[ has no end"), ("<!-- x", "line 2: a comment has no end"),
            ("<dict>\n", "line 3: it ends inside <dict> of line 2"),
            ("<plist>", "line 2: <plist> stands inside <plist>"),
            ("</plist>", "line 2: <plist> is empty"),
        ]
    )
    func wrong(text: String, message: String) {
        let error = #expect(throws: PropertyListError.self) { try read("<plist>\n\(text)") }
        #expect(
            error?.message.hasPrefix("it is not a readable property list: \(message)") == true,
            "\(error?.message ?? "")"
        )
    }

    @Test("A text that is not UTF-8, and an unknown encoding, are refused")
    func encodings() {
        let bad = Array("<plist>\n<string>".utf8) + [0xFF] + Array("</string></plist>".utf8)
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: bad) }
        #expect(error?.place == .line(2) && error?.reason.contains("UTF-8") == true)
        for name in ["macintosh", "UTF-16"] {
            let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><true/></plist>"
            let error = #expect(throws: PropertyListError.self) { try read(text) }
            #expect(error?.reason.contains(name) == true)
        }
    }

    @Test("A document type that declares entities is refused")
    func documentType() {
        let text =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [<!ENTITY a SYSTEM \"/etc/passwd\">]><plist><string>&a;</string></plist>"
        let error = #expect(throws: PropertyListError.self) { try read(text) }
        #expect(error?.place == .line(2) && error?.reason.contains("DOCTYPE") == true)
    }
}
