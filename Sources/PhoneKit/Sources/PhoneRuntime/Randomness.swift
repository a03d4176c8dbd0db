import Synchronization

/// The source of random numbers of an extension: the system, or with a seed of the host a sequence that is the same in
/// each run.
///
/// `Shadows.swift` lets Swift's `random`, `shuffle` and `randomElement` use it. `UUID()` stays random.
public struct PhoneRandomGenerator: RandomNumberGenerator, Sendable {
    /// Where the sequence is; nil without a seed.
    private static let state = Mutex<UInt64?>(nil)

    /// The generator, which all share.
    public init() {}

    /// Begins the sequence that belongs to a seed and a notification.
    package static func start(seed: UInt64, notification: String) {
        // FNV-1a, since Swift's own hashes differ from run to run.
        let mixed = notification.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        state.withLock { $0 = mixed }
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        Self.state.withLock { state in
            guard var current = state else {
                var system = SystemRandomNumberGenerator()
                return system.next()
            }
            // SplitMix64.
            current &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (current ^ (current >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            state = current
            return mixed ^ (mixed >> 31)
        }
    }
}
