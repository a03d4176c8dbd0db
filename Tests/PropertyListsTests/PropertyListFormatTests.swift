import PropertyLists
import Testing

@Suite struct PropertyListFormatTests {
    @Test(
        "The first bytes of a file determine its format",
        arguments: [
            ("bplist00", .binary), ("<?xml version=\"1.0\"?>\n<plist>", .xml), ("\n <!DOCTYPE plist>", .xml),
            ("<plist>", .xml),
            ("<dict/>", .xml), ("\u{FEFF}<plist/>", .xml), ("", nil), ("bplist", nil), ("{ a = 1; }", nil),
            ("<0fbd77>", nil), ("<html>", nil), ("<?xml version=\"1.0\"?><settings/>", nil), ("<?xml version=", nil),
            ("KEY=secret\0<plist>", nil),
        ] as [(String, PropertyListFormat?)]
    )
    func forms(text: String, format: PropertyListFormat?) {
        #expect(PropertyListFormat(Array(text.utf8)) == format)
    }

    @Test(
        "The format is recognized in UTF-16, too, with and without a byte order mark",
        arguments: [false, true],
        [false, true]
    )
    func wide(isBigEndian: Bool, isMarked: Bool) {
        let units = (isMarked ? [0xFEFF] : []) + Array("<?xml version=\"1.0\"?><plist/>".utf16)
        let bytes = units.flatMap { unit in
            isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        #expect(PropertyListFormat(bytes) == .xml)
    }
}
