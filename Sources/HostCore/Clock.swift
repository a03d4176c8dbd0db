internal import Foundation

/// The time of what the host keeps and sends, and of its deadlines.
///
/// What it only tells of its own running is the system's time, whatever `--clock` says: the log, how processes ended,
/// how long answers took.
struct Clock {
    private var fixed: Int64?

    /// The system's wall clock, or one that starts at a time and moves a millisecond a reading.
    init(start: Int64?) { fixed = start }

    /// The wall time in milliseconds since 1970.
    mutating func wallTime() -> Int64 {
        guard let time = fixed else { return Clock.milliseconds(CLOCK_REALTIME) }
        fixed = time + 1
        return time
    }

    /// Milliseconds that no one can set back; for deadlines only.
    static func monotonic() -> Int64 { milliseconds(CLOCK_MONOTONIC) }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The host's only random generator.
struct RandomGenerator: RandomNumberGenerator {
    private var state: UInt64?

    /// The system's generator, or SplitMix64 if there is a seed.
    init(seed: UInt64?) { state = seed }

    mutating func next() -> UInt64 {
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
    mutating func uuid() -> String {
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
