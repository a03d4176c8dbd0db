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
