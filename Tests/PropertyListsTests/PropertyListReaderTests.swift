import Foundation
import PropertyLists
import TestSupport
import Testing

/// The reader of property lists, compared with Foundation's.
@Suite(.waits) struct PropertyListReaderTests {
    private static let formats = [PropertyListSerialization.PropertyListFormat.xml, .binary]

    @Test("A file by Foundation is read as Foundation reads it", arguments: formats)
    func types(format: PropertyListSerialization.PropertyListFormat) throws {
        let bytes = try PropertyListSamples.file(PropertyListSamples.all, format)
        let theirs = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        #expect(PropertyListSamples.isSame(try PropertyListValue(propertyList: bytes), theirs))
    }

    @Test("A file with random values by Foundation is read as Foundation reads it", arguments: formats)
    func random(format: PropertyListSerialization.PropertyListFormat) throws {
        var generator = SeededGenerator(seed: 1)
        for round in 0..<300 {
            let value = ["root": PropertyListSamples.random(depth: 4, using: &generator)]
            let bytes = try PropertyListSamples.file(value, format)
            let theirs = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
            let ours = try PropertyListValue(propertyList: bytes)
            #expect(PropertyListSamples.isSame(ours, theirs), "round \(round): \(ours)")
        }
    }

    @Test("Reading in slices gives the same value, and can be stopped", arguments: formats)
    func slices(format: PropertyListSerialization.PropertyListFormat) throws {
        let events = (0..<2_000).map { ["event_name": "e\($0)", "n": $0] as [String: Any] }
        let bytes = try PropertyListSamples.file(["events": events, "wide": wide(2_000)] as [String: Any], format)
        var reader = try PropertyListReader(bytes)
        var slices = 0
        var value: PropertyListValue?
        while value == nil {
            value = try reader.read { false }
            slices += 1
        }
        #expect(slices > 20)
        #expect(value == (try PropertyListValue(propertyList: bytes)))
        #expect(try reader.read { false } == value, "what was read stays")
    }

    private func wide(_ count: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
    }

    @Test("A dictionary keeps many keys, and the last of two values of the same key", arguments: [3, 40, 4_000])
    func keys(count: Int) throws {
        let members = (0..<count).map { "<key>k\($0)</key><integer>\($0)</integer>" }.joined()
        let twins = "<key>e\u{301}</key><integer>-1</integer><key>\u{E9}</key><integer>-2</integer>"
        let again = "<key>k1</key><integer>-3</integer>"
        let value = try PropertyListValue(
            propertyList: Array("<plist><dict>\(members)\(twins)\(again)</dict></plist>".utf8)
        )
        #expect(value.keys?.count == count + 2)
        #expect(value["k0"] == .integer(0) && value["k1"] == .integer(-3))
        #expect(value["e\u{301}"] == .integer(-1) && value["\u{E9}"] == .integer(-2))
    }

    @Test("In the binary format, the last of two values of the same key is kept, too")
    func binaryKeys() throws {
        let bytes = BinaryPropertyLists.file([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x10, 1], [0x10, 2]])
        #expect(try PropertyListValue(propertyList: bytes) == .dictionary([.init("a", .integer(2))]))
    }

    @Test(
        "A keyed archive's reference is a UID in XML, and the same dictionary stays a dictionary in the binary format"
    )
    func references() throws {
        func read(_ text: String) throws -> PropertyListValue {
            try PropertyListValue(propertyList: Array("<plist>\(text)</plist>".utf8))
        }
        let key = "<key>CF$UID</key>"
        #expect(try read("<dict>\(key)<integer>1</integer></dict>") == .uid(1))
        #expect(try read("<dict>\(key)<integer>18446744073709551615</integer></dict>") == .uid(.max))
        #expect(
            try read("<dict>\(key)<integer>-1</integer></dict>") == .dictionary([.init("CF$UID", .integer(-1))])
        )
        #expect(try read("<dict>\(key)<integer>1</integer><key>a</key><true/></dict>").keys == ["CF$UID", "a"])
        let bytes = BinaryPropertyLists.file([[0xD1, 1, 2], [0x56] + Array("CF$UID".utf8), [0x10, 1]])
        #expect(try PropertyListValue(propertyList: bytes) == .dictionary([.init("CF$UID", .integer(1))]))
    }

    @Test(
        "UTF-16 is read in parts, with and without a byte order mark, and Latin-1 and UTF-8 with one",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1, .utf8]
    )
    func encodings(encoding: String.Encoding) throws {
        let letters = encoding == .isoLatin1 ? "é" : "é😀"
        let content = String(repeating: letters, count: 40_001)
        let name = encoding == .isoLatin1 ? "ISO-8859-1" : encoding == .utf8 ? "UTF-8" : "UTF-16"
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<plist><string>\(content)</string></plist>"
        let bytes = [UInt8](try #require(text.data(using: encoding)))
        let marked = encoding == .utf8 ? [0xEF, 0xBB, 0xBF] + bytes : bytes
        #expect(try PropertyListValue(propertyList: marked) == .string(content))
    }
}
