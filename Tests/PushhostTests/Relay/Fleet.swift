import Foundation
import JSON
import TestSupport

/// Hosts that publish to a cluster of three servers, relays that deliver from it, and the service behind them.
final class Fleet {
    private static let partitions = 8

    let cluster: NATSCluster
    let service: UsersTrackServer
    private(set) var hosts: [FleetHost] = []
    private(set) var relays: [ChildProcess] = []
    private let environment: [String: String]

    /// Starts a fleet.
    ///
    /// - Parameters:
    ///   - folder: The folder for the suites of the hosts.
    ///   - hosts: The number of hosts.
    ///   - relays: The number of relays.
    ///   - limit: The options of the service, such as its rate limit.
    ///   - variables: More variables of hosts and relays.
    ///   - hasDisk: Whether the last server's store has a disk of its own.
    /// - Throws: Why something cannot be started.
    init(
        in folder: String,
        hosts: Int,
        relays: Int,
        service limit: [String] = ["--rate-limit", "100000"],
        _ variables: [String: String] = ["BRAZE_RATE_REQUESTS": "100000"],
        hasDisk: Bool = false
    ) throws {
        cluster = try NATSCluster(hasDisk: hasDisk)
        service = try UsersTrackServer(limit)
        let own = [
            "NATS_URL": cluster.urls, "NATS_REPLICAS": "3", "NATS_PARTITIONS": "\(Self.partitions)",
            "NATS_LEASE_SECONDS": "5",
        ]
        environment = service.environment.merging(own.merging(variables) { $1 }) { $1 }
        for number in 0..<hosts { self.hosts.append(try FleetHost(number, folder: folder, environment)) }
        for _ in 0..<relays { try addRelay() }
    }

    // MARK: Relays

    /// Starts one more relay.
    func addRelay() throws {
        let bundles = ["--plugins", try NATSPackage.bundles(), "--plugins", "\(repositoryRoot)/plugins"]
        let retry = ["--retry-base", "50", "--retry-limit", "1000", "--log-level", "info"]
        let arguments = ["relay", "--from", "nats", "--to", "braze"] + bundles + retry
        let command = try hostCommand(arguments, unchecked: FleetHost.uncheckedReason)
        relays.append(try ChildProcess(command[0], Array(command.dropFirst()), environment: environment))
    }

    /// Kills a relay without warning, and starts another one.
    func replaceRelay(_ index: Int) throws {
        let relay = relays.remove(at: index)
        relay.kill(SIGKILL)
        _ = try relay.wait()
        try addRelay()
    }

    /// Asks the relay that has run longest to end, and starts another one in its place.
    func upgradeRelay() throws {
        let relay = relays.removeFirst()
        // Before it handles signals, SIGTERM would end it.
        try Processes.wait(for: "a relay that runs") { try !Processes.children(of: relay.pid).isEmpty }
        relay.kill(SIGTERM)
        guard try relay.wait() == .code(0) else {
            throw TestFailure("a relay failed: \(relay.standardError.suffix(2_000))")
        }
        try addRelay()
    }

    /// Stops a relay and its bundles, as on a machine that is suspended; the closure lets them go on.
    func pauseRelay(_ index: Int) throws -> () -> Void {
        let relay = relays[index]
        relay.kill(SIGSTOP)
        let bundles = try Processes.children(of: relay.pid)
        for bundle in bundles { kill(bundle, SIGSTOP) }
        return {
            for bundle in bundles { kill(bundle, SIGCONT) }
            relay.kill(SIGCONT)
        }
    }

    /// Asks all relays to end, and returns how they ended.
    func stopRelays() throws -> [ChildProcess.Status] {
        for relay in relays { relay.kill(SIGTERM) }
        defer { relays = [] }
        return try relays.map { try $0.wait() }
    }

    // MARK: The cluster

    /// Asks each server until one answers: a question is lost if the stream's leader changes just then.
    private func ask<Answer>(_ question: (NATSClient) throws -> Answer) throws -> Answer {
        for server in cluster.servers + cluster.servers {
            guard let client = try? NATSClient(server) else { continue }
            client.patience = 10
            if let answer = try? question(client) { return answer }
        }
        return try question(try NATSClient(cluster.servers[0]))
    }

