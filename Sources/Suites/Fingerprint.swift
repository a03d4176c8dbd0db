internal import JSON
internal import Platform

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

    /// The fingerprint of a save; the buffer is scratch memory that is reused between calls.
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

    /// Whether an earlier save had the same content, and the same user if the user is known.
    func matches(_ other: Fingerprint, isUserKnown: Bool) -> Bool {
        content == other.content && (!isUserKnown || user == other.user)
    }
}

/// SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012): a fast keyed hash.
///
/// Nobody can search for collisions without the secret key.
enum SipHash {
    /// The secret key for the hashes of a suite.
    struct Secret {
        let first, second: UInt64

        /// A secret of 16 bytes; nil for any other number.
        init?(_ bytes: some Sequence<UInt8>) {
            let bytes = [UInt8](bytes)
            guard bytes.count == 16 else { return nil }
            (first, second) = bytes.withUnsafeBytes {
                (
                    UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        }
    }

    /// Hashes bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer, secret: Secret) -> (UInt64, UInt64) {
        var state = State(secret)
        let tail = bytes.count & ~7
        for offset in stride(from: 0, to: tail, by: 8) {
            state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in tail..<bytes.count { last |= UInt64(bytes[index]) << (8 * UInt64(index - tail)) }
        state.absorb(last)
        return state.finish()
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ secret: Secret) {
            v0 = 0x736f_6d65_7073_6575 ^ secret.first
            v1 = 0x646f_7261_6e64_6f6d ^ secret.second ^ 0xEE
            v2 = 0x6c79_6765_6e65_7261 ^ secret.first
            v3 = 0x7465_6462_7974_6573 ^ secret.second
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            for _ in 0..<2 { round() }
            v0 ^= word
        }

        mutating func finish() -> (UInt64, UInt64) {
            v2 ^= 0xEE
            for _ in 0..<4 { round() }
            let first = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
            for _ in 0..<4 { round() }
            return (first, v0 ^ v1 ^ v2 ^ v3)
        }

        private mutating func round() {
            v0 &+= v1
            v1 = Self.rotate(v1, 13) ^ v0
            v0 = Self.rotate(v0, 32)
            v2 &+= v3
            v3 = Self.rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotate(v1, 17) ^ v2
            v2 = Self.rotate(v2, 32)
        }

        private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
    }
}
