internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// The HTTP server: FlyingFox on the loopback interface.
actor PageServer {
    private let server: HTTPServer
    private let guardian: ConnectionGuard
    private let port: UInt16
    private var hasListened = false

    /// A server for a port that is free.
    init(port: UInt16, guardian: ConnectionGuard, handler: PageHandler) throws {
        (self.port, self.guardian) = (port, guardian)
        let configuration = HTTPServer.Configuration(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
            logger: .disabled
        )
        server = HTTPServer(config: configuration, handler: handler)
    }

    /// Runs until the process ends.
    ///
    /// The server stops if the process has no descriptor for a connection; once there is one, it runs again.
    ///
    /// - Throws: That it cannot listen, because another program has taken the port since it was chosen.
    func run() async throws {
        let watching = Task { [guardian, port] in
            while !Task.isCancelled {
                guardian.look(port: port)
                try? await Task.sleep(for: .milliseconds(ConnectionGuard.interval))
            }
        }
        defer { watching.cancel() }
        while !Task.isCancelled {
            do {
                try await server.run()
            } catch {
                guard hasListened else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(ConnectionGuard.interval))
        }
    }

    /// Waits until connections are accepted.
    func waitUntilListening() async throws {
        try await server.waitUntilListening()
        hasListened = true
        guardian.look(port: port)
    }
}
