import Foundation
import JSON
import TestSupport

/// Some servers on this machine that are one cluster.
final class NATSCluster {
    /// The servers.
    private(set) var servers: [NATSServer] = []

    /// Starts a cluster and waits until streams can be stored on all of its servers.
    ///
    /// - Parameters:
    ///   - size: The number of servers.
    ///   - configuration: Text for the configuration file of each server.
    ///   - hasDisk: Whether the last server's store has a disk of its own.
    /// - Throws: Why it does not start.
    init(_ size: Int = 3, _ configuration: String = "", hasDisk: Bool = false) throws {
        var problem = ""
        for _ in 0..<4 {
            do {
                servers = try Self.start(size, configuration, hasDisk: hasDisk)
            } catch {
                problem = "\(error)"
                continue
            }
            if try Self.awaitPlacement(on: servers) { return }
            problem = "\(servers.map { $0.log.suffix(2_000) })"
        }
        throw TestFailure("a cluster does not start: \(problem)")
    }

    private static func start(_ size: Int, _ configuration: String, hasDisk: Bool) throws -> [NATSServer] {
        let ports = try NATSServer.freePorts(2 * size)
        let routes = ports[size...].map { "nats://127.0.0.1:\($0)" }
        // Servers of another cluster, to which a port may belong meanwhile, are refused.
        let name = "tests-\(UUID().uuidString)"
        return try (0..<size).map { index in
            let cluster = [
                "--cluster_name", name, "--cluster", routes[index], "--routes", routes.joined(separator: ","),
            ]
            return try NATSServer(
                configuration,
                name: "n\(index + 1)",
                port: ports[index],
                options: cluster,
                hasDisk: hasDisk && index == size - 1
            )
        }
    }

    /// Waits until streams can be stored on all servers.
    ///
    /// Their logs do not tell: a follower that first hears of the leader while it catches up does not log that there is one.
    ///
    /// - Returns: False if a server ended, because another process took a port before it did.
    private static func awaitPlacement(on servers: [NATSServer]) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
        while true {
            do {
                let client = try NATSClient(servers[0])
                client.patience = 1
                try client.api("STREAM.CREATE.READY", ["name": "READY", "num_replicas": JSON(servers.count)])
                try client.api("STREAM.DELETE.READY")
                return true
            } catch {
                if servers.contains(where: { $0.log.contains("[FTL]") }) { return false }
                guard ContinuousClock.now < deadline else {
                    throw TestFailure("no stream can be stored: \(error) \(servers.map { $0.log.suffix(2_000) })")
                }
            }
        }
    }

    /// The URLs for clients, as `NATS_URL` has them.
    var urls: String { servers.map(\.url).joined(separator: ",") }

    /// Waits until one of some servers leads a stream, and returns it.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - servers: The servers that run now; by default all.
    /// - Returns: The server.
    /// - Throws: An error if none does for a long time.
    func awaitLeader(of stream: String = "PUSHHOST", among servers: [NATSServer]? = nil) throws -> NATSServer {
        let servers = servers ?? self.servers
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
        var client = try NATSClient(servers[0])
        while ContinuousClock.now < deadline {
            // Nobody answers while there is no leader, so each round waits for a second in the server's place.
            if let name = try? client.streamInfo(stream, patience: 1)["cluster"]?["leader"]?.string,
                let server = servers.first(where: { $0.name == name })
            {
                return server
            }
            client = try NATSClient(servers[0])
        }
        throw TestFailure("\(stream) has no leader: \(servers[0].log.suffix(2_000))")
    }

    /// Waits until all servers store a stream, and have all of its messages.
    func awaitReplicas(of stream: String = "PUSHHOST") throws {
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
        var info = JSON.null
        while ContinuousClock.now < deadline {
            // The connection and the question take some time, and nobody answers while there is no leader.
            info = (try? NATSClient(servers[0]).streamInfo(stream, patience: 1)) ?? .null
            let replicas = info["cluster"]?["replicas"]?.array.map(Array.init) ?? []
            let ready = replicas.filter { $0["current"] == true && $0["offline"] != true && ($0["lag"] ?? 0) == 0 }
            if info["cluster"]?["leader"] != nil, ready.count == servers.count - 1 { return }
        }
        throw TestFailure("the replicas of \(stream) are not current: \(info["cluster"] ?? .null)")
    }
}
