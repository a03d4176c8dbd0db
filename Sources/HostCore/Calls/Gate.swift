internal import JSONRPC

/// Decides whether the next message of a peer may be handled: the end of the host, back-pressure and lock-step.
final class Gate {
    /// The unread replies in bytes past which an extension's messages wait.
    private static let extensionOutputLimit = 4 << 20
    /// The number of waiting calls past which a client's messages wait too.
    private static let waitingLimit = 10_000

    private let outbox: Outbox
    private let publisher: Publisher
    private let outputLimit: Int
    /// Whether each message of a client waits for the answer to the one before, so that a session is reproducible.
    let isLockStep: Bool
    /// Whether `shutdown` or a signal asked for the end: no further message of a client is handled.
    var isStopping = false
    /// Whether no flush is due or under way.
    var flushesAreQuiet: () -> Bool = { true }

    init(_ configuration: HostConfiguration, _ outbox: Outbox, _ publisher: Publisher) {
        outputLimit = configuration.outputLimit
        isLockStep = configuration.isLockStep
        self.outbox = outbox
        self.publisher = publisher
    }

    /// Whether the next message of a peer may be handled now.
    func admitsMessage(of peer: Peer) -> Bool {
        switch peer.role {
        case .extension:
            // What precedes a reply on the pipe takes effect before it.
            // Replies that it does not read wait; past its own limit it is stopped.
            // Nor may what it publishes grow without bound while a subscriber reads nothing.
            return peer.isIdle && peer.unreadBytes + outbox.count <= Self.extensionOutputLimit
                && publisher.clients.allSatisfy { $0.topics.isEmpty || $0.unreadBytes + outbox.count <= outputLimit }
        case .client:
            guard !isStopping, peer.unreadBytes + outbox.count <= outputLimit,
                peer.calls.waiting.count <= Self.waitingLimit
            else { return false }
            // A flush that the policy began ends before the next message too.
            return !isLockStep || (outbox.isEmpty && peer.isIdle && flushesAreQuiet())
        }
    }

    /// Whether messages of an extension wait because it leaves the answers to its own calls unread.
    func isStuck(_ peer: Peer) -> Bool {
        guard case .extension = peer.role, peer.hasBacklog, peer.calls.waiting.isEmpty else { return false }
        return peer.unreadBytes > Self.extensionOutputLimit
    }
}
