internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Platform
internal import Recording
internal import Suites

/// The engine: calls come in, suites and extensions do the work, answers leave after the commit.
///
/// A turn of the loop hands it what was read and then calls ``endTurn()``.
/// Between the two nothing leaves that depends on a suite.
final class Host {
    let configuration: HostConfiguration
    let logger: Logger
    let logSink: LogSink
    var clock: Clock
    var random: RandomGenerator

    let store: SuiteStore
    let extensions: ExtensionTable
    let notifications: NotificationCenter
    let deliveries = DeliveryTable()
    let jobs = JobTable()
    private(set) lazy var fileDestination = FileDestination(configuration)
    let clientMethods: MethodTable<HostMethod>
    let extensionMethods: MethodTable<HostMethod>
    let logMethods: MethodTable<HostMethod>
    let modelContextMethods: MethodTable<ModelContextMethod>

    /// The clients; one, on stdin and stdout.
    private(set) var clients: [Peer] = []
    /// Whether `shutdown` or a signal asked for the end: no further line is carried out.
    var isStopping = false

    /// Where the service extension leaves files, once one was told of it.
    var attachments: AttachmentFolder?

    /// The `shutdown` calls, answered when all else is.
    var shutdownCalls: [Call] = []

    /// The suite of the last call that had one; calls come in runs.
    private var lastSuite: Suite?

    /// Rights to flush, kept until what was taken under them in the suite is committed.
    var rights: [SuiteName: FlushLock] = [:]

    /// What leaves after the commit.
    var outbox = Outbox()
    /// Whether answers are leaving now; what they publish leaves behind them.
    var isSettling = false

    /// Records every connection, where that was asked for.
    let recorder: Recorder?

    init(configuration: HostConfiguration, logger: Logger, logSink: LogSink, recorder: Recorder? = nil) {
        self.configuration = configuration
        self.recorder = recorder
        self.logger = logger
        self.logSink = logSink
        clock = Clock(start: configuration.clock)
        random = RandomGenerator(seed: configuration.seed)
        store = SuiteStore(folder: configuration.dataFolder, limits: configuration.suiteLimits)
        extensions = ExtensionTable()
        notifications = NotificationCenter()
        clientMethods = MethodTable.client
        extensionMethods = MethodTable.extension
        logMethods = MethodTable.logAlone
        modelContextMethods = MethodTable.modelContext
        guard let recorder else { return }
        // Before the first line; what the bundles are counts when they are first needed, as without a recording.
        let bundles = BundleCatalog(folders: configuration.pluginFolders, allowsWritable: true).bundles
        recorder.hideSecrets(of: bundles, environment: configuration.hostEnvironment)
        recorder.flush()
    }

    /// Whether each line waits for the reply to the one before, so that a session gives the same bytes again.
    var isLockStep: Bool { configuration.isLockStep }

    /// A session for a new client.
    func connectClient() -> (peer: Peer, session: Session) {
        let peer = Peer(.client)
        let session = Session(lineLimit: configuration.lineLimit)
        peer.session = session
        session.onCall = { [unowned self] in peer.take($0, host: self) }
        session.onRefusal = { [unowned self, unowned session] in outbox.refuse($0, session) }
        session.report = { [logger] in Host.log($0, logger) }
        session.tap = recorder.map { ConnectionTap(Participant.client, $0, lineLimit: configuration.lineLimit) }
        clients.append(peer)
        return (peer, session)
    }

    static func log(_ report: Session.Report, _ logger: Logger) {
        switch report {
        case .failedNotification(let call, let error):
            logger.warning("the notification \(call.method) failed: \(error.message)")
        case .strayResponse(let id): logger.warning("a response to \(id) answers no request; dropped")
        case .invalidMessage(let error, _): logger.info("\(error.message)")
        }
    }

    // MARK: A call comes in

    /// The unread replies in bytes past which an extension's messages wait.
    private static let extensionOutputLimit = 4 << 20
    /// The number of waiting calls past which a client's lines wait too.
    private static let waitingLimit = 10_000

    /// Whether the next message of a peer may be carried out now.
    func mayProceed(_ peer: Peer, _ session: Session) -> Bool {
        switch peer.role {
        case .extension:
            // What precedes a reply on the pipe takes effect before it.
            // Replies that it does not read wait; past its own limit it is stopped.
            // Nor may what it tells subscribers grow without bound while they read nothing.
            return peer.isIdle && session.output.count + outbox.count <= Host.extensionOutputLimit
                && clients.allSatisfy { $0.topics.isEmpty || isReading($0) }
        case .client:
            guard !isStopping, isReading(peer), peer.waiting.count <= Host.waitingLimit else { return false }
            // What the policy set off is through as well.
            return !isLockStep
                || (outbox.isEmpty && peer.waiting.isEmpty && peer.inFlight.isEmpty && deliveries.isQuiet)
        }
    }

