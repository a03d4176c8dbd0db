internal import ExtensionKit
internal import NATS
internal import Synchronization

/// Hands out the records of a JetStream stream, in partitions that it shares with other relays.
@main
final class NATSSource: SourceExtension {
    /// The relay, if the servers could be reached, and the thread that looks after its leases.
    private struct Running {
        let relay: Relay
        let coordinator: Coordinator
    }

    /// What the calls of the host share.
    private struct State {
        var running: Running?
        /// Until when a relay that has ended waits for the host's last words.
        var deadline: ContinuousClock.Instant?
        var isStopped = false
    }

    private let context: SourceContext
    private let settings: Result<SourceSettings, NATSError>
    private let running = Mutex(State())

    init(context: SourceContext) {
        self.context = context
        settings = Result { () throws(NATSError) in
            try SourceSettings(Environment(context.environment))
        }
    }

    func pull(limit: Int, wait: Duration) async throws -> PulledRecords {
        let deadline = ContinuousClock.now + wait
        return try await blocking { [self] in
            do {
                let relay = try relay()
                return relay.answer(try relay.pull(limit, until: deadline))
            } catch let error as NATSError {
                throw ExtensionError(error)
            }
        }
    }

    func begin(_ ids: [Int64]) async throws -> BegunRecords {
        guard let relay = running.withLock(\.running)?.relay else { return BegunRecords(lost: ids) }
        return try await blocking {
            do throws(NATSError) { return try relay.begin(ids) } catch { throw ExtensionError(error) }
        }
    }

    func settle(_ settlement: SourceSettlement) async throws -> [Int64] {
        guard let relay = running.withLock(\.running)?.relay else { return settlement.ids }
        let lost = try await blocking {
            do throws(NATSError) { return try relay.settle(settlement) } catch { throw ExtensionError(error) }
        }
        relay.confirmSettlement()
        return lost
    }

    func stop() async {
        let last = running.withLock { state in
            state.isStopped = true
            return state.running
        }
        guard let last else { return }
        try? await blocking { last.coordinator.stop() }
    }

    /// The relay, which is created when the servers can be reached, and again when the stream is another one.
    private func relay() throws -> Relay {
        let settings = try settings.get()
        return try running.withLock { state in
            if let relay = state.running?.relay, state.isStopped || relay.isUsable { return relay }
            guard !state.isStopped else { throw ExtensionError(reason: "stopped", "The source stops.") }
            if let ended = state.running {
                ended.coordinator.end()
                // Another stream may use the same ids, so the host first settles what it had of this one.
                let deadline = state.deadline ?? .now + Coordinator.patience
                state.deadline = deadline
                guard ended.relay.handouts.all.isEmpty || deadline < .now else { return ended.relay }
            }
            (state.running, state.deadline) = (nil, nil)
            let cluster = try Cluster(settings)
            let relay = Relay(cluster, settings, context)
            let coordinator = Coordinator(relay)
            coordinator.start()
            state.running = Running(relay: relay, coordinator: coordinator)
            return relay
        }
    }
}
