/// Which messages may be removed from a stream: those that were settled a duplicate window ago.
///
/// A server that starts learns the ids of messages only from those that it still has, so a message stays for as long as
/// the stream is to recognise its id. Times are those of this process's monotonic clock.
public struct SettledFloor: Sendable {
    /// Into how many steps a duplicate window is divided.
    private static let steps = 16

    /// Up to where everything was settled at several times: at most a few more than there are steps.
    private var checkpoints: [(time: Duration, floor: Int64)] = []

    /// Nothing is known.
    public init() {}

    /// Whether a step has passed since the last note.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - window: The stream's duplicate window.
    /// - Returns: Whether it is time for the next note.
    public func isDue(at now: Duration, window: Duration) -> Bool {
        checkpoints.last.map { now - $0.time >= window / Self.steps } ?? true
    }

    /// Notes up to where everything is settled now, forgets the notes older than a window, and tells what may be removed.
    ///
    /// - Parameters:
    ///   - floor: The first sequence that is perhaps not settled yet.
    ///   - now: The time, after the floor was read.
    ///   - window: The stream's duplicate window.
    /// - Returns: The first sequence that must stay in the stream; nil if nothing more may be removed.
    public mutating func note(_ floor: Int64, at now: Duration, window: Duration) -> Int64? {
        checkpoints.append((now, floor))
        // One step more than the window, since clocks do not run equally fast.
        let old = checkpoints.prefix { now - $0.time >= window + window / Self.steps }
        guard let last = old.last else { return nil }
        checkpoints.removeFirst(old.count)
        // The floor falls if the entry of a partition was deleted or cannot be read, so that less is known to be settled.
        return min(last.floor, floor)
    }
}