    /// Whether a client leaves less unread than makes its lines wait.
    private func isReading(_ client: Peer) -> Bool {
        (client.session?.output.count ?? 0) + outbox.count <= configuration.outputLimit
    }

    /// Whether messages of an extension wait because it leaves the answers to its own calls unread.
    func isStuck(_ peer: Peer) -> Bool {
        guard case .extension(let process) = peer.role, peer.hasBacklog, peer.waiting.isEmpty else { return false }
        return process.session.map { $0.output.count > Host.extensionOutputLimit } ?? false
    }

    /// Carries out a call, or keeps it until earlier ones that matter to it are done.
    func handle(_ call: Call, of peer: Peer) {
        if peer.hasModelContext, call.method == "ping" { return handleModelContext(call, of: peer) }
        guard let method = methods(of: peer)[call.method] else { return handleModelContext(call, of: peer) }
        handle(call, of: peer, by: method)
    }

    /// Carries out a call by a method of the contract, or keeps it.
    func handle(_ call: Call, of peer: Peer, by method: MethodTable<HostMethod>.Method) {
        let arguments: Arguments
        do throws(RPCError) {
            arguments = try method.signature.bind(call.params)
        } catch {
            return finish(call, .failure(error))
        }
        switch method.handler {
        case .free(let body):
            do {
                guard case .done(let value) = try body(self, FreeCall(call: call, peer: peer, arguments: arguments))
                else { return }
                finish(call, .success(value))
            } catch {
                finish(call, .failure(RPCError(error)))
            }
        case .ordered(let order, let body):
            let invocation = Invocation(call: call, peer: peer, arguments: arguments, order: order, body: body)
            do throws(RPCError) {
                try prepare(invocation)
                // Behind a reload it is judged when that is done.
                if !peer.isReloading, try sendAhead(invocation) { return }
            } catch {
                return finish(call, .failure(error))
            }
            guard peer.calls.blocker(of: invocation) == nil else { return wait(invocation) }
            run(invocation)
        }
    }

    /// The methods that a peer may call.
    func methods(of peer: Peer) -> MethodTable<HostMethod> {
        switch peer.role {
        case .client: clientMethods
        case .extension(let process):
            switch process.bundle.point {
            case .content, .service: extensionMethods
            case .destination, .personalization: logMethods
            }
        }
    }

    /// Finds the suite and the presentation that a call is about, and so what it touches.
    private func prepare(_ invocation: Invocation) throws(RPCError) {
        switch invocation.order {
        case .append:
            invocation.suite = try suite(of: invocation)
            notifications.find(invocation)
            _ = invocation.time(self)
        case .key:
            invocation.suite = try suite(of: invocation)
            // Clients have no such parameter here.
            if case .extension = invocation.peer.role {
                _ = try notifications.presentation(invocation.arguments, of: invocation.peer)
            }
        case .suite, .flush: invocation.suite = try suite(of: invocation)
        case .allSuites, .listing, .reload: break
        case .beginning, .presentation, .dismissal: try notifications.prepare(invocation, host: self)
        }
    }

    /// The suite that a call names or means: of an extension only one of its App Groups.
    private func suite(of invocation: Invocation) throws(RPCError) -> Suite {
        let given = try invocation.arguments.optionalString("suite")
        let path = invocation.arguments.path("suite")
        let text: String
        switch invocation.peer.role {
        case .client: text = given ?? configuration.defaultSuite
        case .extension(let process):
            let groups = process.bundle.applicationGroups
            guard let group = given ?? groups.first, groups.contains(group) else {
                throw HostError.notEntitled(
                    "\(process.bundle.identifier) may not touch \(given?.excerpt() ?? "any suite"): "
                        + (groups.isEmpty
                            ? "its entitlements list no App Group"
                            : "its App Groups are \(groups.joined(separator: ", "))"),
                    path: path
                )
            }
            text = group
        }
        if let lastSuite, lastSuite.name.text.utf8.elementsEqual(text.utf8) { return lastSuite }
        guard let name = SuiteName(text) else {
            throw HostError.invalidSuiteName(
                "\(JSON.string(text).excerpt()) is no suite name: \(SuiteName.rule)",
                path: path
            )
        }
        let suite = store.suite(name)
        lastSuite = suite
        return suite
    }
}
