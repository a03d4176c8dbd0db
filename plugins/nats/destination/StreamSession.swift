internal import Dispatch
internal import ExtensionKit
internal import NATS
internal import PartitionLeases

/// The connection and what the stream says of its partitions; both are kept until something is wrong with them.
actor StreamSession {
    /// A connection whose stream can take records.
    struct Open: Sendable {
        let connection: Connection
        let settings: DestinationSettings
        /// Nil if the stream is missing and was not created.
        let layout: StreamLayout?
        /// The stream's replicas.
        let replicas: Int
    }

    private let context: DestinationContext
    private let environment: Environment
    private var connection: (Connection, DestinationSettings)?
    private var current: Open?
    /// The attempt that others wait for.
    private var opening: Task<Result<Open, NATSError>, Never>?

    init(_ context: DestinationContext) {
        self.context = context
        environment = Environment(context.environment)
    }

    /// The open stream; connects, and creates the stream if it is missing.
    func open() async throws(NATSError) -> Open {
        if let current, !current.connection.isClosed { return current }
        current = nil
        if let (connection, _) = connection, connection.isClosed { self.connection = nil }
        let task =
            opening
            ?? Task { [connection] in await read(connection, createsStream: true) }
        opening = task
        let result = await task.value
        opening = nil
        let open = try result.get()
        (current, connection) = (open, (open.connection, open.settings))
        return open
    }

    /// Reads the stream again, and creates nothing.
    func inspect() async throws(NATSError) -> Open {
        if let (connection, _) = connection, connection.isClosed { self.connection = nil }
        let open = try await read(connection, createsStream: false).get()
        connection = (open.connection, open.settings)
        return open
    }

    /// Reads the stream again before the next batch.
    func forgetStream() { current = nil }

    /// Reads everything again before the next batch, as the operator changes something.
    func invalidate() {
        current = nil
        connection = nil
    }

    private func read(
        _ known: (Connection, DestinationSettings)?,
        createsStream: Bool
    ) async -> Result<Open, NATSError> {
        let (context, environment) = (context, environment)
        // The calls block, so they have a thread of their own.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do throws(NATSError) {
                    let open = try Self.read(known, createsStream, environment, context)
                    continuation.resume(returning: .success(open))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    private static func read(
        _ known: (Connection, DestinationSettings)?,
        _ createsStream: Bool,
        _ environment: Environment,
        _ context: DestinationContext
    ) throws(NATSError) -> Open {
        let (connection, settings) = if let known { known } else { try connect(environment, context) }
        let info: StreamInfo
        do throws(NATSError) {
            info = try connection.stream(settings.stream.name)
        } catch  where error.kind == .notFound {
            guard createsStream else {
                return Open(connection: connection, settings: settings, layout: nil, replicas: 0)
            }
            info = try create(settings.stream, connection)
            context.log(.notice, "created the stream \(settings.stream.name)")
        }
        let (wanted, replicas) = (settings.stream.replicas, info.configuration.replicas)
        if replicas < wanted {
            // Another host may have created it without the variable. The stream takes records nevertheless, and which
            // servers can store more is the operator's knowledge.
            let name = settings.stream.name
            context.log(
                .warning,
                "\(replicas) of the servers store the stream \(name), and NATS_REPLICAS is \(wanted): correct it with "
                    + "nats stream edit \(name) --replicas \(wanted)"
            )
        }
        return Open(
            connection: connection,
            settings: settings,
            layout: try Partitions.layout(info.configuration),
            replicas: info.configuration.replicas
        )
    }

    private static func create(_ stream: StreamConfiguration, _ connection: Connection) throws(NATSError) -> StreamInfo
    {
        do throws(NATSError) {
            return try connection.createStream(stream)
        } catch  where error.kind == .conflict {
            // Another host created it meanwhile, or another stream has its subjects.
            guard let info = try? connection.stream(stream.name) else { throw error }
            return info
        }
    }

    private static func connect(
        _ environment: Environment,
        _ context: DestinationContext
    ) throws(NATSError) -> (Connection, DestinationSettings) {
        let settings = try DestinationSettings(environment)
        let connection = try Connection(settings.connection) { event in
            switch event {
            case .disconnected: context.log(.warning, "the connection to NATS is lost; it is made again")
            case .reconnected: context.log(.notice, "the connection to NATS is back")
            case .closed: context.log(.info, "the connection to NATS is closed")
            case .refused(let text): context.log(.warning, "NATS refused something: \(text)")
            }
        }
        return (connection, settings)
    }
}
