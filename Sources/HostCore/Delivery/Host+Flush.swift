internal import Contract
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Suites

extension Host {
    // MARK: A client asks

    /// Flushes a suite: to the caller at once, or to a destination, which answers when it is through.
    func flushPending(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let name = try invocation.arguments.optionalString("to") ?? "caller"
        // Asked for first: whatever is wrong with the request is told at once.
        let destination = name == "caller" ? nil : try destination(name, path: invocation.arguments.path("to"))
        let user = try invocation.arguments.flushUser()
        guard let destination else { return try flushToCaller(invocation, user: user) }
        guard invocation.arguments["lease"] == nil else {
            let text = "a lease is for a caller who takes the records; \(name) takes them itself"
            throw RPCError.invalidParams(path: invocation.arguments.path("lease"), text)
        }
        let limit = try invocation.arguments.optionalInteger("limit", in: 1...Int64.max) ?? .max
        let suite = invocation.knownSuite
        try checkIsNotFlushed(suite)
        let asked = FlushRequest(user: user, limit: limit, patience: configuration.delivery.patience)
        guard let delivery = try beginFlush(suite, to: destination, asked, invocation) else {
            if configuration.delivery.deliversEmptyBatches, case .bundle(let name) = destination {
                return deliverEmptyBatch(to: name, invocation)
            }
            let diagnostics = [missingSuite(suite, invocation.arguments)].compactMap { $0?.json }
            return .done([
                "delivered": 0, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": JSON(diagnostics),
            ])
        }
        invocation.peer.calls.begin(invocation)
        deliveries.add(delivery)
        return .later
    }

    /// A flush of the policy may be under way; the call waits until that is over.
    ///
    /// - Throws: ``FlushUnderWay``; the suite's refusal where that keeps the flush from its end.
    func checkIsNotFlushed(_ suite: Suite) throws {
        guard let delivery = deliveries.running[suite.name] else { return }
        throw delivery.refusal ?? FlushUnderWay()
    }

    /// Takes the right to flush, and settles what a host that died had on its way.
    ///
    /// - Returns: The right, how many records may have been sent, and which of them became dead letters.
    /// - Throws: ``SuiteError/beingFlushed`` while another process flushes the suite.
    func takeRightToFlush(
        _ suite: Suite
    ) throws(SuiteError) -> (right: FlushLock, possiblySent: Int64, deadLetters: [Int64]) {
        // A flush to the caller in this turn may have it; what that found is in the open transaction.
        if let right = rights[suite.name] { return (right, 0, []) }
        guard let right = try suite.lockFlush() else { throw .beingFlushed }
        var possiblySent: Int64 = 0
        var deadLetters: [Int64] = []
        for abandoned in try suite.abandonedClaims() {
            let settlement = Doubt.settle(abandoned.records)
            let now = clock.wallTime()
            try suite.settle(abandoned.claim, settlement, destination: abandoned.destination, now: now)
            possiblySent += settlement.possiblySent
            deadLetters += settlement.buried.map(\.id)
            guard settlement.possiblySent > 0 else { continue }
            logger.notice(
                "\(suite.name): a host ended while \(settlement.possiblySent) records were on their way to \(abandoned.destination)"
            )
        }
        return (right, possiblySent, deadLetters)
    }

    /// What is asked of a flush.
    struct FlushRequest {
        var user: JSON?
        var limit = Int64.max
        var patience: Int64 = 0
    }

    /// Begins a flush.
    ///
    /// - Returns: The flush, which is not in the table yet; nothing where nothing is pending.
    private func beginFlush(
        _ suite: Suite,
        to destination: Destination,
        _ request: FlushRequest,
        _ invocation: Invocation?
    ) throws(SuiteError) -> Delivery? {
        let newest = try suite.newestRecord()
        guard newest > 0 else { return nil }
        try suite.endExpiredLeases(now: clock.wallTime())
        let (right, possiblySent, deadLetters) = try takeRightToFlush(suite)
        let totals = try suite.deliveries().first { $0.destination == destination.name }
        let now = clock.wallTime()
        let start = Clock.monotonic()
        let backoff = Backoff(
            configuration.delivery,
            failures: totals?.failures ?? 0,
            random: RandomGenerator(seed: configuration.seed)
        )
        let flush = Flush(
            limit: request.limit,
            batchesAtOnce: batchesAtOnce(destination),
            backoff: backoff,
            // A wall clock that was set back must not keep records for years.
            pause: totals?.notBefore.map { min(max(0, $0 - now), DeliveryReply.longestPause) },
            problem: totals?.problem,
            possiblySent: possiblySent,
            rejected: Int64(deadLetters.count),
            patience: deliveries.isHurried ? 0 : request.patience,
            user: request.user?.description,
            now: start
        )
        return Delivery(
            suite: suite,
            destination: destination,
            user: request.user,
            right: right,
            flush: flush,
            newest: newest,
            start: start,
            invocation: invocation,
            host: self
        )
    }

