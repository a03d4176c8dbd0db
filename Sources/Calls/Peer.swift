internal import Contract
package import JSON
package import JSONRPC
internal import Platform
package import Suites

/// An extension, as far as its own calls to the host depend on it.
package protocol CallingExtension: AnyObject {
    /// The identifier of its bundle.
    var identifier: String { get }
    /// The suites that it may use.
    var applicationGroups: [String] { get }
    /// The size in bytes of what was sent to it and not read by it.
    var unreadBytes: Int { get }
}

/// One end of a connection: a client, or an extension that calls the host.
package final class Peer {
    package enum Role {
        case client
        /// A further connection, which controls the host beside its client.
        case control
        case `extension`(any CallingExtension)
    }

    package let role: Role
    /// The methods that the peer may call; found at its first call, because those of a source need its relay.
    package private(set) lazy var methods = findMethods()
    private let findMethods: () -> MethodTable<HostMethod>
    /// The connection of a client, or a control connection.
    @exclusivity(unchecked) package var session: Session?
    /// Whether the connection began with the handshake of the Model Context Protocol, whose `ping` it then means.
    @exclusivity(unchecked) package var hasModelContext = false
    /// The topics that the peer subscribed to.
    package var topics: Set<Topic> = []
    /// How many lines of `$/stderr` were left out since the last one, because the peer did not read.
    fileprivate var missedLines = 0

    /// Its calls that wait or run; a control connection shares the client's, so that both are ordered together.
    package let scheduler: Scheduler

    /// Messages that may not be handled yet.
    @exclusivity(unchecked) private var inbox: [Incoming] = []

    private let gate: Gate
    private let dispatcher: Dispatcher

    package init(
        _ role: Role,
        _ methods: @escaping () -> MethodTable<HostMethod>,
        _ gate: Gate,
        _ dispatcher: Dispatcher,
        scheduler: Scheduler = Scheduler()
    ) {
        self.role = role
        findMethods = methods
        self.scheduler = scheduler
        self.gate = gate
        self.dispatcher = dispatcher
    }

    /// The number of calls without an answer; a cancelled call is answered although its work goes on.
    package var unansweredCount: Int { (scheduler.running + scheduler.waiting).count { !$0.call.isAnswered } }

    /// Whether no call of this peer waits or runs.
    package var isIdle: Bool { scheduler.isIdle }

    /// Whether messages of this peer wait to be handled.
    package var hasBacklog: Bool { !inbox.isEmpty }

    /// Whether its messages wait because it leaves the answers to its own calls unread.
    package var isStuck: Bool { gate.isStuck(self) }

    /// The size in bytes of what was sent to the peer and not read by it.
    package var unreadBytes: Int {
        switch role {
        case .client, .control: session?.outputCount ?? 0
        case .extension(let caller): caller.unreadBytes
        }
    }

    /// Handles a message now, or keeps it until that is allowed.
    package func receive(_ message: Incoming) {
        if inbox.isEmpty,
            gate.admitsMessage(of: self) || gate.admitsFreeCall(of: self) && dispatcher.isFree(message, of: self)
        {
            dispatcher.handle(message, of: self)
        } else {
            inbox.append(message)
        }
    }

    /// Runs a call of a method, or lets it wait.
    package func run(_ call: Call, _ method: MethodTable<HostMethod>.Method) {
        dispatcher.dispatch(call, of: self, to: method)
    }

    /// Handles as many of the kept messages as are allowed now.
    ///
    /// - Returns: Whether anything was handled.
    package func advance() -> Bool {
        var count = 0
        while count < inbox.count, gate.admitsMessage(of: self) {
            count += 1
            dispatcher.handle(inbox[count - 1], of: self)
        }
        inbox.removeFirst(count)
        return count > 0
    }

    /// Removes the kept members of a batch whose first members were handled, since its answers are sent together.
    ///
    /// - Returns: The calls among them, to be answered with an error.
    package func removeBatchMembers() -> [Call] {
        guard let first = inbox.first, first.continuesBatch else { return [] }
        let members = Array(inbox.prefix { $0.isInBatch(of: first) })
        inbox.removeFirst(members.count)
        return members.compactMap { message in
            if case .call(let call) = message { return call }
            dispatcher.handle(message, of: self)
            return nil
        }
    }
}

