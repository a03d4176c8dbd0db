internal import NATS

/// The operator's configuration.
struct SourceSettings: Sendable {
    /// How to connect.
    let connection: ConnectionOptions
    /// The name of the stream.
    let stream: String
    /// How long a relay holds its partitions after it last said that it lives.
    let lease: Duration

    /// Reads the variables.
    ///
    /// - Parameter environment: The variables that are set.
    /// - Throws: What is wrong with one of them.
    init(_ environment: Environment) throws(NATSError) {
        stream = try environment.stream()
        lease = .seconds(try environment.integer("NATS_LEASE_SECONDS", in: 1...3_600, default: 20))
        var connection = try environment.connection(name: "pushhost relay")
        // A request without an answer is repeated while the lease lasts.
        connection.timeout = min(connection.timeout, lease / 3)
        self.connection = connection
    }
}
