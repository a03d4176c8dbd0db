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
        var output: [UInt8] = []
        output.reserveCapacity(batch.records.count * 256)
        var places: [(end: Int, hash: UInt64, messageID: String?)] = []
        places.reserveCapacity(batch.records.count)
        for record in batch.records {
            if layout.isLinked {
                output.append(UInt8(ascii: "{"))
            } else {
                output += names
                output.append(literal: "\"id\":")
                output.append(decimal: record.id)
                output.append(UInt8(ascii: ","))
            }
            let content = Content(record)
            content.write(to: &output)
            output.append(literal: ",\"time\":")
            JSON.string(record.time).write(to: &output)
            var hash = alone
            if let user = record.user {
                output.append(literal: ",\"user\":")
                let start = output.count
                JSON.object(user).write(to: &output)
                if !user.isEmpty { hash = FNV.hash(key(user, output[start...])) }
            }
            output.append(UInt8(ascii: "}"))
            let messageID = layout.isLinked ? nil : "\(identity)-\(record.id)-\(content.digest(record.time))"
            places.append((output.count, hash, messageID))
        }
        var start = 0
        return zip(batch.records, places).map { record, place in
            defer { start = place.end }
            let bytes = output[start..<place.end]
            let partition = Int(place.hash % UInt64(layout.partitions))
            return RecordLine(
                id: record.id,
                partition: partition,
                bytes: bytes,
                digest: digest(bytes),
                messageID: place.messageID
            )
        }
    }

    /// Differs for other contents, in this process.
    static func digest(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// A text for each user: two users have the same one if Braze would use the same identifier for them.
    private static func key(_ user: JSON.Object, _ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Nearly all users have one identifier, and their text is the key already; an alias has two members, in any order.
        if user.count == 1, !text.starts(with: #"{"user_alias""#.utf8) { return text }
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
