/// How to connect to the servers.
package struct ConnectionOptions: Sendable {
    /// The servers, such as `nats://localhost:4222` or `tls://user:password@nats.example.com`.
    package var servers: [String]
    /// The name that the server's monitoring shows.
    package var name: String
    /// The path of a file with a user's JWT and seed, as `nsc` writes it.
    package var credentials: String?
    /// The path of a file with the certificates that are trusted, instead of the system's.
    package var certificates: String?
    /// The paths of the files with this client's certificate and its key, if the servers ask for them.
    package var identity: (certificate: String, key: String)?
    /// The deadline of each request, of each publication and of the connection to each server.
    package var timeout: Duration

    /// Whether the connection uses TLS.
    var isSecure: Bool {
        certificates != nil || identity != nil || servers.contains { $0.hasPrefix("tls:") }
    }

    /// Options.
    package init(
        servers: [String],
        name: String,
        credentials: String? = nil,
        certificates: String? = nil,
        identity: (certificate: String, key: String)? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.servers = servers
        self.name = name
        self.credentials = credentials
        self.certificates = certificates
        self.identity = identity
        self.timeout = timeout
    }
}

extension Duration {
    /// Whole milliseconds, at least 1.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
