/// Which partitions a relay takes and releases, so that each live relay holds its share.
public struct FairShare: Equatable, Sendable {
    /// The partitions to take, which are free or held by a dead relay.
    public let taken: [Int]
    /// The partitions to release, as soon as the host has settled their records.
    public let released: [Int]
    /// The partitions to free, which the relay does not use although the cluster says that it holds them.
    public let freed: [Int]

    /// Decides for a relay.
    ///
    /// - Parameters:
    ///   - relay: The relay.
    ///   - holders: The holder of each partition as the cluster stores it, or nil if it is free.
    ///   - leased: The partitions that the relay uses. It may hold others without using them: an attempt to take one can
    ///     succeed though the server does not answer. No other relay takes such a partition while this one lives.
    ///   - live: The live relays.
    public init(of relay: String, holders: [String?], leased: Set<Int>, live: Set<String>) {
        let live = live.union([relay])
        let quota = (holders.count + live.count - 1) / live.count
        let held = leased.sorted()
        released = Array(held.dropFirst(quota))
        let unused = holders.indices.filter { holders[$0] == relay && !leased.contains($0) }
        let room = max(0, quota - held.count)
        freed = Array(unused.dropFirst(room))
        // Relays that look at the same time begin at different partitions, so that they seldom compete for one.
        let rank = live.sorted().firstIndex(of: relay) ?? 0
        let start = rank * quota
        let free = holders.indices.filter { index in holders[index].map { !live.contains($0) } ?? true }
        let ordered = free.filter { $0 >= start } + free.filter { $0 < start }
        taken = Array((unused + ordered).prefix(room))
    }
}
