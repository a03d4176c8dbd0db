import Foundation
import Synchronization

/// The source of random numbers: the system, or with a seed of the host a sequence that is the same in each run.
///
/// Swift's `random`, `shuffle` and `randomElement` take their bytes from the function `swift_stdlib_random` of the
/// standard library, which is defined here again. The linker takes this one for all code of the program. Code inside the
/// standard library uses it too if the library is linked statically; otherwise calls that the compiler did not inline
/// (those of a build without optimization) stay random.
package enum Randomness {
    /// The seed and how much of the sequence was used; nil without a seed.
    private static let state = Mutex<UInt64?>(nil)

    /// Begins the sequence that belongs to a seed and a notification.
    package static func start(seed: UInt64, notification: String) {
        // FNV-1a, since Swift's own hashes differ from run to run.
        let mixed = notification.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        state.withLock { $0 = mixed }
    }

    /// Fills a buffer with the next bytes of the sequence; returns false without a seed.
    fileprivate static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        state.withLock { state in
            guard var current = state else { return false }
            for start in stride(from: 0, to: buffer.count, by: 8) {
                // SplitMix64.
                current &+= 0x9E37_79B9_7F4A_7C15
                var mixed = (current ^ (current >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                mixed ^= mixed >> 31
                for index in start..<min(start + 8, buffer.count) {
                    buffer[index] = UInt8(truncatingIfNeeded: mixed >> UInt64(8 * (index - start)))
                }
            }
            state = current
            return true
        }
    }
}

/// The standard library's source of random bytes.
@_cdecl("swift_stdlib_random")
func randomBytes(_ buffer: UnsafeMutableRawPointer, _ count: Int) {
    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: count)
    guard !Randomness.fill(bytes) else { return }
    var filled = 0
    while filled < count {
        // At most 256 bytes are had at once.
        let part = min(count - filled, 256)
        precondition(getentropy(buffer + filled, part) == 0, "the system has no random bytes")
        filled += part
    }
}
