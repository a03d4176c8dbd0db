internal import Dispatch
internal import ExtensionKit
internal import NATS

/// Publishes the records of a batch, those of different partitions at the same time.
struct BatchDelivery: Sendable {
    private typealias Answers = AsyncStream<(lane: Int, answer: Result<Acknowledgement, NATSError>)>

    private var lanes: [Lane]
    private let connection: Connection
    /// Whether messages are linked.
    private let isLinked: Bool
    private var isOver = false
    private(set) var result = DeliveryResult()
    /// Whether the stream must be read again.
    private(set) var isStreamInQuestion = false

    init(_ lanes: [Lane], isLinked: Bool, on connection: Connection) {
        (self.lanes, self.isLinked, self.connection) = (lanes, isLinked, connection)
    }

    /// Publishes the records.
    ///
    /// - Parameters:
    ///   - chains: What is known of the chains of all suites; nobody else uses it meanwhile.
    ///   - deadline: When nothing more is published, so that the host gets its answer in time.
    /// - Returns: What is known of the chains then.
    mutating func run(
        _ chains: consuming [Chain.Place: Chain],
        until deadline: ContinuousClock.Instant
    ) async -> [Chain.Place: Chain] {
        var chains = chains
        repeat {
            if isLinked { chains = await removeKnown(chains, until: deadline) }
            await publishAll(&chains, deadline)
            // A message that another process published, or this host before it was killed, is read in the next round.
        } while !isOver && .now < deadline && lanes.contains { $0.successor > 0 && !$0.isOver }
        return chains
    }

    // MARK: What the stream has

    /// Accepts the records that the stream has already, because an acknowledgement was lost.
    private mutating func removeKnown(
        _ chains: [Chain.Place: Chain],
        until deadline: ContinuousClock.Instant
    ) async -> [Chain.Place: Chain] {
        let needsReading = lanes.contains { lane in
            guard let chain = chains[lane.place], lane.successor == 0 else { return true }
            return lane.lines.contains { $0.id <= chain.top }
        }
        guard needsReading else { return chains }
        let start = self
        // Reading blocks, so it has a thread of its own.
        let read = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var (delivery, chains) = (start, chains)
                delivery.read(&chains, until: deadline)
                continuation.resume(returning: (delivery, chains))
            }
        }
        self = read.0
        return read.1
    }

    private mutating func read(_ chains: inout [Chain.Place: Chain], until deadline: ContinuousClock.Instant) {
        for index in lanes.indices where !isOver && !lanes[index].isOver {
            guard .now < deadline else {
                isOver = true
                return
            }
            let place = lanes[index].place
            do throws(NATSError) {
                if chains[place] == nil || lanes[index].successor > 0 {
                    chains[place] = try Chain(place, atLeast: lanes[index].successor, on: connection)
                }
                lanes[index].successor = 0
                guard var chain = chains[place] else { continue }
                result.accepted += try lanes[index].remove(in: &chain, on: connection)
                chains[place] = chain
            } catch {
                // Nothing was published; a request without an answer is made again.
                let outcome = Outcome(error)
                if case .uncertain(let text) = outcome {
                    handle(.retryLater(text, after: .seconds(1)), [])
                } else {
                    handle(outcome, [])
                }
            }
        }
    }

    // MARK: Publishing

    private mutating func publishAll(
        _ chains: inout [Chain.Place: Chain],
        _ deadline: ContinuousClock.Instant
    ) async {
        let refusals = connection.refusals
        let (answers, continuation) = Answers.makeStream()
        var underway = 0
        for lane in lanes.indices where publish(lane, chains, continuation, deadline) { underway += 1 }
        guard underway > 0 else { return }
        for await (lane, answer) in answers {
            finish(lane, answer, &chains, connection.refusal(since: refusals))
            if publish(lane, chains, continuation, deadline) { continue }
            underway -= 1
            if underway == 0 { return }
        }
    }

    /// Publishes the next message of a lane; returns false if there is none now.
    private mutating func publish(
        _ lane: Int,
        _ chains: [Chain.Place: Chain],
        _ continuation: Answers.Continuation,
        _ deadline: ContinuousClock.Instant
    ) -> Bool {
        let chain = chains[lanes[lane].place]
        guard !isOver, !lanes[lane].isOver, !lanes[lane].lines.isEmpty, lanes[lane].successor == 0,
            chain != nil || !isLinked, .now < deadline
        else { return false }
        let (publication, records) = lanes[lane].next(after: chain)
        lanes[lane].publish(records)
        connection.publish(publication) { continuation.yield((lane, $0)) }
        return true
    }

    private mutating func finish(
        _ lane: Int,
        _ answer: Result<Acknowledgement, NATSError>,
        _ chains: inout [Chain.Place: Chain],
        _ refusal: String?
    ) {
        let place = lanes[lane].place
        switch answer {
        case .success(let acknowledgement) where isLinked && acknowledgement.isDuplicate:
            lanes[lane].successor = max(1, Int64(clamping: acknowledgement.sequence))
            lanes[lane].keep()
        case .success(let acknowledgement):
            let lines = lanes[lane].finish()
            chains[place]?.append(lines, sequence: acknowledgement.sequence)
            handle(.accepted, lines)
        // The server answers a publication that it does not permit only with an error of the connection.
        case .failure(let error) where error.kind == .timeout && refusal != nil:
            let text = "cannot publish to the stream: \(refusal ?? ""). Check the permissions of the account"
            handle(.stop(text), lanes[lane].finish())
        case .failure(let error) where error.kind == .tooLarge && lanes[lane].underway > 1:
            lanes[lane].divide()
        case .failure(let error):
            let outcome = Outcome(error)
            // If the stream may have the message, the chain is read before the next one.
            if !outcome.goesOn { chains[place] = nil }
            lanes[lane].isOver = !outcome.goesOn
            handle(outcome, lanes[lane].finish())
        }
    }

    private mutating func handle(_ outcome: Outcome, _ lines: ArraySlice<RecordLine>) {
        switch outcome {
        case .accepted: result.accepted += lines.map(\.id)
        case .rejected(let text): result.rejected += lines.map { DeliveryResult.Refusal($0.id, text) }
        case .uncertain(let text):
            result.uncertain += lines.map(\.id)
            add("uncertain", text)
        case .retryLater(let text, let pause):
            result.retryAfter = max(result.retryAfter ?? .zero, pause)
            isStreamInQuestion = true
            add("notDelivered", text)
        case .stop(let text): result.stop = text
        }
        isOver = isOver || !outcome.goesOn
    }

    /// Adds a diagnostic, unless one with that reason is there: an outage gives one to each partition.
    private mutating func add(_ reason: String, _ text: String) {
        guard !result.diagnostics.contains(where: { $0.reason == reason }) else { return }
        result.diagnostics.append(.init(reason: reason, text))
    }
}
