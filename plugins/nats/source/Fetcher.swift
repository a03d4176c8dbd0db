internal import ExtensionKit
internal import NATS

/// The thread that fetches the messages of a partition while this relay holds it.
struct Fetcher {
    /// How many messages are fetched ahead.
    private static let limit = 1_000

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
        while !lease.status.isEnding {
            let status = lease.status
            let room = Self.limit - status.fetched
            guard status.needsConsumer || room > Self.limit / 2 else {
                wait(.seconds(1)) { $0.isEnding || $0.needsConsumer || $0.fetched < status.fetched }
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
                let messages = try consumer?.fetch(Self.limit - lease.status.fetched, wait: .seconds(2)) ?? []
                failures = 0
                guard !messages.isEmpty else { continue }
                try lease.receive(messages)
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
                wait(.milliseconds(500)) { $0.isEnding }
            }
        }
    }

    /// Waits for a change of the lease, at most for that time.
    private func wait(_ time: Duration, for condition: (Lease.Status) -> Bool) {
        _ = relay.board.wait(until: .now + time) { _ in condition(lease.status) ? () : nil }
    }
}
