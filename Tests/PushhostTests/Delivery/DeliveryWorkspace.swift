import JSON
import TestSupport
import Testing

/// A `/users/track` server, a data folder, and hosts that deliver records from the folder to the server.
struct DeliveryWorkspace {
    /// Short retry delays, since the server's faults are brief.
    private static let defaults = [
        "--retry-base": "10", "--retry-limit": "100", "--retry-patience": "20000", "--deliver-deadline": "20000",
    ]

    let server: UsersTrackServer
    let folder: String

    /// Passes a workspace to the closure, and removes it afterwards.
    static func with(_ options: [String] = [], _ body: (DeliveryWorkspace) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            try body(DeliveryWorkspace(server: try UsersTrackServer(options), folder: folder))
        }
    }

    /// Starts a host; the options replace the defaults of the same name.
    func host(_ options: [String: String] = [:]) throws -> HostProcess {
        let all = Self.defaults.merging(options) { $1 }.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let folders = ["--plugins", "\(repositoryRoot)/plugins", "--data", "\(folder)/data"]
        return try HostProcess(folders + all, environment: server.environment)
    }

    func audit(_ host: HostProcess) throws -> DeliveryAudit { try DeliveryAudit(server, host) }

    /// Two hundred records of ten users; the numbers of poisoned records must be those of events.
    static func records(poisoned: Set<Int> = []) -> [DeliveryRecord] {
        (0..<200).map { DeliveryRecord(number: $0, isPoisoned: poisoned.contains($0)) }
    }
}

extension HostProcess {
    /// Flushes the default suite to Braze and returns the reply, which must not contain the API key.
    func flush() throws -> JSON {
        let reply = try call("flushPending", ["to": "braze"])
        #expect(!reply.description.contains(UsersTrackServer.key))
        return reply
    }

    /// Flushes, expects success and no remaining records, and returns the result.
    func flushed(at location: SourceLocation = #_sourceLocation) throws -> JSON {
        let reply = try flush()
        let result = try #require(reply["result"], "\(reply)", sourceLocation: location)
        #expect(result["remaining"] == 0, "\(result)", sourceLocation: location)
        return result
    }

    /// Ends the host, whose log must not contain the API key.
    func finishDelivery() throws {
        #expect(try finish() == .code(0))
        #expect(!process.standardError.contains(UsersTrackServer.key))
    }
}

extension JSON {
    /// A counter of a flush, from its result or from the data of its error.
    func count(_ name: String) -> Int {
        let counts = self["result"] ?? self["error"]?["data"] ?? self
        return counts[name]?.integer.map(Int.init) ?? 0
    }
}
