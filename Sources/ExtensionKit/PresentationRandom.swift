/// The random generator of one presentation; with a seed it depends on the notification only, not on earlier ones.
public struct PresentationRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64?, notification: String) {
        guard let seed else {
            var system = SystemRandomNumberGenerator()
            state = system.next()
            return
        }
        // FNV-1a, since Swift's own hashes differ from run to run.
        state = notification.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// The next number (SplitMix64).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
