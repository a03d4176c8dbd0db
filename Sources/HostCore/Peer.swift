internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

/// One end of a connection: a client, or an extension that calls the host.
final class Peer {
    enum Role {
        case client
        case `extension`(ExtensionProcess)
    }

    let role: Role
    /// A client's connection.
    var session: Session?
    /// Whether it began with the handshake of the Model Context Protocol, so that its `ping` is that protocol's.
    var hasModelContext = false
    /// The topics that the peer subscribed to.
    var topics: Set<Topic> = []

    /// The calls that were not answered or are still worked on.
    var calls = UnfinishedCalls()
    /// Calls that wait: for an earlier one, or for a suite that another process holds.
    var waiting: [Invocation] { calls.waiting }
    /// Calls that extensions are working on.
    var inFlight: [Invocation] { calls.inFlight }

    /// Messages that came while they may not be carried out yet.
    private var inbox: [(session: Session, message: Message)] = []
    /// Members of a batch whose first ones are not answered yet, in lock-step.
    private var members: [Call] = []

    init(_ role: Role) { self.role = role }

    /// How many calls of this peer have no answer yet; one that was cancelled has, although its work goes on.
    var unansweredCount: Int { (inFlight + waiting).count { !$0.call.isAnswered } }

    /// Whether every call of this peer that was begun is done.
    var isIdle: Bool { waiting.isEmpty && inFlight.isEmpty }

    /// Whether a reload waits or is under way.
    var isReloading: Bool { calls.hasReload }

    /// Whether messages of this peer wait to be carried out.
    var hasBacklog: Bool { !inbox.isEmpty || !members.isEmpty }

    /// Takes a message: carries it out, or keeps it until that is allowed.
    func deliver(_ message: Message, of session: Session, host: Host) {
        if !hasBacklog && host.mayProceed(self, session) {
            session.receive(message)
        } else {
            inbox.append((session, message))
        }
    }

    /// Takes a call; only members of a batch can come while it may not be carried out.
    func take(_ call: Call, host: Host) {
        // A member behind a `shutdown` of its batch.
        if case .client = role, host.isStopping { return host.finish(call, .failure(HostError.hostIsStopping)) }
        if members.isEmpty && (!host.isLockStep || host.mayProceed(self, call.session)) {
            host.handle(call, of: self)
        } else {
            members.append(call)
        }
    }

    /// Carries out what was kept, as far as it is allowed now.
    ///
    /// - Returns: Whether anything was carried out.
    func advance(host: Host) -> Bool {
        var progress = false
        while let call = members.first, host.mayProceed(self, call.session) {
            members.removeFirst()
            host.handle(call, of: self)
            progress = true
        }
        var done = 0
        while members.isEmpty, done < inbox.count, host.mayProceed(self, inbox[done].session) {
            done += 1
            inbox[done - 1].session.receive(inbox[done - 1].message)
        }
        inbox.removeFirst(done)
        return progress || done > 0
    }

    /// Gives away the members of a batch that will not be carried out.
    func takeMembers() -> [Call] {
        defer { members = [] }
        return members
    }
}

/// What a client can subscribe to; the names are those of the notifications.
enum Topic: String, CaseIterable {
    case viewDidChange
    case didDismiss
    case openApplication
    case progress = "$/progress"
    case log = "$/log"
}
