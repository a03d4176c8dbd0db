internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import ModelContext
internal import Notifications
internal import Platform
internal import Presenting
internal import Recording
internal import Records
internal import Relay
internal import Suites

/// Creates and connects the services of the host, and advances them in each iteration of the event loop.
///
/// The event loop passes messages to the sessions and then calls ``iterate(isEnding:)``; no output that depends on a suite is sent
/// before that. Each service receives the services it needs here; none knows the engine.
final class Engine {
    let configuration: HostConfiguration
    let recorder: Recorder?
    let store: SuiteStore
    let gate: Gate
    let extensions: Extensions
    let flushes: FlushService
    let jobs: JobService
    let checks: ExtensionChecks
    let attachments: Attachments
    /// The work that waits for the disk besides commits.
    let disk = DiskWork()
    let methods: MethodTables
    /// The relay; nil if the host serves a client.
    let relay: RelayService?
    let outbox: Outbox
    private let publisher: Publisher
    /// The peers of the client and of the control connections.
    private var connected: [Peer] = []
    private let dispatcher: Dispatcher
    private let shutdown: Shutdown
    private let logger: Logger

    init(configuration: HostConfiguration, logger: Logger, logSink: LogSink, recorder: Recorder? = nil) {
        self.configuration = configuration
        self.recorder = recorder
        self.logger = logger
        let clock = Clock(start: configuration.clock)
        let identifiers = IdentifierGenerator(seed: configuration.seed)
        store = SuiteStore(folder: configuration.dataFolder, limits: configuration.suiteLimits)
        outbox = Outbox(store, logger)
        publisher = Publisher(outbox)
        let ending = Ending(isRelay: configuration.relay != nil, patience: configuration.extensionLimits.stop)
        gate = Gate(
            outputLimit: configuration.outputLimit,
            isLockStep: configuration.isLockStep,
            ending,
            outbox,
            publisher
        )
        let modelContext = ModelContextService(outbox)
        dispatcher = Dispatcher(lockedSuite: configuration.lockedSuite, store, outbox, fallback: modelContext.handle)
        let attachments = Attachments(configuration, publisher, logger)
        self.attachments = attachments
        let presentations = Presentations(attachments, publisher)
        let extensions = Extensions(configuration, clock, logger, recorder, gate, dispatcher) {
            attachments.openFolder()?.path
        }
        self.extensions = extensions
        checks = ExtensionChecks(configuration, extensions, outbox)
        shutdown = Shutdown(gate, outbox)

        let findDestination: DestinationFinder = { [disk] name, path throws(RPCError) in
            try extensions.destination(name, path, disk)
        }
        let flushes = FlushService(
            configuration,
            store,
            clock,
            identifiers,
            outbox,
            publisher,
            logger,
            destination: findDestination
        )
        self.flushes = flushes
        jobs = JobService(configuration, store, outbox, publisher, gate, logger)

        let presenting = PresentationService(configuration, clock, presentations, outbox)
        let display = NotificationDisplay(
            configuration,
            clock,
            identifiers,
            extensions,
            presentations,
            presenting,
            attachments
        )
        let reception = ReceptionService(
            configuration,
            extensions,
            Personalization(configuration, clock, extensions),
            presentations,
            attachments,
            display,
            outbox
        )
        let responses = ResponseService(
            configuration,
            presentations,
            presenting,
            publisher,
            onOpen: flushes.policy.handleForward
        )
        let suites = SuiteService(configuration, store)
        let saves = SaveService(configuration.recordLimits, clock, suites, presentations, flushes, publisher)

        let reload = ExtensionReload(extensions, outbox, logger) { process, reason in
            for presentation in presentations.visible where presentation.process === process {
                presenting.end(presentation, reason: reason)
            }
        }
        let status = HostStatus(configuration, extensions, presentations, publisher, flushes, logSink)
        let limits = configuration.recordLimits
        let lists = PendingLists(limits, clock, saves, jobs)

        var client = MethodTable<HostMethod>()
        let payloads = CheckService(configuration, clock, extensions, presentations, outbox)
        let renders = RenderService(configuration, presentations)
        client.addNotificationMethods(reception, display, responses, presenting, presentations, payloads, renders)
        client.addSaveMethods(saves, notification: "notification?")
        client.addStorageMethods(suites, presentations, jobs, saves, lists, limits, extra: [])
        client.addSuiteMethods(suites, SuiteList(store: store), jobs, lists, flushes, outbox, clock)
        client.addDeadLetterMethods(suites, jobs, flushes, SuiteDiagnostics(store: store))
        client.addFileMethods(
            PropertyListService(configuration, clock, store, jobs, flushes, disk),
            BackupService(configuration, jobs, disk),
            suites
        )
        client.addHostMethods(status, reload, checks, shutdown, jobs, outbox)
        // Secrets must be known before the first line is recorded.
        recorder?.hideSecrets(configuration)
        let relaySupport = RelaySupport(configuration, extensions, clock, logger, destination: findDestination)
        relay = relaySupport?.service
        let methods = MethodTables(client: client) { [jobs] in
            var control = MethodTable<HostMethod>()
            control.addControlMethods(status, reload, jobs)
            return control
        } content: { [jobs, publisher] in
            // An extension names the presentation that each of its calls is about.
            var content = MethodTable<HostMethod>()
            content.addSaveMethods(saves, notification: "notification")
            content.addStorageMethods(suites, presentations, jobs, saves, lists, limits, extra: ["notification"])
            content.addPresentationMethods(presentations, presenting, responses, publisher)
            content.addLog(["notification?", "level", "message"], publisher, logger)
            return content
        } log: { [publisher] in
            // A destination, or an extension that renders templates, shows nothing.
            var log = MethodTable<HostMethod>()
            log.addLog(["level", "message"], publisher, logger)
            return log
        } source: { [publisher] in
            var source = MethodTable<HostMethod>()
            source.addLog(["level", "message"], publisher, logger)
            relaySupport?.addMethods(to: &source)
            return source
        }
        self.methods = methods

        // The connections that no order of construction allows.
        extensions.methods = methods.table
        extensions.observe = relaySupport?.observe ?? presentations.observe
        gate.flushesAreQuiet = { flushes.isQuiet }
        outbox.onTransactionEnd = { suite, error in
            lists.didEndTransaction(of: suite, isLost: error != nil)
            if let error { flushes.lost(suite, error) } else { flushes.committed(suite) }
        }
    }

