import Foundation
import JSON
import PropertyLists
import TestSupport
import Testing

@testable import HostCore
@testable import Records

/// The host's codec for property lists, compared with Foundation's.
@Suite struct PropertyListTests {
    private static let all: PropertyListValue = .dictionary([
        .init(
            "numbers",
            .array(
                [0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, .max, .min].map {
                    .integer($0)
                } + [0, 1, -1, 0.1, 1e300, -.pi].map { .real($0) } + [.unsigned(.max), .bool(true), .bool(false)]
            )
        ),
        .init(
            "texts",
            .array(["", "a", "ä", "👩‍👩‍👧", "<&>\r\n\t", String(repeating: "x", count: 300)].map { .string($0) })
        ),
        .init("same", .array([.string("a"), .string("a"), .string("texts")])),
        .init("data", .array([.data([]), .data([0, 1, 255]), .data([UInt8](repeating: 7, count: 70_000))])),
        .init("dates", .array([.date(0), .date(1_767_225_600), .date(-978_307_200)])),
        .init("empty", .array([.array([]), .dictionary([])])),
    ])

    /// The value with its members sorted by key, because Foundation does not keep their order.
    private func sorted(_ value: PropertyListValue) -> PropertyListValue {
        switch value {
        case .array(let values): .array(values.map { sorted($0) })
        case .dictionary(let members):
            .dictionary(members.map { .init($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
        default: value
        }
    }

    private func write(_ value: PropertyListValue, _ isBinary: Bool) -> [UInt8] {
        isBinary ? BinaryPropertyListWriter.write(value) : XMLPropertyListWriter.write(value)
    }

    @Test("A written value is read with the same types", arguments: [false, true])
    func roundTrip(isBinary: Bool) throws {
        #expect(sorted(try PropertyListValue(reading: write(Self.all, isBinary))) == sorted(Self.all))
    }

    @Test("The binary format keeps the order of members, fractions of seconds and UIDs")
    func binaryExtras() throws {
        let value: PropertyListValue = .dictionary([
            .init("z", .date(0.25)), .init("a", .uid(0)), .init("m", .uid(70_000)), .init("nan", .real(.infinity)),
            .init("control", .string("\0\u{1}\u{FFFE}")), .init("e\u{301}", .integer(1)), .init("\u{E9}", .integer(2)),
        ])
        let read = try PropertyListValue(reading: BinaryPropertyListWriter.write(value))
        #expect(read == value)
        #expect(try #require(read.keys).map { Array($0.utf8) }.contains(Array("e\u{301}".utf8)))
    }

    @Test(
        "Foundation reads what the codec writes, and the codec reads what Foundation writes",
        arguments: [false, true],
        [false, true]
    )
    func foundation(isBinary: Bool, again: Bool) throws {
        let object = try PropertyListSerialization.propertyList(from: Data(write(Self.all, isBinary)), format: nil)
        let format: PropertyListSerialization.PropertyListFormat = again ? .binary : .xml
        let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
        #expect(sorted(try PropertyListValue(reading: [UInt8](data))) == sorted(Self.all))
    }

    @Test("Random JSON without nulls survives both formats", .waits)
    func random() throws {
        var generator = SeededGenerator(seed: 20)
        var count = 0
        for _ in 0..<1_000 {
            let json = JSON.random(depth: 4, using: &generator)
            var isWhole = true
            guard let value = PropertyListValue(json, reportNull: { _ in isWhole = false }), isWhole else { continue }
            count += 1
            let binary = try PropertyListValue(reading: BinaryPropertyListWriter.write(value))
            #expect(binary == value)
            #expect(try binary.json { _ in nil } == json)
            guard value.fitsXML else { continue }
            #expect(sorted(try PropertyListValue(reading: XMLPropertyListWriter.write(value))) == sorted(value))
        }
        #expect(count > 250)
    }

    // MARK: Invalid property lists

    @Test("A file that is truncated anywhere is refused, in both formats", .waits, arguments: [false, true])
    func truncated(isBinary: Bool) {
        let value: PropertyListValue = .dictionary([.init("a", .array([.string("ä"), .integer(1), .data([1, 2])]))])
        let bytes = write(value, isBinary)
        for count in 0..<(isBinary ? bytes.count : bytes.count - 2) {
            #expect(throws: PropertyListContentError.self, "\(count)") {
                try PropertyListValue(reading: Array(bytes[..<count]))
            }
        }
    }

    @Test("A damaged file is read or refused, and never crashes the reader", .waits)
    func damaged() throws {
        var generator = SeededGenerator(seed: 21)
        let whole = BinaryPropertyListWriter.write(Self.all)
        let small = BinaryPropertyListWriter.write(.dictionary([.init("a", .array([.bool(true), .uid(3), .real(1)]))]))
        for round in 0..<2_000 {
            var bytes = round % 100 == 0 ? whole : small
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                // The end of a binary file locates everything else, so it is damaged more often.
                let place = bytes.count - 1 - Int.random(in: 0..<min(bytes.count, 120), using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? PropertyListValue(reading: bytes)
        }
    }

    @Test("A file whose objects contain themselves, or repeat one object very often, is refused at once", .waits)
    func bombs() {
        let sharing: [[UInt8]] = (1...100).map { [0xA2, $0, $0] as [UInt8] } + [[0xA0]]
        let cycle: [[UInt8]] = [[0xA1, 0]]
        let text: [[UInt8]] =
            [[0xAF, 0x11, 0x20, 0] + [UInt8](repeating: 1, count: 0x2000)]
            + [[0x5F, 0x11, 0x40, 0] + [UInt8](repeating: 0x61, count: 0x4000)]
        for (objects, word) in [(sharing, "more values"), (cycle, "holds itself"), (text, "bytes")] {
            let error = #expect(throws: PropertyListContentError.self) {
                try PropertyListValue(reading: BinaryPropertyLists.file(objects))
            }
            #expect(error?.text.contains(word) == true, "\(error?.text ?? "")")
        }
    }

    @Test(
        "Other files are refused, and the error says what they are",
        arguments: [
            ("", "empty"), ("hello", "neither"), ("{ a = 1; }", "neither"), ("<0fbd77>", "neither"),
            ("<html></html>", "neither"), ("bplist00", "cut off"), ("<?xml version=\"1.0\"?><html/>", "neither"),
            ("<plist><dict><key>a</key></dict></plist>", "no value"),
            ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>", "DOCTYPE"),
        ]
    )
    func foreign(text: String, word: String) {
        let error = #expect(throws: PropertyListContentError.self) { try PropertyListValue(reading: Array(text.utf8)) }
        #expect(error?.text.contains(word) == true, "\(error?.text ?? "")")
    }

    @Test("XML in UTF-16 with a byte order mark is read")
    func utf16() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist version=\"1.0\"><dict><key>ä</key><real>1</real></dict></plist>"
        let data = try #require(text.data(using: .utf16))
        #expect(try PropertyListValue(reading: [UInt8](data)) == .dictionary([.init("ä", .real(1))]))
    }
}
