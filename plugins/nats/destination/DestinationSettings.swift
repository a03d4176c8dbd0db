internal import NATS
internal import PartitionLeases

/// The operator's configuration, read and validated as a whole.
struct DestinationSettings: Sendable {
    /// How to connect.
    let connection: ConnectionOptions
    /// The stream as this destination creates it if it is missing.
    let stream: StreamConfiguration
    /// The number of its partitions then.
    let partitions: Int

    /// Reads the variables.
    ///
    /// - Throws: The first error: what is wrong, and what is needed.
    init(_ environment: Environment) throws(NATSError) {
        connection = try environment.connection(name: "pushhost destination")
        partitions = try environment.integer("NATS_PARTITIONS", in: 1...256, default: 16)
        let name = try environment.stream()
        stream = StreamConfiguration(
            name: name,
            subjects: StreamLayout(stream: name, partitions: partitions).subjects,
            discardsNew: true,
            duplicates: .seconds(try environment.integer("NATS_DUPLICATES_SECONDS", in: 120...86_400, default: 600)),
            replicas: try environment.integer("NATS_REPLICAS", in: 1...5, default: 1)
        )
    }
}
