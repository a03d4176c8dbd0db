internal import JSON

/// What two saves of one idempotency key must have in common, as hashes: all that the caller said.
///
/// The time that the host gives a record is not part of it; one that the caller gives is. The user is a hash of its
/// own: it may come from a notification that a later host does not know any more.
struct Fingerprint {
    /// How many bytes a fingerprint has: 16 of the content and 8 of the user.
    static let size = 24
    private static let contentSize = 16

    /// Kept as it stands in the file.
    let bytes: [UInt8]

    /// The fingerprint of a save.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - hasTime: Whether the caller gave its time.
    ///   - secret: The suite's secret.
    ///   - buffer: Room for the hashed text, kept between calls.
    init(_ record: NewRecord, hasTime: Bool, secret: SipHash.Secret, buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(UInt8(record.kind.rawValue))
        // A name has no U+0000, which so ends it; the value is JSON, and a time follows it behind another one.
        buffer.append(contentsOf: record.name.utf8)
        buffer.append(0)
        record.value?.writeSorted(to: &buffer)
        if hasTime {
            buffer.append(0)
            buffer.append(decimal: record.time)
        }
        let content = buffer.withUnsafeBytes { SipHash.hash($0, secret: secret) }
        var user: UInt64 = 0
        if let identity = record.user {
            buffer.removeAll(keepingCapacity: true)
            identity.writeSorted(to: &buffer)
            user = buffer.withUnsafeBytes { SipHash.hash($0, secret: secret).0 }
        }
        bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            raw.storeBytes(of: content.0.littleEndian, as: UInt64.self)
            raw.storeBytes(of: content.1.littleEndian, toByteOffset: 8, as: UInt64.self)
            raw.storeBytes(of: user.littleEndian, toByteOffset: 16, as: UInt64.self)
            count = Self.size
        }
    }

    /// Whether a save had this content before.
    ///
    /// - Parameters:
    ///   - other: The fingerprint of that save.
    ///   - isUserKnown: Whether the user counts too.
    /// - Returns: Whether it had.
    func matches(_ other: some Collection<UInt8>, isUserKnown: Bool) -> Bool {
        guard other.count == Self.size else { return false }
        let count = isUserKnown ? Self.size : Self.contentSize
        return bytes.prefix(count).elementsEqual(other.prefix(count))
    }
}