    // MARK: The policy asks

    /// Whoever wants every record flushed soon wants those too that an earlier host left.
    func beginPolicy() {
        switch configuration.delivery.policy {
        case .manual, .onForward: break
        case .immediate: wantEverySuite()
        case .every(let period): _ = deliveries.takeRound(every: period)
        }
    }

    /// A record was saved in a suite.
    func noteSave(_ suite: Suite) {
        if configuration.delivery.policy == .immediate { deliveries.want(suite.name) }
    }

    /// A notification opened the app, which shares these suites.
    func noteForward(_ suites: [SuiteName]) {
        guard configuration.delivery.policy == .onForward else { return }
        for suite in suites { deliveries.want(suite) }
    }

    /// Begins what the policy wants now.
    ///
    /// - Returns: Whether anything was begun.
    func followPolicy() -> Bool {
        if case .every(let period) = configuration.delivery.policy, deliveries.takeRound(every: period) {
            wantEverySuite()
        }
        var progress = false
        for name in deliveries.takeDue() {
            do {
                let to = try destination(configuration.delivery.policyDestination, path: nil)
                guard let delivery = try beginFlush(store.suite(name), to: to, FlushRequest(), nil) else { continue }
                deliveries.add(delivery)
                progress = true
            } catch {
                if case .transactionLost(let text) = error as? SuiteError { lose(store.suite(name), text) }
                // Another process may be flushing or writing; it is not wanted any less.
                deliveries.want(name)
                let isPassing = (error as? SuiteError)?.isPassing == true
                if !isPassing {
                    logger.error("flushing \(name) to \(configuration.delivery.policyDestination): \(error)")
                }
                deliveries.pause(
                    name,
                    for: isPassing ? 100 : configuration.delivery.retryLimit
                )
            }
        }
        return progress
    }

    /// The policy wants every suite flushed: what an earlier host left is pending too.
    func wantEverySuite() {
        do throws(SuiteError) {
            for name in try store.names() { deliveries.want(name) }
        } catch {
            logger.error("looking for suites to flush: \(error.text)")
        }
    }

    /// A flush came to its end.
    func flushEnded(_ delivery: Delivery) {
        letGo(delivery)
        guard delivery.invocation == nil else { return }
        let name = delivery.suite.name
        let (problem, pause): (String, Int64)
        switch delivery.ending {
        case .unavailable(let text, let retryAfter): (problem, pause) = (text, retryAfter)
        case .stopped(let text): (problem, pause) = (text, configuration.delivery.retryLimit)
        case .refused(let error): (problem, pause) = (error.text, configuration.delivery.retryBase)
        case .done, .cancelled, nil: return
        }
        logger.warning("flushing \(name) to \(delivery.destination.name): \(problem); tried again in \(pause) ms")
        deliveries.want(name)
        deliveries.pause(name, for: pause)
    }

    /// Nobody has to wait for a flush any more.
    func letGo(_ delivery: Delivery) {
        guard let invocation = delivery.invocation else { return }
        invocation.peer.calls.end(invocation)
    }

    // MARK: The turn

    /// Tells a suite's flush that the turn's transaction is durable, or lost.
    func tellFlush(of suite: Suite, _ error: SuiteError? = nil) {
        rights[suite.name] = nil
        guard let delivery = deliveries.running[suite.name] else { return }
        if let error { delivery.lost(error) } else { delivery.committed() }
    }
}

/// A flush of the suite runs in this host.
struct FlushUnderWay: Error {}
