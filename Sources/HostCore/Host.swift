internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
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
    var chance: Chance

    let store: SuiteStore
    let extensions: ExtensionTable
    let notifications: NotificationCenter
    let clientMethods: MethodTable<HostMethod>
    let extensionMethods: MethodTable<HostMethod>

    /// The clients; one, on stdin and stdout.
    private(set) var clients: [Peer] = []
    /// Whether `shutdown` or a signal asked for the end: no further line is carried out.
    var isStopping = false

    /// The `shutdown` calls, answered when all else is.
    var shutdownCalls: [Call] = []

    /// The suite of the last call that had one; calls come in runs.
    private var lastSuite: Suite?

    /// What may leave only after the commit, in order.
    private var held: [Held] = []

    /// An answer or a notification that waits for the commit.
    private struct Held {
        enum Content {
            case answer(Call, Result<JSON, RPCError>)
            /// An answer that is made when it leaves, because the commit may change it.
            case lateAnswer(Call, () -> Result<JSON, RPCError>)
            case notification(Session, Topic, () -> JSON)

            var call: Call? {
                switch self {
                case .answer(let call, _), .lateAnswer(let call, _): call
                case .notification: nil
                }
            }
        }

        /// The suite on whose transaction it depends.
        var suite: Suite?
        var content: Content
    }

    init(configuration: HostConfiguration, logger: Logger, logSink: LogSink) {
        self.configuration = configuration
        self.logger = logger
        self.logSink = logSink
        clock = Clock(start: configuration.clock)
        chance = Chance(seed: configuration.seed)
        store = SuiteStore(folder: configuration.dataFolder, limits: configuration.suiteLimits)
        extensions = ExtensionTable()
        notifications = NotificationCenter()
        clientMethods = MethodTable.client
        extensionMethods = MethodTable.extension
    }

    /// Whether each line waits for the reply to the one before, so that a session gives the same bytes again.
    var isLockStep: Bool { configuration.isReproducible }

    /// A session for a new client.
    func connectClient() -> (peer: Peer, session: Session) {
        let peer = Peer(.client)
        let session = Session(lineLimit: configuration.lineLimit)
        peer.session = session
        session.onCall = { [unowned self] in peer.take($0, host: self) }
        session.report = { [logger] in Host.log($0, logger) }
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

    /// Whether the next message of a peer may be carried out now.
    func mayProceed(_ peer: Peer, _ session: Session) -> Bool {
        switch peer.role {
        case .extension:
            // What precedes a reply on the pipe takes effect before it.
            return peer.waiting.isEmpty
        case .client:
            guard !isStopping, session.output.count <= configuration.outputLimit else { return false }
            return !isLockStep || (held.isEmpty && peer.waiting.isEmpty && peer.inFlight.isEmpty)
        }
    }

    /// Carries out a call, or keeps it until earlier ones that matter to it are done.
    func handle(_ call: Call, of peer: Peer) {
        let table = if case .client = peer.role { clientMethods } else { extensionMethods }
        guard let method = table[call.method] else {
            return finish(call, .failure(.methodNotFound(call.method)))
        }
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
            } catch {
                return finish(call, .failure(error))
            }
            guard peer.isIdle || !peer.mustWait(invocation.footprint) else { return wait(invocation) }
            run(invocation)
        }
    }

    /// Finds the suite and the presentation that a call is about, and so what it touches.
    private func prepare(_ invocation: Invocation) throws(RPCError) {
        switch invocation.order {
        case .append, .suite:
            invocation.suite = try suite(of: invocation)
        case .allSuites, .listing: break
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
                    "\(process.bundle.identifier) may not touch \(given ?? "any suite"): "
                        + (groups.isEmpty
                            ? "its entitlements list no App Group"
                            : "its App Groups are \(groups.joined(separator: ", "))"),
                    path: path
                )
            }
            text = group
        }
        if let lastSuite, lastSuite.name.text == text { return lastSuite }
        guard let name = SuiteName(text) else {
            throw HostError.invalidSuiteName("\(JSON.string(text)) is no suite name: \(SuiteName.rule)", path: path)
        }
        let suite = store.suite(name)
        lastSuite = suite
        return suite
    }

    private func wait(_ invocation: Invocation) {
        invocation.call.session.track(invocation.call)
        invocation.peer.waiting.append(invocation)
    }

    /// Carries out a call whose turn has come.
    ///
    /// - Returns: Whether it is out of the way: not when its suite is held by another process.
    @discardableResult
    private func run(_ invocation: Invocation) -> Bool {
        do {
            switch try invocation.body(self, invocation) {
            case .done(let value): finish(invocation, .success(value))
            case .later:
                guard !invocation.call.isAnswered else { return true }
                invocation.call.session.track(invocation.call)
            }
        } catch SuiteError.busy where mayRetry(invocation) {
            if !invocation.peer.waiting.contains(where: { $0 === invocation }) { wait(invocation) }
            return false
        } catch {
            if case .transactionLost(let text) = error as? SuiteError { lose(invocation.suite, text) }
            finish(invocation, .failure(self.error(error, invocation)))
        }
        return true
    }

    private func error(_ error: any Error, _ invocation: Invocation) -> RPCError {
        guard let error = error as? SuiteError, let suite = invocation.suite else { return RPCError(error) }
        return RPCError(error, suite: suite.name)
    }

    /// Notes when to try again, with growing pauses, while the limit lasts.
    private func mayRetry(_ invocation: Invocation) -> Bool {
        let now = Clock.monotonic()
        let since = invocation.busySince ?? now
        invocation.busySince = since
        guard now - since < configuration.busyLimit else { return false }
        invocation.retryAt = now + min(250, max(10, (now - since) / 4))
        return true
    }

    // MARK: An answer goes out

    /// Answers an invocation; what it read or wrote in an open transaction leaves after the commit.
    ///
    /// Replies keep the order in which they became ready, so one that depends
    /// on no suite waits behind one that does.
    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) {
        let suite = invocation.suite.flatMap { $0.isInTransaction ? $0 : nil }
        if held.isEmpty && suite == nil {
            invocation.call.answer(result)
        } else {
            held.append(Held(suite: suite, content: .answer(invocation.call, result)))
        }
    }

    /// Answers a call that touched no suite.
    func finish(_ call: Call, _ result: Result<JSON, RPCError>) {
        if held.isEmpty {
            call.answer(result)
        } else {
            held.append(Held(content: .answer(call, result)))
        }
    }

    /// Answers a call with what is true after the commit: a save may still fail and leave a diagnostic.
    func finishLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        if store.hasTransactions || !held.isEmpty {
            held.append(Held(content: .lateAnswer(call, result)))
        } else {
            call.answer(result())
        }
    }

    /// Tells subscribers of a topic.
    func publish(_ topic: Topic, _ params: @escaping () -> JSON) {
        for client in clients where client.topics.contains(topic) {
            guard let session = client.session else { continue }
            if held.isEmpty && !store.hasTransactions {
                session.notify(topic.rawValue, params: params())
            } else {
                held.append(Held(content: .notification(session, topic, params)))
            }
        }
    }

    /// Turns every answer that depends on a suite's lost transaction into an error.
    private func lose(_ suite: Suite?, _ text: String) {
        guard let suite else { return }
        logger.error("the transaction of \(suite.name) is lost: \(text)")
        let error = RPCError(SuiteError.transactionLost(text), suite: suite.name)
        for index in held.indices where held[index].suite === suite {
            held[index].suite = nil
            if let call = held[index].content.call { held[index].content = .answer(call, .failure(error)) }
        }
    }

    // MARK: The end of a turn

    /// Commits, lets the answers leave, and carries out what waited for that.
    func endTurn() {
        repeat {
            commit()
            settle()
        } while advance()
    }

    private func commit() {
        for suite in store.takeTransactions() {
            do {
                try suite.commit()
                suite.checkpoint(isIdle: false)
            } catch {
                lose(suite, error.text)
            }
        }
    }

    private func settle() {
        // Making an answer may publish something, which then leaves behind it.
        var index = 0
        while index < held.count {
            switch held[index].content {
            case .answer(let call, let result): call.answer(result)
            case .lateAnswer(let call, let result): call.answer(result())
            case .notification(let session, let topic, let params): session.notify(topic.rawValue, params: params())
            }
            index += 1
        }
        held.removeAll(keepingCapacity: true)
    }

    private func advance() -> Bool {
        var progress = false
        for peer in clients + extensions.peers where !peer.isIdle || peer.hasBacklog {
            progress = advanceWaiting(peer) || progress
            progress = peer.advance(host: self) || progress
        }
        return progress
    }

    private func advanceWaiting(_ peer: Peer) -> Bool {
        var progress = false
        var position = 0
        while position < peer.waiting.count {
            let invocation = peer.waiting[position]
            if invocation.call.isAnswered && !invocation.call.isNotification {
                // Cancelled before it began.
                peer.waiting.remove(at: position)
                progress = true
            } else if invocation.retryAt.map({ $0 <= Clock.monotonic() }) ?? true,
                !peer.mustWait(invocation.footprint, before: position),
                run(invocation)
            {
                peer.waiting.removeAll { $0 === invocation }
                progress = true
            } else {
                position += 1
            }
        }
        return progress
    }

    // MARK: For the loop

    /// Whether every request that is to be carried out was answered.
    var isQuiet: Bool {
        held.isEmpty && clients.allSatisfy { $0.isIdle && (isStopping || !$0.hasBacklog) }
            && extensions.peers.allSatisfy { $0.isIdle && !$0.hasBacklog }
    }

    /// When something is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        let retries = (clients + extensions.peers).flatMap { $0.waiting.compactMap(\.retryAt) }
        return (retries + extensions.processes.compactMap(\.deadline)).min()
    }
}

extension Host {
    /// Stops the extensions, fails what still waits and answers `shutdown`: nothing more will be carried out.
    func stop() {
        for process in extensions.processes { process.stop() }
        for peer in clients + extensions.peers {
            for invocation in peer.waiting {
                finish(invocation.call, .failure(HostError.stopping("the host is stopping")))
            }
            peer.waiting = []
        }
        for call in shutdownCalls { finish(call, .success(.null)) }
        shutdownCalls = []
    }
}
