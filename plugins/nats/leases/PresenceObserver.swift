/// Finds out which relays live, from the revisions of their keys and this process's monotonic clock.
///
/// Clocks of different machines are never compared: a relay is dead if its key did not change for a lease as this
/// process measures it.
public struct PresenceObserver: Sendable {
    private struct Seen {
        var revision: UInt64
        /// When a read that showed this revision for the first time ended.
        var since: Duration
        /// When the last read that showed this revision began.
        var until: Duration
    }

    private let lease: Duration
    private var relays: [String: Seen] = [:]

    /// An observer that has seen no relay.
    ///
    /// - Parameter lease: How long a relay may leave its key unchanged.
    public init(lease: Duration) { self.lease = lease }

    /// Notes the keys that a read returned.
    ///
    /// - Parameters:
    ///   - revisions: The revision of each relay's key.
    ///   - start: When the read began, on a monotonic clock.
    ///   - end: When it ended.
    public mutating func observe(_ revisions: [String: UInt64], from start: Duration, to end: Duration) {
        relays = relays.filter { revisions[$0.key] != nil }
        for (relay, revision) in revisions {
            if relays[relay]?.revision == revision {
                relays[relay]?.until = start
            } else {
                relays[relay] = Seen(revision: revision, since: end, until: end)
            }
        }
    }

    /// The relays whose key changed within a lease.
    public var live: Set<String> {
        Set(relays.filter { $0.value.until - $0.value.since < lease }.keys)
    }

    /// The relays whose key did not change for ten leases, with its revision: their keys can be deleted.
    public var longDead: [String: UInt64] {
        relays.filter { $0.value.until - $0.value.since >= lease * 10 }.mapValues(\.revision)
    }
}
