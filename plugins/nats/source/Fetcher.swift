internal import ExtensionKit
internal import NATS
internal import PartitionLeases

/// The thread that fetches the messages of a partition while this relay holds it.
struct Fetcher {
    /// How many records are fetched ahead, and how many bytes they may have.
    private static let limit = (records: 1_000, bytes: 512 << 10)

    /// After how many failures, half a second apart, an operator hears of them.
    private static let persistent = 30

    let lease: Lease
    let cluster: Cluster
    let relay: Relay

    /// Starts the thread, which ends with the lease.
    func start() { detachThread { run() } }

    private func run() {
        var consumer: PullConsumer?
        var failures = 0
        // What a message of the last fetch had; at first a guess that keeps large messages few.
        var usual = cluster.layout.isLinked ? (records: 16, bytes: 128 << 10) : (records: 1, bytes: 8 << 10)
        while !lease.status.isEnding {
            let status = lease.status
            let room = (Self.limit.records - status.fetched, Self.limit.bytes - status.fetchedBytes)
            guard status.needsConsumer || room.0 > Self.limit.records / 2 && room.1 > Self.limit.bytes / 2 else {
                lease.wait(.seconds(1)) { $0.isEnding || $0.needsConsumer || $0.fetched < status.fetched }
                continue
            }
            do throws(NATSError) {
                if status.needsConsumer || consumer == nil {
                    consumer = nil
                    consumer = try cluster.createConsumer(
                        of: lease.partition,
                        named: lease.consumer,
                        by: lease.entry
                    )
                    lease.beginDelivery()
                }
                let count = max(1, min(room.0 / usual.records, room.1 / usual.bytes))
                let messages = try consumer?.fetch(count, bytes: max(1, room.1), wait: .seconds(2)) ?? []
                failures = 0
                guard !messages.isEmpty else { continue }
                let before = lease.status.received.records
                try lease.receive(messages)
                let bytes = messages.reduce(0) { $0 + $1.body.count }
                usual = (
                    max(1, (lease.status.received.records - before) / messages.count), max(1, bytes / messages.count)
                )
                relay.board.update { _ in }
            } catch {
                // Messages may have been lost on the way, and would come after later ones.
                consumer = nil
                lease.replaceConsumer()
                guard error.kind != .gap, !lease.status.isEnding else { continue }
                failures += 1
                // An outage ends soon, and the coordinator says more about it.
                if failures == Self.persistent {
                    relay.log(.warning, "partition \(lease.partition): \(error.text); it is tried again")
                }
                lease.wait(.milliseconds(500)) { $0.isEnding }
            }
        }
    }
}