    /// Creates the peer and the session of a new client.
    func connectClient() -> (peer: Peer, session: Session) {
        let peer = Peer(.client, { [methods] in methods.client }, gate, dispatcher)
        let session = Session(lineLimit: configuration.lineLimit, acceptsHeaders: true)
        peer.session = session
        session.onMessage = peer.receive
        session.report = { [logger] report in
            switch report {
            case .failedNotification(let call, let error):
                logger.warning("the notification \(call.method) failed: \(error.message)")
            case .strayResponse(let id): logger.warning("a response to \(id) answers no request; dropped")
            case .invalidMessage(let error, _): logger.info("\(error.message)")
            }
        }
        session.tap = recorder.map { ConnectionTap(Participant.client, $0, lineLimit: configuration.lineLimit) }
        publisher.client = peer
        connected.append(peer)
        return (peer, session)
    }

    /// Creates the peer and the session of a control connection.
    ///
    /// Its calls are ordered with those of the client, so that a reload waits for the calls before it. It is no client of the
    /// publisher: it gets no notifications, and nothing waits until it has read something.
    ///
    /// - Parameter lineLimit: The greatest length of a line in bytes.
    /// - Returns: Both; the owner passes the peer to ``disconnect(_:)`` in the end.
    func connectControl(lineLimit: Int) -> (peer: Peer, session: Session) {
        let scheduler = publisher.client?.scheduler ?? Scheduler()
        let peer = Peer(.control, { [methods] in methods.control }, gate, dispatcher, scheduler: scheduler)
        let session = Session(lineLimit: lineLimit, acceptsHeaders: true)
        peer.session = session
        session.onMessage = { [unowned peer, logger] message in
            // Only calls that are answered can be counted, and so limited.
            guard case .call(let call) = message, call.isNotification else { return peer.receive(message) }
            logger.info("a control connection sent \(call.method.excerpt()) without an id; it is ignored")
            call.abandon()
        }
        session.report = { [logger] report in
            switch report {
            case .failedNotification(_, let error), .invalidMessage(let error, _):
                logger.info("a control connection sent something invalid: \(error.message)")
            case .strayResponse(let id): logger.info("a control connection answered no request: \(id)")
            }
        }
        connected.append(peer)
        return (peer, session)
    }

    /// Forgets a control connection that ended; a call of it that waits or runs is carried out.
    func disconnect(_ peer: Peer) {
        connected.removeAll { $0 === peer }
        peer.session?.isPeerGone = true
        peer.session = nil
    }

    private var peers: [Peer] { connected + extensions.peers }

    /// The peers that may have something to do.
    private var awakePeers: [Peer] { connected + extensions.roster.awake.map(\.peer) }

    // MARK: An iteration