    /// The number of messages in a stream; 0 if it does not exist.
    func messages(in stream: String) throws -> Int {
        try ask { client in
            let names = try client.api("STREAM.NAMES")["streams"]?.array.map(Array.init) ?? []
            guard names.contains(.string(stream)) else { return 0 }
            return try client.streamInfo(stream)["state"]?["messages"]?.integer.map(Int.init) ?? 0
        }
    }

    /// The records in the stream of dead letters.
    func deadLetters() throws -> [FleetRecord] {
        guard try messages(in: "PUSHHOST_DEAD") > 0 else { return [] }
        return try ask { try $0.messages("PUSHHOST_DEAD") }.map { message in
            guard let record = FleetRecord(message: message.body) else {
                throw TestFailure("this is not of these tests: \(message.body)")
            }
            return record
        }
    }

    /// Waits until the stream's consumers say that every record is settled.
    func awaitSettled() throws {
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
        var pending: Int64?
        while pending != 0 {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("\(pending ?? -1) records are not settled\n\(try situation())")
            }
            // A server that was just started may not answer yet.
            guard let client = try? NATSClient(cluster.servers[0]) else { continue }
            client.patience = 10
            pending = try? client.pending()
        }
    }

    // MARK: The end

    /// How many records were saved.
    var saved: Int { hosts.reduce(0) { $0 + $1.saved } }

    /// Waits until the service has processed that many objects, as long as more arrive.
    func awaitProcessed(_ objects: Int) throws {
        var last = -1
        while true {
            do {
                return try service.wait(objects: objects)
            } catch {
                let processed = try service.log().count
                guard processed > last else {
                    throw TestFailure("\(processed) objects arrived, not \(objects): \(error)\n\(try situation())")
                }
                last = processed
            }
        }
    }

    /// Waits until every record that was saved has arrived or is a dead letter.
    func awaitAll() throws -> FleetAudit {
        var last = -1
        while true {
            let processed = try service.log().count
            let audit = try FleetAudit(service, dead: try deadLetters())
            guard audit.accounted < saved else { return audit }
            do {
                try service.wait(objects: processed + 1)
            } catch  where audit.accounted > last {
                // Dead letters may have come instead.
            } catch {
                let missing = "\(saved - audit.accounted) records are missing, such as \(audit.missing(hosts))"
                throw TestFailure("\(missing): \(error)\n\(try situation())")
            }
            last = audit.accounted
        }
    }

    /// What hosts, relays and servers say, and what is left in the stream.
    private func situation() throws -> String {
        let stream = try ask { try $0.streamInfo() }
        let letters = try messages(in: "PUSHHOST_DEAD")
        let pending = try hosts.map { try $0.pending() }
        let logs =
            relays.map { $0.standardError.suffix(3_000) } + hosts.map { $0.log.suffix(500) }
            + cluster.servers.map { $0.log.suffix(3_000) }
        let leader = stream["cluster"]?["leader"]?.string ?? "nobody"
        let summary = [
            "pending \(pending)", "\(stream["state"] ?? .null), led by \(leader)", "\(letters) dead letters",
        ]
        return (summary + (try partitions()) + logs.map { "-- \($0)" }).joined(separator: "\n")
    }

    /// Who holds each partition, and what its consumers say.
    private func partitions() throws -> [String] {
        let consumers = try ask { try $0.api("CONSUMER.LIST.PUSHHOST")["consumers"]?.array.map(Array.init) ?? [] }
        return (0..<Self.partitions).map { partition in
            let entry = try? ask { JSON.object(try $0.value(ofRelaysKey: "partition.\(partition)")) }
            let own = consumers.filter { $0["config"]?["filter_subject"]?.string?.hasSuffix(".\(partition)") ?? false }
            let states = own.map { consumer in
                let leader = consumer["cluster"]?["leader"]?.string ?? "nobody"
                let counts = ["delivered", "ack_floor", "num_pending", "num_ack_pending"].map { name in
                    "\(name) \(consumer[name] ?? .null)"
                }
                return "\(consumer["name"] ?? .null) led by \(leader), \(counts.joined(separator: ", "))"
            }
            return "partition \(partition): \(entry ?? .null); \(states.joined(separator: "; "))"
        }
    }
}