/// A topic that a client can subscribe to; the names are those of the notifications.
package enum Topic: String, CaseIterable {
    case viewDidChange
    case didDismiss
    case didSave
    case openApplication
    case progress = "$/progress"
    case log = "$/log"
    case standardError = "$/stderr"
}

/// Sends the host's notifications to its client.
package final class Publisher {
    /// The client on stdin and stdout; nil if the host is a relay.
    package var client: Peer?
    private let outbox: Outbox

    package init(_ outbox: Outbox) { self.outbox = outbox }

    /// Notifies the subscribers of a topic, after the commit; not if the transaction of the suite is lost.
    package func publish(_ topic: Topic, dependsOn suite: Suite? = nil, _ params: @escaping () -> JSON) {
        guard let client, client.topics.contains(topic), let session = client.session else { return }
        outbox.notify(session, topic.rawValue, dependsOn: suite, params)
    }

    /// How many bytes the client may leave unread before it gets no more lines of stderr.
    private static let unreadLimit = 1 << 20

    /// Notifies subscribers of a line that an extension wrote on its stderr.
    ///
    /// It depends on no commit, so it is sent at once, before the answer that the extension gives after it. An extension
    /// may write without end, so a client that does not read misses lines, and is told how many.
    package func publish(errorLine line: String, of identifier: String) {
        guard let client, client.topics.contains(.standardError) else { return }
        guard client.unreadBytes <= Self.unreadLimit else {
            client.missedLines += 1
            return
        }
        let missed = client.missedLines
        client.missedLines = 0
        let members: MemberList = [
            "extension": .string(identifier), "line": .string(line), "missed": JSON(positive: missed),
        ]
        client.session?.notify(Topic.standardError.rawValue, params: JSON(present: members))
    }

    /// Reports the progress of a call to its caller, if that gave a progress token, until the call is answered.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - progress: A number that grows with each report.
    ///   - message: The progress in words.
    package func publishProgress(of call: Call, _ progress: Int64, _ message: String) {
        guard let token = call.progressToken, !call.isAnswered else { return }
        outbox.notify(call.session, "notifications/progress") {
            ["progressToken": token, "progress": .integer(progress), "message": .string(message)]
        }
    }
}

/// Decides whether the next message of a peer may be handled, for shutdown, back-pressure and lock-step.
package final class Gate {
    /// The size of unread replies in bytes above which an extension's messages wait.
    private static let extensionOutputLimit = 4 << 20
    /// The number of waiting and running calls above which a client's messages wait too.
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
                peer.scheduler.waiting.count + peer.scheduler.running.count <= Self.waitingLimit
            else { return false }
            // A flush that the policy began ends before the next message too.
            return !isLockStep || (outbox.isEmpty && peer.isIdle && flushesAreQuiet())
        }
    }

    /// Whether messages of an extension wait because it leaves the answers to its own calls unread.
    package func isStuck(_ peer: Peer) -> Bool {
        guard case .extension = peer.role, peer.hasBacklog, peer.scheduler.waiting.isEmpty else { return false }
        return peer.unreadBytes > Self.extensionOutputLimit
    }
}

/// Handles `shutdown`, whose calls are answered last.
package final class Shutdown {
    private let gate: Gate
    private let outbox: Outbox
    private var calls: [Call] = []

    package init(_ gate: Gate, _ outbox: Outbox) {
        self.gate = gate
        self.outbox = outbox
    }

    /// Stops the handling of further messages; the call is answered after all calls in flight.
    package func request(_ call: Call) {
        gate.end(.shutdown)
        calls.append(call)
    }

    /// Answers the calls.
    package func finish() {
        for call in calls { outbox.finish(call, .success(.null)) }
        calls = []
    }
}
