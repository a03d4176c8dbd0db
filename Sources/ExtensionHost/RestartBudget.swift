/// Decides how soon an extension that failed may be started again.
///
/// The first faults within the window are free, so that a single crash causes no delay. After them the pause before a
/// start grows with each fault, with jitter so that extensions which fail together do not start together. An extension is
/// never given up: the longest pause ends, and faults older than the window no longer count.
struct RestartBudget {
    private let limits: ExtensionLimits
    private var faults: [Int64] = []
    private var random: any RandomNumberGenerator

    /// A budget without faults.
    ///
    /// - Parameters:
    ///   - limits: How many faults are free, in which window, and how long pauses are.
    ///   - random: The source of the jitter.
    init(limits: ExtensionLimits, random: any RandomNumberGenerator) {
        self.limits = limits
        self.random = random
    }

    /// The number of faults that count now.
    func count(now: Int64) -> Int { faults.count { $0 > now - limits.restartWindow } }

    /// Notes a fault.
    ///
    /// - Returns: The pause before the next start, in milliseconds.
    mutating func pause(afterFaultAt now: Int64) -> Int64 {
        let start = now - limits.restartWindow
        faults.removeAll { $0 <= start }
        faults.append(now)
        let excess = faults.count - limits.freeRestarts - 1
        guard excess >= 0 else { return 0 }
        // Doubling 31 times passes any limit.
        let full = min(limits.longestPause, limits.firstPause << min(excess, 31))
        let half = max(1, full / 2)
        return half + .random(in: 0..<half, using: &random)
    }

    /// Forgets every fault, because the bundle was reloaded.
    mutating func reset() { faults = [] }
}
