/// The source of randomness: the system's, or a sequence that a seed determines (SplitMix64).
package struct RandomGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64?

    /// A generator; without a seed it gives the system's random numbers.
    package init(seed: UInt64?) { state = seed }

    package mutating func next() -> UInt64 {
        guard var state else {
            var system = SystemRandomNumberGenerator()
            return system.next()
        }
        state &+= 0x9E37_79B9_7F4A_7C15
        self.state = state
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A random UUID (version 4) in lower case.
    package mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let all = digits[0] + digits[1]
        var result = ""
        for (index, digit) in all.enumerated() {
            if [8, 12, 16, 20].contains(index) { result.append("-") }
            result.append(digit)
        }
        return result
    }
}

/// Generates the identifiers of one host.
///
/// It is a class, because all services must share one sequence, which the seed fixes.
package final class IdentifierGenerator {
    private var random: RandomGenerator

    package init(seed: UInt64?) { random = RandomGenerator(seed: seed) }

    /// A random UUID (version 4) in lower case.
    package func uuid() -> String { random.uuid() }
}
