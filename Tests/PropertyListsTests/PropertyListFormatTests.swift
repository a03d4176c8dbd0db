import PropertyLists
import Testing

@Suite struct PropertyListFormatTests {
    @Test(
        "The first bytes of a file show its form",
        arguments: [
            ("bplist00", .binary), ("<?xml version=\"1.0\"?>", .xml), ("\n <!DOCTYPE plist>", .xml), ("<plist>", .xml),
            ("<dict/>", .xml), ("\u{FEFF}<plist/>", .xml), ("", nil), ("bplist", nil), ("{ a = 1; }", nil),
            ("<0fbd77>", nil), ("<html>", nil), ("KEY=secret\0<plist>", nil),
        ] as [(String, PropertyListFormat?)]
    )
    func forms(text: String, format: PropertyListFormat?) {
        #expect(PropertyListFormat(Array(text.utf8)) == format)
    }

    @Test(
        "The form is seen in UTF-16 too, with a byte order mark and without",
        arguments: [false, true],
        [false, true]
    )
    func wide(isBigEndian: Bool, isMarked: Bool) {
        let units = (isMarked ? [0xFEFF] : []) + Array("<?xml version=\"1.0\"?>".utf16)
        let bytes = units.flatMap { unit in
            isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        #expect(PropertyListFormat(bytes) == .xml)
    }
}