    /// Commits the open transactions, sends the replies that depend on them, and advances everything that waited for that.
    ///
    /// If a commit runs beside the event loop, the rest is done in the iteration after its end.
    func iterate(isEnding: Bool = false) {
        while outbox.advance(waits: { waitsForDisk(isEnding: isEnding) }) {
            guard advance() || extensions.removeEndedRetirees() else { return }
        }
    }

    /// Whether the next commit runs on this thread, not beside the event loop.
    ///
    /// It does if no client could be served meanwhile, which saves the time of waking another thread. A reproducible
    /// session waits for each commit, and a job changes a suite only between two transactions.
    private func waitsForDisk(isEnding: Bool) -> Bool {
        isEnding || configuration.isLockStep || !jobs.isIdle
            || connected.allSatisfy { $0.session.map(outbox.willAnswer) ?? true }
    }

    /// Whether a commit runs beside the event loop.
    var isCommitting: Bool { outbox.isCommitting }
    /// Whether an answer to a session waits for a commit that runs.
    func awaitsCommit(_ session: Session) -> Bool { outbox.awaitsCommit(session) }
    /// Becomes readable when ``commitDidEnd()`` is to be called; nil if no commit runs.
    var commitDescriptor: Int32? { outbox.commitDescriptor }

    /// Sends the replies that waited for a commit beside the event loop, and advances what waited for its end.
    ///
    /// The calls that waited go first, so that new messages cannot delay them for ever.
    func commitDidEnd() {
        outbox.didWake()
        if !isCommitting { _ = advance() }
    }

    private func advance() -> Bool {
        var progress = relay?.advance() ?? flushes.advance()
        for peer in awakePeers where !peer.isIdle || peer.hasBacklog {
            progress = dispatcher.advance(peer) || progress
            progress = peer.advance() || progress
        }
        return progress
    }

    /// Whether an answer to a session waits for a commit.
    func owesAnswer(to session: Session) -> Bool { outbox.awaitsCommit(session) || outbox.willAnswer(session) }

    /// Whether every request that will be handled has been answered.
    var isQuiet: Bool {
        outbox.isEmpty && flushes.isQuiet
            && publisher.client.map { $0.isIdle && (!gate.ending.admitsMessages || !$0.hasBacklog) } ?? true
            && extensions.peers.allSatisfy { $0.isIdle && (!$0.hasBacklog || gate.isStuck($0)) }
    }

    /// The next deadline of any service, in milliseconds of the monotonic clock.
    var deadline: Int64? {
        var next = min(flushes.deadline ?? .max, jobs.deadline ?? .max, checks.deadline ?? .max)
        next = min(next, relay?.deadline ?? .max)
        for peer in awakePeers { next = min(next, peer.scheduler.deadline ?? .max) }
        for member in extensions.roster.awake { next = min(next, member.process.deadline ?? .max) }
        next = min(next, extensions.roster.restingDeadline ?? .max)
        return next == .max ? nil : next
    }

    /// Stops the extensions, fails the waiting calls and answers `shutdown`; no further message is handled.
    func stop() {
        relay?.end()
        flushes.stop()
        jobs.stop()
        checks.stop()
        for process in extensions.processes { process.stop(because: .hostStopping) }
        for peer in peers {
            for invocation in peer.scheduler.removeAll() {
                outbox.finish(invocation.call, .failure(HostError.hostIsStopping))
            }
            for call in peer.removeBatchMembers() { outbox.finish(call, .failure(HostError.hostIsStopping)) }
        }
        shutdown.finish()
    }
}

/// The methods of the contract, one table for each kind of caller; each but the client's is made for its first caller.
final class MethodTables {
    typealias Table = MethodTable<HostMethod>

    let client: Table
    /// The methods for control connections.
    private(set) lazy var control = makeControl()
    /// The methods for extensions that show notifications or change them.
    private(set) lazy var content = makeContent()
    /// The methods for destinations and for extensions that render templates: `log` only.
    private(set) lazy var log = makeLog()
    /// The methods and notifications for sources.
    private(set) lazy var source = makeSource()

    private let makeControl: () -> Table
    private let makeContent: () -> Table
    private let makeLog: () -> Table
    private let makeSource: () -> Table

    init(
        client: Table,
        control: @escaping () -> Table,
        content: @escaping () -> Table,
        log: @escaping () -> Table,
        source: @escaping () -> Table
    ) {
        self.client = client
        (makeControl, makeContent, makeLog, makeSource) = (control, content, log, source)
    }

    /// The methods that an extension may call.
    func table(of process: ExtensionProcess) -> Table {
        switch process.bundle.point {
        case .content, .service: content
        case .destination, .personalization: log
        case .source: source
        }
    }
}
