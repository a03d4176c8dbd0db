import BrazeRules
import ExtensionKit

/// Delivers batches: records become requests, requests are sent, answers become results.
struct Courier: Sendable {
    /// The longest pause that is waited out here; a longer one is the host's business.
    private static let longestWait = Duration.seconds(5)
    /// So many records refused alone, all with the same words, while none is taken: the fault may not be theirs.
    private static let sameRefusals = 10

    let configuration: Configuration
    let transport: any Transport
    let gate: RateGate
    /// How long after a batch came a request of it may still begin: the host gives a batch up after 60 s, and an
    /// answer may take 30 of them.
    var timeToBegin = Duration.seconds(25)

    /// Delivers a batch.
    func deliver(_ batch: DeliveryBatch) async -> DeliveryResult {
        let deadline = ContinuousClock.now + timeToBegin
        var result = DeliveryResult()
        if batch.probe, !(await isAnswered(&result, until: deadline)) { return result.redacted(configuration.key) }
        result.accepted.reserveCapacity(batch.records.count)
        let (requests, users) = pack(batch, &result)
        let unsendable = result.rejected.count
        var route = Route(requests.map { Set($0.objects.flatMap { $0.drafts.map(\.user) }) })
        var isOver = false
        await withTaskGroup(of: Trip.self) { group in
            var underway = 0
            while true {
                while !isOver, underway < configuration.connections, let place = route.next() {
                    let shipment = Shipment(requests[place], configuration.request, configuration.mapping, users)
                    group.addTask { await send(Trip(place: place, shipment: shipment), until: deadline) }
                    underway += 1
                }
                guard let trip = await group.next() else { break }
                underway -= 1
                result.merge(trip.shipment.result)
                result.retryAfter = [result.retryAfter, trip.pause].compactMap { $0 }.max()
                route.finish(trip.place)
                // Whatever kept one from its end keeps others too; and what follows must not overtake.
                if !trip.shipment.isDone { isOver = true }
            }
        }
        holdIfAllAreRefused(&result, unsendable)
        return result.redacted(configuration.key)
    }

    /// Whether Braze answers now: a request without records costs none, and Braze refuses it with 400.
    ///
    /// A gateway's failure and a request to wait are no answers: behind them records would be ambiguous again, or refused.
    private func isAnswered(_ result: inout DeliveryResult, until deadline: ContinuousClock.Instant) async -> Bool {
        let (exchange, pause) = await post(TrackRequest(objects: []), until: deadline)
        result.retryAfter = pause
        guard let exchange else { return false }
        switch Verdict(exchange, attributes: 0, events: 0).outcome {
        case .taken, .invalid, .tooLarge: return true
        case .stop(let text): result.stop = text
        case .later(let text), .uncertain(let text):
            let message = "\(text); records that may have been sent wait until Braze answers a request without records"
            result.diagnostics.append(.init(reason: "notDelivered", message))
        }
        return false
    }

    /// Posts a request once the rate allows it.
    ///
    /// - Returns: What came of it, or nothing if the rate does not allow it soon; and how long nothing should be sent.
    private func post(
        _ request: TrackRequest,
        until deadline: ContinuousClock.Instant
    ) async -> (exchange: Exchange?, pause: Duration?) {
        if let wait = await gate.pass(until: min(deadline, .now + Self.longestWait)) { return (nil, wait) }
        let exchange = await transport.post(request.body).redacted(configuration.key)
        guard case .answer(let answer) = exchange else { return (exchange, nil) }
        return (exchange, await gate.learn(answer))
    }

    /// Holds records instead of making a dead letter of each where a wrong `BRAZE_APP_ID`, for one, has all refused.
    ///
    /// They stay pending and nothing behind them waits. One record that is taken tells that the fault lies with the
    /// others.
    private func holdIfAllAreRefused(_ result: inout DeliveryResult, _ unsendable: Int) {
        let refused = result.rejected[unsendable...]
        guard result.stop == nil, result.accepted.isEmpty, refused.count >= Self.sameRefusals,
            let reason = refused.first?.reason, refused.allSatisfy({ $0.reason == reason })
        else { return }
        let text =
            "Braze refused all of a batch one by one with the same words and took none: \(reason). "
            + "Check BRAZE_APP_ID, BRAZE_REST_ENDPOINT and the workspace of the key"
        result.held += refused.map { DeliveryResult.Refusal($0.id, text) }
        result.rejected.removeLast(refused.count)
    }

    private func pack(_ batch: DeliveryBatch, _ result: inout DeliveryResult) -> ([TrackRequest], [Identity]) {
        var mapping = Mapping(configuration.mapping)
        var packing = Packing(configuration.request, configuration.mapping)
        for record in batch.records {
            do throws(Unsendable) {
                let draft = try mapping.draft(record)
                try packing.add(draft, of: mapping.users[draft.user])
            } catch {
                switch error {
                case .rejected(let reason): result.rejected.append(.init(record.id, reason))
                case .held(let reason): result.held.append(.init(record.id, reason))
                }
            }
        }
        return (packing.finish(mapping.users), mapping.users)
    }

    /// A request and what follows it, on the way.
    private struct Trip: Sendable {
        let place: Int
        var shipment: Shipment
        var pause: Duration?
    }

    private func send(_ trip: Trip, until deadline: ContinuousClock.Instant) async -> Trip {
        var trip = trip
        while let request = trip.shipment.next, .now < deadline {
            let (answered, pause) = await post(request, until: deadline)
            trip.pause = pause ?? trip.pause
            guard let exchange = answered else { break }
            let attributes = request.attributesCount
            let events = request.objects.count - attributes
            trip.shipment.take(Verdict(exchange, attributes: attributes, events: events))
        }
        return trip
    }
}

extension Exchange {
    /// The exchange without the key, before its texts are cut off somewhere within.
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
        stop = stop ?? other.stop
        diagnostics += other.diagnostics.filter { !diagnostics.contains($0) }
    }

    /// The result without the key, which a server may have repeated.
    fileprivate func redacted(_ key: APIKey) -> DeliveryResult {
        var result = self
        result.rejected = rejected.map { Refusal($0.id, key.redacted($0.reason)) }
        result.held = held.map { Refusal($0.id, key.redacted($0.reason)) }
        result.stop = stop.map(key.redacted)
        result.diagnostics = diagnostics.map { Diagnostic(reason: $0.reason, key.redacted($0.message)) }
        return result
    }
}
