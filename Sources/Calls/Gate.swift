internal import JSONRPC
internal import Platform

/// Decides whether the next message of a peer may be handled, for shutdown, back-pressure and lock-step.
package final class Gate {
    /// The size of unread replies in bytes above which an extension's messages wait.
    private static let extensionOutputLimit = 4 << 20
    /// The number of waiting calls above which a client's messages wait too.
    private static let waitingLimit = 10_000

    private let outbox: Outbox
    private let publisher: Publisher
    private let outputLimit: Int
    /// Whether each message of a client waits for the answer to the one before, so that a session is reproducible.
    package let isLockStep: Bool
    /// How the host ends; changed with ``end(_:)``.
    @exclusivity(unchecked) package private(set) var ending: Ending
    /// Whether no flush is due or runs; connected once, since flushes need what this gate guards.
    package var flushesAreQuiet: (() -> Bool)!

    /// A gate that is open.
    package init(outputLimit: Int, isLockStep: Bool, _ ending: Ending, _ outbox: Outbox, _ publisher: Publisher) {
        self.outputLimit = outputLimit
        self.isLockStep = isLockStep
        self.ending = ending
        self.outbox = outbox
        self.publisher = publisher
    }

    /// Notes an event that concerns the end of the host.
    ///
    /// - Returns: The actions of the event loop, in order.
    @discardableResult
    package func end(_ event: Ending.Event) -> [Ending.Action] { ending.handle(event, now: Clock.monotonic()) }

    /// Whether the next message of a peer may be handled now.
    package func admitsMessage(of peer: Peer) -> Bool { !outbox.isCommitting && isOpen(to: peer) }

    /// Whether a call that needs no suite may be handled now, although a commit runs.
    ///
    /// An answer never overtakes another one to the same peer.
    func admitsFreeCall(of peer: Peer) -> Bool {
        guard outbox.isCommitting, let session = peer.session else { return false }
        return !outbox.awaitsCommit(session) && isOpen(to: peer)
    }

    /// Whether a message of a peer may be read now: it can be handled, or kept while a commit runs.
    package func admitsReading(from peer: Peer) -> Bool { admitsMessage(of: peer) || admitsFreeCall(of: peer) }

    private func isOpen(to peer: Peer) -> Bool {
        switch peer.role {
        case .extension:
            // Its messages take effect in the order in which it sent them. They wait while it leaves replies unread, and
            // while a subscriber does not read what they publish.
            return peer.isIdle && peer.unreadBytes + outbox.waitingBytes <= Self.extensionOutputLimit
                && publisher.client.map {
                    $0.topics.isEmpty || $0.unreadBytes + outbox.waitingBytes <= outputLimit
                } ?? true
        case .control:
            // One message after the other, so that neither requests nor unread replies pile up.
            return ending.admitsMessages && peer.unreadBytes == 0 && peer.session?.trackedCount == 0
        case .client:
            guard ending.admitsMessages, peer.unreadBytes + outbox.waitingBytes <= outputLimit,
                peer.calls.waiting.count <= Self.waitingLimit
            else { return false }
            // A flush that the policy began ends before the next message too.
            return !isLockStep || (outbox.isEmpty && peer.isIdle && flushesAreQuiet())
        }
    }

    /// Whether messages of an extension wait because it leaves the answers to its own calls unread.
    package func isStuck(_ peer: Peer) -> Bool {
        guard case .extension = peer.role, peer.hasBacklog, peer.calls.waiting.isEmpty else { return false }
        return peer.unreadBytes > Self.extensionOutputLimit
    }
}
