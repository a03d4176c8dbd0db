internal import NATS
internal import PartitionLeases

/// The thread that wakes the coordinator when another relay comes, ends or releases a partition, so that partitions change
/// hands at once.
///
/// The coordinator also looks from time to time, so nothing is lost if a change does not arrive here.
struct Neighbours {
    private let relay: Relay
    /// The relays that were heard of.
    private var known: Set<String>

    init(_ relay: Relay) { (self.relay, known) = (relay, [relay.identifier]) }

    /// Works until the relay ends.
    consuming func run() {
        var watch: KeyValueWatch?
        while relay.isUsable {
            do throws(NATSError) {
                if watch == nil { watch = try relay.cluster.relays.watch() }
                guard let change = try watch?.next(.seconds(1)), concernsShares(change) else { continue }
            } catch {
                guard error.kind != .notPermitted else { return }
                // Changes may have been missed.
                watch = nil
                _ = relay.board.wait(until: .now + .milliseconds(500)) { $0.isStopping ? () : nil }
            }
            relay.board.update { $0.isChanged = true }
        }
    }

    /// Whether partitions may have to be shared in another way after a change; that of a relay that only goes on living, or
    /// of an entry that stays with its holder, does not matter.
    private mutating func concernsShares(_ change: KeyValueWatch.Change) -> Bool {
        guard let other = Presence.relay(of: change.key) else {
            guard let value = change.value, let entry = try? PartitionEntry(value) else { return true }
            return entry.relay == nil
        }
        guard change.value != nil else { return known.remove(other) != nil }
        return known.insert(other).inserted
    }
}
