import BrazeRules
import ExtensionKit

/// Delivers batches to Braze: packs records into requests, sends them, and turns the responses into results.
struct BrazeClient: Sendable {
    /// The longest pause that this process waits for; a longer one is left to the host.
    private static let longestWait = Duration.seconds(5)
    /// If this many single records are refused with the same message and none is accepted, the cause may be elsewhere.
    private static let sameRefusals = 10

    let configuration: Configuration
    let transport: any Transport
    let gate: RateGate
    /// How long after the arrival of a batch its requests may start.
    ///
    /// The host's deadline for a batch is 60 s, and a response may take 30 s.
    var timeToBegin = Duration.seconds(25)

    /// Delivers a batch.
    func deliver(_ batch: DeliveryBatch) async -> DeliveryResult {
        let deadline = deadline(of: batch)
        await gate.use(share: batch.rateShare)
        var result = DeliveryResult()
        if batch.probe, !(await isAnswered(&result, until: deadline)) { return result.redacted(configuration.key) }
        result.accepted.reserveCapacity(batch.records.count)
        let packer = Packer(BatchPacking(batch.records, configuration))
        var unsendable = DeliveryResult()
        var attempts: [DeliveryAttempt] = []
        var order = RequestOrder()
        var isOver = false
        await withTaskGroup(of: Step.self) { group in
            var underway = 0
            group.addTask { .packed(await packer.next()) }
            while let step = await group.next() {
                switch step {
                case .packed(let part):
                    unsendable.merge(part.unsendable)
                    for request in part.requests {
                        attempts.append(
                            DeliveryAttempt(request, configuration.request, configuration.mapping, part.users)
                        )
                        order.add(request.users)
                    }
                    if !part.isLast { group.addTask { .packed(await packer.next()) } }
                case .sent(let running):
                    underway -= 1
                    result.merge(running.attempt.result)
                    result.retryAfter = [result.retryAfter, running.pause].compactMap { $0 }.max()
                    order.finish(running.place)
                    // What stopped one request stops the others too, and later records must not overtake earlier ones.
                    if !running.attempt.isDone { isOver = true }
                }
                while !isOver, underway < configuration.connections, let place = order.next() {
                    let running = RunningRequest(place: place, attempt: attempts[place])
                    group.addTask { .sent(await send(running, until: deadline)) }
                    underway += 1
                }
            }
        }
        holdIfAllAreRefused(&result)
        result.rejected = unsendable.rejected + result.rejected
        result.held = unsendable.held + result.held
        return result.redacted(configuration.key)
    }

    /// Until when requests of a batch that arrived now may start.
    private func deadline(of batch: DeliveryBatch) -> ContinuousClock.Instant {
        // Read before the date, so that a pause between both makes it earlier.
        let now = ContinuousClock.now
        guard let end = batch.sendUntil else { return now + timeToBegin }
        return now + min(timeToBegin, .seconds(end.timeIntervalSinceNow))
    }

    /// Says which requests the delivery of a batch would make first, and makes none.
    ///
    /// If Braze refused one of them, it would be split.
    func dryRun(_ batch: DeliveryBatch) -> DryRunResult {
        var packing = BatchPacking(batch.records, configuration)
        var result = DryRunResult()
        var isLast = false
        while !isLast {
            let part = packing.next()
            let unsendable = part.unsendable.redacted(configuration.key)
            result.requests += part.requests.map { transport.planned($0.body) }
            result.rejected += unsendable.rejected
            result.held += unsendable.held
            isLast = part.isLast
        }
        return result
    }

    /// Checks the endpoint and the key with a request without records, which Braze refuses with 400 if the key is right.
    func check() async -> DestinationCheck {
        let start = ContinuousClock.now
        let (exchange, pause) = await post(TrackRequest(objects: []), until: start + timeToBegin)
        let duration = start.duration(to: .now)
        guard let exchange else {
            let text = "Braze asked for a pause; it ends in \(pause ?? .zero)"
            return DestinationCheck(isReachable: true, message: text)
        }
        var check = DestinationCheck(isReachable: false, message: "")
        if case .answer(let answer) = exchange {
            check.isReachable = true
            check.duration = duration
            check.date = answer.headers["date"].flatMap(HTTPDate.parse).map(Date.init(timeIntervalSince1970:))
        }
        switch Verdict(exchange, attributes: 0, events: 0).outcome {
        case .accepted, .invalid, .tooLarge:
            check.isAccepted = true
            check.message = "Braze accepts the key"
        case .stop(let text): (check.isAccepted, check.message) = (false, text)
        case .retryLater(let text), .uncertain(let text): check.message = text
        }
        check.message = configuration.key.redacted(check.message)
        return check
    }

