internal import ExtensionKit
internal import JSON
internal import NATS
internal import PartitionLeases

/// Publishes records to a stream of NATS JetStream, from which relays deliver them.
@main
struct NATSDestination: DestinationExtension, DryRunDestination, CheckableDestination {
    /// How long after the arrival of a batch its messages may be published.
    ///
    /// The host's deadline for a batch is 60 s, and an acknowledgement may take 10 s. Before the first message the
    /// connection may take 15 s, and two requests about the stream 10 s each.
    private static let timeToBegin = Duration.seconds(30)

    static let keepsTexts = true

    private let session: StreamSession
    private let publisher = Publisher()

    init(context: DestinationContext) { session = StreamSession(context) }

    func deliver(_ batch: DeliveryBatch) async throws -> DeliveryResult {
        let deadline = ContinuousClock.now + Self.timeToBegin
        let identity = try Self.identity(of: batch)
        do throws(NATSError) {
            if batch.probe { await session.forgetStream() }
            let open = try await session.open()
            guard let layout = open.layout else { return DeliveryResult() }
            let lanes = Self.lanes(batch, identity, layout, open.connection)
            var delivery = BatchDelivery(lanes, isLinked: layout.isLinked, on: open.connection)
            delivery = await publisher.run(delivery, until: deadline)
            if delivery.isStreamInQuestion { await session.forgetStream() }
            // The operator changes something, so the configuration is read again for the next batch.
            if delivery.result.stop != nil { await session.invalidate() }
            return delivery.result
        } catch {
            return await result(of: error)
        }
    }

    private static func lanes(
        _ batch: DeliveryBatch,
        _ identity: String,
        _ layout: StreamLayout,
        _ connection: Connection
    ) -> [Lane] {
        let lines = RecordLine.lines(batch, identity, layout)
        return Lane.lanes(
            lines,
            suite: batch.suite,
            identity: identity,
            layout,
            payload: connection.maximumPayload
        )
    }

    /// The result of a batch of which nothing was attempted.
    private func result(of error: NATSError) async -> DeliveryResult {
        var result = DeliveryResult()
        switch Outcome(error) {
        case .stop(let text):
            result.stop = text
            await session.invalidate()
        case .retryLater(let text, let pause):
            result.retryAfter = pause
            result.diagnostics = [.init(reason: "notDelivered", text)]
            await session.forgetStream()
        case .accepted, .rejected, .uncertain:
            // A request before the first message was not answered.
            result.retryAfter = .seconds(1)
            result.diagnostics = [.init(reason: "notDelivered", error.text)]
            await session.forgetStream()
        }
        return result
    }

    func dryRun(_ batch: DeliveryBatch) async throws -> DryRunResult {
        let identity = try Self.identity(of: batch)
        var result = DryRunResult()
        do throws(NATSError) {
            let open = try await session.inspect()
            let stream = open.settings.stream.name
            let layout = open.layout ?? StreamLayout(stream: stream, partitions: open.settings.partitions)
            for var lane in Self.lanes(batch, identity, layout, open.connection) {
                // The messages that it would follow are not read.
                let chain = layout.isLinked ? Chain(lane.place) : nil
                while !lane.lines.isEmpty {
                    let (publication, records) = lane.next(after: chain)
                    lane.publish(records)
                    let lines = lane.finish()
                    let limit = open.connection.maximumPayload
                    if publication.body.count > limit {
                        let text = "the server takes messages of at most \(limit) bytes"
                        result.rejected += lines.map { DeliveryResult.Refusal($0.id, text) }
                    } else {
                        result.requests.append(Self.request(publication, open.connection.server))
                    }
                }
            }
        } catch {
            guard case .stop(let text) = Outcome(error) else {
                throw ExtensionError(reason: "unreachable", error.text)
            }
            result.stop = text
        }
        return result
    }

    private static func request(_ publication: Publication, _ server: String) -> DryRunResult.Request {
        DryRunResult.Request(
            method: "PUB",
            url: "\(server)/\(publication.subject)",
            headers: publication.id.map { ["Nats-Msg-Id": $0] } ?? [:],
            body: (try? JSON(parsing: publication.body)) ?? .null
        )
    }

    func check() async -> DestinationCheck {
        let start = ContinuousClock.now
        do throws(NATSError) {
            let open = try await session.inspect()
            let (name, server) = (open.settings.stream.name, open.connection.server)
            var check = DestinationCheck(isReachable: true, isAccepted: true, message: "")
            check.duration = start.duration(to: .now)
            if let layout = open.layout {
                let copies = open.replicas == 1 ? "one replica" : "\(open.replicas) replicas"
                check.message = "\(server) has the stream \(name): \(layout.partitions) partitions, \(copies)"
            } else {
                check.message = "\(server) has no stream \(name); the first delivery creates it"
            }
            return check
        } catch {
            // The operator corrects something, so it is read again for the next call.
            await session.invalidate()
            var check = DestinationCheck(isReachable: false, message: error.text)
            if case .stop(let text) = Outcome(error) { (check.isAccepted, check.message) = (false, text) }
            return check
        }
    }

    /// The identity of a batch's suite, without which a record would have no id of its own.
    private static func identity(of batch: DeliveryBatch) throws -> String {
        guard let identity = batch.suiteIdentity else {
            throw ExtensionError(reason: "suiteIdentity", "the host did not say which suite the records are from")
        }
        return identity
    }
}
