internal import JSON
internal import PropertyLists
internal import Suites

/// Writes a suite as a property list of the guide's storage.
struct SuiteExport {
    /// The forms of a property list.
    enum Format: String, CaseIterable {
        case xml
        case binary
    }

    let suite: Suite
    let format: Format

    private var exported: [RecordKind: Int64] = [:]
    private var defaults: Int64 = 0
    private var remarks = Remarks()

    init(suite: Suite, format: Format) {
        self.suite = suite
        self.format = format
    }

    /// What was done, for the reply.
    func json(bytes: Int) -> JSON {
        [
            "exported": .object(JSON.Object(RecordKind.allCases.map { ($0.word, .integer(exported[$0] ?? 0)) })),
            "defaults": .integer(defaults), "bytes": JSON(bytes), "diagnostics": remarks.json,
        ]
    }

    /// The file's bytes; nothing is deleted.
    ///
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` where the suite holds more than the limit.
    mutating func bytes(limit: Int64) throws(SuiteError) -> [UInt8] {
        var members: [PropertyListValue.Member] = []
        var room = limit
        for kind in RecordKind.allCases {
            let records = try suite.records(kind, limit: room / Suite.flatOverhead + 1, byteLimit: room)
            room -= records.reduce(0) { $0 + $1.bytes + Suite.flatOverhead }
            guard room >= 0 else { throw .tooLarge(bytes: limit) }
            let elements = records.compactMap { element($0) }
            exported[kind] = Int64(elements.count)
            if !elements.isEmpty { members.append(.init(kind.storageKey, .array(elements))) }
        }
        for (key, value) in try suite.defaults(byteLimit: room) {
            guard let value = convert(value, key), isWritable(.string(key), key) else { continue }
            members.append(.init(key, value))
            defaults += 1
        }
        let root = PropertyListValue.dictionary(members)
        let bytes = format == .xml ? XMLPropertyListWriter.write(root) : BinaryPropertyListWriter.write(root)
        guard bytes.count <= limit else { throw .tooLarge(bytes: limit) }
        return bytes
    }

    /// A record in the guide's form, where that can hold it.
    private mutating func element(_ record: Record) -> PropertyListValue? {
        let place = "the record \(record.id)"
        switch record.content.kind {
        case .customEvent: return convert(record.flat, place)
        case .customAttribute:
            guard !(record.content.value ?? .null).isNull else {
                let text = "\(place) unsets \(record.content.name), which a property list cannot say; it is left out"
                remarks.add(Diagnostic("leftOut", text))
                return nil
            }
            return convert(record.flat, place)
        case .userAttribute:
            let value = record.content.value ?? .null
            let converted = value.isNull ? nil : withoutNulls(value, place)
            return GuideUserAttribute.data(field: record.content.name, value: converted)
        }
    }

    private mutating func convert(_ json: JSON, _ place: String) -> PropertyListValue? {
        guard let value = withoutNulls(json, place), isWritable(value, place) else { return nil }
        return value
    }

    private mutating func withoutNulls(_ json: JSON, _ place: String) -> PropertyListValue? {
        var paths: [String] = []
        let value = PropertyListValue(json) { paths.append($0) }
        for path in paths {
            let text = "\(place)\(path) is null, which a property list cannot say; it is left out"
            remarks.add(Diagnostic("leftOut", text))
        }
        return value
    }

    private mutating func isWritable(_ value: PropertyListValue, _ place: String) -> Bool {
        guard format == .xml, !value.fitsXML else { return true }
        let text = "\(place) has a character that XML cannot hold; it is left out, and the format binary would have it"
        remarks.add(Diagnostic("leftOut", text))
        return false
    }
}
