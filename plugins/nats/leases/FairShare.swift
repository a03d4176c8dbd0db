/// Which partitions a relay takes and releases, so that each live relay holds its share.
public struct FairShare: Equatable, Sendable {
    /// The partitions to take, which are free or held by a dead relay.
    public let taken: [Int]
    /// The partitions to release, as soon as the host has settled their records.
    public let released: [Int]

    /// Decides for a relay.
    ///
    /// - Parameters:
    ///   - relay: The relay.
    ///   - holders: The holder of each partition, or nil if it is free.
    ///   - live: The live relays.
    public init(of relay: String, holders: [String?], live: Set<String>) {
        let live = live.union([relay])
        let quota = (holders.count + live.count - 1) / live.count
        let held = holders.indices.filter { holders[$0] == relay }
        released = Array(held.dropFirst(quota))
        // Relays that look at the same time begin at different partitions, so that they seldom compete for one.
        let rank = live.sorted().firstIndex(of: relay) ?? 0
        let start = rank * quota
        let free = holders.indices.filter { index in holders[index].map { !live.contains($0) } ?? true }
        let ordered = free.filter { $0 >= start } + free.filter { $0 < start }
        taken = Array(ordered.prefix(max(0, quota - held.count)))
    }
}
