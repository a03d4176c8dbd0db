import Foundation
import PropertyLists
import TestSupport
import Testing

/// Random and damaged files: each is read or refused, with effort that is limited by its size.
@Suite(.waits) struct PropertyListFuzzTests {
    /// Reads a file in the smallest slices, successfully or not, and checks the number of slices.
    private func read(_ bytes: [UInt8], _ comment: String) {
        let limits = PropertyListLimits()
        // Each key, value and end of a container is one step; UTF-16 is converted in steps, too.
        let steps = 3 * (min(bytes.count, limits.values) + limits.sharedValues) + 1_024
        guard var reader = try? PropertyListReader(bytes, limits: limits) else { return }
        var slices = 0
        while slices * 256 <= steps {
            slices += 1
            do throws(PropertyListError) {
                if let value = try reader.read(while: { false }) {
                    #expect(depth(value) <= limits.depth, "\(comment)")
                    return
                }
            } catch {
                #expect(!error.reason.isEmpty && error.place != nil, "\(comment): \(error)")
                return
            }
        }
        Issue.record("\(comment): it was not read in \(steps) steps: \(Data(bytes).base64EncodedString())")
    }

    private func depth(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .dictionary(let members): 1 + (members.map { depth($0.value) }.max() ?? 0)
        default: 0
        }
    }

    /// The archive of a few objects by NSKeyedArchiver.
    private func archive(_ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = format
        let object = ["event_name": "A", "list": [1, 2.5, true, "text"], "data": Data([1, 2, 3])] as [String: Any]
        archiver.encode(object as NSDictionary, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return [UInt8](archiver.encodedData)
    }

    private func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            guard bytes.count > 8 else { return bytes }
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.removeSubrange(place..<end)
            case 3:
                bytes.insert(
                    contentsOf: Array(bytes[place..<end]),
                    at: Int.random(in: 0..<bytes.count, using: &generator)
                )
            // The end of a binary file locates everything else.
            default: bytes[bytes.count - 1 - Int.random(in: 0..<min(40, bytes.count), using: &generator)] &+= 1
            }
        }
        return bytes
    }

    @Test(
        "An archive of NSKeyedArchiver is read in both formats",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func archives(format: PropertyListSerialization.PropertyListFormat) throws {
        let value = try PropertyListValue(propertyList: try archive(format))
        #expect(value.isArchive)
        guard case .uid = value["$top"]?["root"] else {
            Issue.record("$top/root is no UID: \(value)")
            return
        }
    }

    @Test(
        "A damaged archive of NSKeyedArchiver is read or refused",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func damagedArchives(format: PropertyListSerialization.PropertyListFormat) throws {
        let whole = try archive(format)
        var generator = SeededGenerator(seed: 12)
        for round in 0..<1_000 { read(mutate(whole, using: &generator), "round \(round)") }
    }

    @Test(
        "A damaged file with every type is read or refused",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func damagedFiles(format: PropertyListSerialization.PropertyListFormat) throws {
        let small = PropertyListSamples.all.filter { $0.key != "data" }
        let whole = try PropertyListSamples.file(small, format)
        var generator = SeededGenerator(seed: 13)
        for round in 0..<300 { read(mutate(whole, using: &generator), "round \(round)") }
    }

    @Test("Containers that share others, also in cycles, are read or refused")
    func graphs() {
        var generator = SeededGenerator(seed: 14)
        for round in 0..<300 {
            let count = Int.random(in: 1...40, using: &generator)
            let mayHaveCycles = round.isMultiple(of: 3)
            let objects = (0..<count).map { index -> [UInt8] in
                let width = Int.random(in: 0...7, using: &generator)
                let least = mayHaveCycles ? 0 : index + 1
                // The last object is a string, to which keys refer.
                let references = (0..<width).map { _ in
                    UInt8(Int.random(in: min(least, count)...count, using: &generator))
                }
                let isDictionary = Bool.random(using: &generator)
                return isDictionary
                    ? [0xD0 | UInt8(width)] + [UInt8](repeating: UInt8(count), count: width) + references
                    : [0xA0 | UInt8(width)] + references
            }
            read(BinaryPropertyLists.file(objects + [[0x51, 0x61]]), "round \(round)")
        }
    }

    @Test("A few bytes that expand to a huge tree are refused", arguments: [7, 14, 20])
    func bombs(width: Int) {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: BinaryPropertyLists.bomb(width: width))
        }
        #expect(error?.reason.contains("more values") == true)
    }

    @Test("A container that contains itself is refused with that reason")
    func circle() {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(propertyList: BinaryPropertyLists.file([[0xA1, 1], [0xA1, 0]]))
        }
        #expect(error?.reason == "an array or a dictionary holds itself" && error?.place != nil)
    }

    @Test(
        "Random bytes after the beginning of either format are read or refused",
        arguments: ["bplist00", "<plist>", "<?xml version=\"1.0\"?><dict>"]
    )
    func noise(head: String) {
        var generator = SeededGenerator(seed: 15)
        for round in 0..<500 {
            let count = Int.random(in: 0...200, using: &generator)
            let letters = Array("<>/&;!-[]\"' \nadictrykesngo=0123456789".utf8)
            let bytes = (0..<count).compactMap { _ in
                round.isMultiple(of: 2)
                    ? UInt8.random(in: 0...255, using: &generator) : letters.randomElement(using: &generator)
            }
            read(Array(head.utf8) + bytes, "round \(round)")
        }
    }

    @Test("XML that nests too deep is refused")
    func deepXML() {
        let text = "<plist>" + String(repeating: "<array>", count: 100_000)
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(propertyList: Array(text.utf8)) }
        #expect(error?.reason.contains("nested more than 512 deep") == true)
    }
}
