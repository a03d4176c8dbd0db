internal import Foundation
internal import JSON

/// Hashes of everything that the caller passed; two saves with the same idempotency key must have the same hashes.
///
/// A time that the caller passed is hashed, but not one that the host added. The user has a separate hash because it
/// may come from a notification that a later host no longer knows.
struct Fingerprint {
    /// The number of bytes of a fingerprint in the file: 16 for the content and 8 for the user.
    static let size = 24

    private let content: (UInt64, UInt64)
    /// 0 if the record has no user.
    private let user: UInt64

    /// The fingerprint of a save.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - hasTime: Whether the caller passed its time.
    ///   - secret: The suite's secret.
    ///   - buffer: A scratch buffer for the hashed text, reused between calls.
    init(_ record: RecordContent, hasTime: Bool, secret: SipHash.Secret, buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(UInt8(record.kind.rawValue))
        // A zero byte ends the name, which never contains one. Another zero byte separates the JSON value from a time.
        buffer.append(contentsOf: record.name.utf8)
        buffer.append(0)
        record.value?.writeSorted(to: &buffer)
        if hasTime {
            buffer.append(0)
            buffer.append(decimal: record.time)
        }
        content = buffer.withUnsafeBytes { SipHash.hash($0, secret: secret) }
        guard let identity = record.user else {
            user = 0
            return
        }
        buffer.removeAll(keepingCapacity: true)
        identity.writeSorted(to: &buffer)
        user = buffer.withUnsafeBytes { SipHash.hash($0, secret: secret).0 }
    }

    /// Reads a fingerprint from its bytes in the file; nil if they are invalid.
    init?(_ bytes: Data) {
        guard bytes.count == Self.size else { return nil }
        let words = bytes.withUnsafeBytes { bytes in
            (0..<3).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
        }
        (content, user) = ((words[0], words[1]), words[2])
    }

    /// The concatenated bytes of fingerprints, as in the file.
    static func data(_ fingerprints: [Fingerprint]) -> Data {
        var words: [UInt64] = []
        words.reserveCapacity(3 * fingerprints.count)
        for each in fingerprints {
            words.append(each.content.0.littleEndian)
            words.append(each.content.1.littleEndian)
            words.append(each.user.littleEndian)
        }
        return words.withUnsafeBytes { Data($0) }
    }

    /// Whether an earlier save had the same content.
    ///
    /// - Parameters:
    ///   - other: The fingerprint of the earlier save.
    ///   - isUserKnown: Whether the users must be equal too.
    /// - Returns: Whether the fingerprints match.
    func matches(_ other: Fingerprint, isUserKnown: Bool) -> Bool {
        content == other.content && (!isUserKnown || user == other.user)
    }
}
