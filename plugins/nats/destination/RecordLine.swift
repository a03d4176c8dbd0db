internal import BrazeRules
internal import ExtensionKit
internal import JSON
internal import PartitionLeases

/// A record of a batch as the stream stores it.
struct RecordLine: Sendable {
    /// The record's id in its suite.
    let id: Int64
    /// The partition of its user.
    let partition: Int
    /// The record as a JSON object; in a stream of single records, the whole message.
    let bytes: ArraySlice<UInt8>
    /// Differs for other contents, in this process.
    let digest: Int
    /// The id of the message, if it has only this record.
    let messageID: String?

    /// The records of a batch, in order.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - identity: The identity of their suite.
    ///   - layout: The stream's layout.
    /// - Returns: A line for each record.
    static func lines(_ batch: DeliveryBatch, _ identity: String, _ layout: StreamLayout) -> [RecordLine] {
        let alone = FNV.hash(identity.utf8)
        var names = JSON.object(["suite": .string(batch.suite), "identity": .string(identity)]).bytes
        names[names.count - 1] = UInt8(ascii: ",")
        return batch.records.map { record in
            let line =
                record.text.flatMap { layout.isLinked ? $0 : nil } ?? written(record, layout.isLinked ? [] : names)
            let key = line.user.map(Self.key) ?? []
            let hash = key.isEmpty ? alone : FNV.hash(key)
            return RecordLine(
                id: record.id,
                partition: Int(hash % UInt64(layout.partitions)),
                bytes: line.record,
                digest: digest(line.record),
                messageID: layout.isLinked ? nil : "\(identity)-\(record.id)-\(Content(record).digest(record.time))"
            )
        }
    }

    /// The record as a JSON object, as hosts write it too, and the text of its user.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - names: The beginning of the object of a record that is a message; empty for one of several in a message.
    /// - Returns: The texts.
    private static func written(
        _ record: DeliveryRecord,
        _ names: [UInt8]
    ) -> (record: ArraySlice<UInt8>, user: ArraySlice<UInt8>?) {
        var output = names
        if names.isEmpty {
            output.append(UInt8(ascii: "{"))
        } else {
            output.append(literal: "\"id\":")
            output.append(decimal: record.id)
            output.append(UInt8(ascii: ","))
        }
        Content(record).write(to: &output)
        output.append(literal: ",\"time\":")
        JSON.string(record.time).write(to: &output)
        var place: Range<Int>?
        if let user = record.user {
            output.append(literal: ",\"user\":")
            let start = output.count
            JSON.object(user).write(to: &output)
            place = start..<output.count
        }
        output.append(UInt8(ascii: "}"))
        return (output[...], place.map { output[$0] })
    }

    /// Differs for other contents, in this process.
    static func digest(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// A text for each user: two users have the same one if Braze would use the same identifier for them.
    ///
    /// - Parameter text: The user, as the text of a JSON object.
    /// - Returns: The text; empty for a user without members, which is none.
    private static func key(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Nearly all users have one identifier, and their text is the key already. Its value is a text, so such a user has
        // four quotes, and none is escaped; an alias has two members, in any order.
        // U+2028 and U+2029, which hosts write with a backslash, begin with E2.
        if text.count(where: { $0 == UInt8(ascii: "\"") }) == 4, !text.contains(UInt8(ascii: "\\")),
            !text.contains(0xE2), !text.starts(with: #"{"user_alias""#.utf8)
        {
            return text
        }
        guard let user = (try? JSON(parsing: Array(text)))?.object, !user.isEmpty else { return [] }
        guard let known = try? Identity(user) else { return text }
        return JSON.object(JSON.Object([(known.name, known.value)])).bytes[...]
    }
}

/// What a record says, as members of its object.
private struct Content {
    let kind: String
    let nameMember: StaticString
    let name: String
    let valueMember: StaticString
    let value: JSON?

    init(_ record: DeliveryRecord) {
        switch record.content {
        case .customEvent(let name, let properties):
            (kind, nameMember, self.name) = ("customEvent", ",\"name\":", name)
            (valueMember, value) = (",\"properties\":", properties.map(JSON.object))
        case .customAttribute(let key, let value):
            (kind, nameMember, name) = ("customAttribute", ",\"key\":", key)
            (valueMember, self.value) = (",\"value\":", value)
        case .userAttribute(let field, let value):
            (kind, nameMember, name) = ("userAttribute", ",\"field\":", field)
            (valueMember, self.value) = (",\"value\":", value)
        }
    }

    func write(to output: inout [UInt8]) {
        output.append(literal: "\"kind\":")
        JSON.string(kind).write(to: &output)
        output.append(literal: nameMember)
        JSON.string(name).write(to: &output)
        guard let value else { return }
        output.append(literal: valueMember)
        value.write(to: &output)
    }

    /// 16 digits that differ for other contents.
    ///
    /// Copies of a suite's file have the same identity, and may use the same id for other records.
    func digest(_ time: String) -> String {
        let parts = [Array(kind.utf8), Array(name.utf8), value?.bytes ?? [], Array(time.utf8)]
        let digits = String(FNV.hash(parts.joined(separator: [0])), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The hash FNV-1a of 64 bits, which is the same in all versions and on all machines.
enum FNV {
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
