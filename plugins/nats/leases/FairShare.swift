/// Which partitions a relay takes and releases, so that each live relay holds as many as any other, and as many of those
/// in which records wait.
///
/// A relay that has too few busy partitions takes one that another relay freed, although it then holds too many, and frees
/// an idle one for it. What exceeds its own busy share, no relay takes again, so both sides of such an exchange agree.
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
    ///   - releasing: Those of them that it is about to free.
    ///   - live: The live relays.
    ///   - busy: The partitions in which records wait, as their holders told all relays.
    public init(
        of relay: String,
        holders: [String?],
        leased: Set<Int>,
        releasing: Set<Int> = [],
        live: Set<String>,
        busy: Set<Int> = []
    ) {
        let live = live.union([relay])
        let (quota, start) = Self.quota(of: relay, holders, live)
        let unused = holders.indices.filter { holders[$0] == relay && !leased.contains($0) }
        let held = leased.subtracting(releasing).sorted()
        let room = max(0, quota - held.count)
        freed = Array(unused.dropFirst(room))

        let (ownBusy, ownIdle) = (held.filter(busy.contains), held.filter { !busy.contains($0) })
        let busyQuota = (busy.count + live.count - 1) / live.count
        let free = holders.indices.filter { index in holders[index].map { !live.contains($0) } ?? true }
        // Relays that look at the same time begin at different partitions, so that they seldom compete for one.
        let ordered = free.filter { $0 >= start } + free.filter { $0 < start }
        // Each busy one beyond the quota needs an idle one that is released for it.
        let most = min(busyQuota - ownBusy.count, quota - held.count - unused.count + ownIdle.count)
        let busyTaken = ordered.filter(busy.contains).prefix(max(0, most))
        let idleRoom = max(0, room - unused.count - busyTaken.count)
        let idleTaken = ordered.filter { !busy.contains($0) }.prefix(idleRoom)
        taken = Array(unused.prefix(room) + busyTaken + idleTaken)

        let kept = ownBusy.prefix(busyQuota) + ownIdle
        released = (kept.dropFirst(max(0, quota - busyTaken.count)) + ownBusy.dropFirst(busyQuota)).sorted()
    }

    /// How many partitions a relay may hold, and at which one it begins to take some.
    ///
    /// If the number of partitions cannot be divided, those who hold more keep more, so that none moves for it.
    private static func quota(of relay: String, _ holders: [String?], _ live: Set<String>) -> (Int, start: Int) {
        let held = holders.reduce(into: [:]) { counts, holder in counts[holder ?? "", default: 0] += 1 }
        let ranked = live.sorted { (held[$1] ?? 0, $0) < (held[$0] ?? 0, $1) }
        let rank = ranked.firstIndex(of: relay) ?? 0
        let (least, more) = (holders.count / live.count, holders.count % live.count)
        // Where it begins does not depend on what others have taken meanwhile.
        let place = live.sorted().firstIndex(of: relay) ?? 0
        return (least + (rank < more ? 1 : 0), place * least + min(place, more))
    }
}