    /// Probes whether Braze answers: a request without records risks none, and Braze refuses it with 400.
    ///
    /// An error of a gateway or a request to wait does not count: records would be ambiguous again, or refused.
    private func isAnswered(_ result: inout DeliveryResult, until deadline: ContinuousClock.Instant) async -> Bool {
        let (exchange, pause) = await post(TrackRequest(objects: []), until: deadline)
        result.retryAfter = pause
        guard let exchange else { return false }
        switch Verdict(exchange, attributes: 0, events: 0).outcome {
        case .accepted, .invalid, .tooLarge: return true
        case .stop(let text): result.stop = text
        case .retryLater(let text), .uncertain(let text):
            let message = "\(text); records that may have been sent wait until Braze answers a request without records"
            result.diagnostics.append(.init(reason: "notDelivered", message))
        }
        return false
    }

    /// Posts a request as soon as the rate limit allows it.
    ///
    /// - Returns: The exchange, or nil if the rate limit does not allow it soon; and how long to pause.
    private func post(
        _ request: TrackRequest,
        until deadline: ContinuousClock.Instant
    ) async -> (exchange: Exchange?, pause: Duration?) {
        if let wait = await gate.pass(until: min(deadline, .now + Self.longestWait)) { return (nil, wait) }
        // This process may have been stopped while it waited.
        guard .now < deadline else { return (nil, nil) }
        let exchange = await transport.post(request.body).redacted(configuration.key)
        guard case .answer(let answer) = exchange else { return (exchange, nil) }
        return (exchange, await gate.update(with: answer))
    }

    /// Holds records that would all become dead letters because of a configuration error, such as a wrong `BRAZE_APP_ID`.
    ///
    /// They stay pending and do not block later records. One accepted record proves that the configuration is right.
    private func holdIfAllAreRefused(_ result: inout DeliveryResult) {
        let refused = result.rejected
        guard result.stop == nil, result.accepted.isEmpty, refused.count >= Self.sameRefusals,
            let reason = refused.first?.reason, refused.allSatisfy({ $0.reason == reason })
        else { return }
        let text =
            "Braze refused all of a batch one by one with the same words and took none: \(reason). "
            + "Check BRAZE_APP_ID, BRAZE_REST_ENDPOINT and the workspace of the key"
        result.held += refused.map { DeliveryResult.Refusal($0.id, text) }
        result.rejected = []
    }

    /// What happened during a delivery.
    private enum Step: Sendable {
        /// Some requests are ready to be sent.
        case packed(BatchPacking.Part)
        /// A request was sent, or what replaces it.
        case sent(RunningRequest)
    }

    /// Packs a batch beside the requests that are being sent.
    private actor Packer {
        private var packing: BatchPacking

        init(_ packing: BatchPacking) { self.packing = packing }

        func next() -> BatchPacking.Part { packing.next() }
    }

    /// A request that is being sent.
    private struct RunningRequest: Sendable {
        let place: Int
        var attempt: DeliveryAttempt
        var pause: Duration?
    }

    private func send(_ running: RunningRequest, until deadline: ContinuousClock.Instant) async -> RunningRequest {
        var running = running
        while let request = running.attempt.next, .now < deadline {
            let (answered, pause) = await post(request, until: deadline)
            running.pause = pause ?? running.pause
            guard let exchange = answered else { break }
            let attributes = request.attributesCount
            let events = request.objects.count - attributes
            running.attempt.receive(Verdict(exchange, attributes: attributes, events: events))
        }
        return running
    }
}

extension Exchange {
    /// The exchange without the key; this happens before texts are shortened, which could cut the key in two.
    fileprivate func redacted(_ key: APIKey) -> Exchange {
        guard case .answer(let answer) = self else { return self }
        return .answer(Answer(status: answer.status, headers: answer.headers, body: key.redacted(answer.body)))
    }
}

extension DeliveryResult {
    fileprivate mutating func merge(_ other: DeliveryResult) {
        accepted += other.accepted
        rejected += other.rejected
        uncertain += other.uncertain
        held += other.held
        stop = stop ?? other.stop
        diagnostics += other.diagnostics.filter { !diagnostics.contains($0) }
    }

    /// The result without the key, which the server may have echoed.
    fileprivate func redacted(_ key: APIKey) -> DeliveryResult {
        var result = self
        result.rejected = rejected.map { Refusal($0.id, key.redacted($0.reason)) }
        result.held = held.map { Refusal($0.id, key.redacted($0.reason)) }
        result.stop = stop.map(key.redacted)
        result.diagnostics = diagnostics.map { Diagnostic(reason: $0.reason, key.redacted($0.message)) }
        return result
    }
}
