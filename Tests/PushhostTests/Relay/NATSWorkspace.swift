import Foundation
import JSON
import TestSupport
import Testing

/// A folder of suites, and hosts that flush it to `nats`.
struct NATSWorkspace {
    let folder: String
    /// The variables with which the destination finds its servers.
    let variables: [String: String]

    /// Passes a workspace to the closure, and removes it afterwards.
    static func with(_ variables: [String: String], _ body: (NATSWorkspace) throws -> Void) throws {
        try withTemporaryDirectory { try body(NATSWorkspace(folder: $0, variables: variables)) }
    }

    /// Starts a host with the shortest possible retry delays.
    func host(_ variables: [String: String] = [:], patience: Int = 30_000) throws -> HostProcess {
        let environment = ProcessInfo.processInfo.environment.merging(self.variables) { $1 }.merging(variables) { $1 }
        let pauses = ["--retry-base", "1", "--retry-limit", "1", "--retry-patience", "\(patience)"]
        let folders = ["--plugins", try NATSPackage.bundles(), "--data", "\(folder)/data"]
        return try HostProcess(folders + pauses, environment: environment)
    }
}

extension HostProcess {
    /// Flushes everything to `nats`, and returns the result.
    @discardableResult
    func publishAll(at location: SourceLocation = #_sourceLocation) throws -> JSON {
        let reply = try deliver(to: "nats")
        let result = try #require(reply["result"], "\(reply)", sourceLocation: location)
        #expect(result["remaining"] == 0, "\(result)", sourceLocation: location)
        return result
    }

    /// Flushes to `nats`, which must refuse for a reason that contains a text.
    func expectStop(_ text: String, at location: SourceLocation = #_sourceLocation) throws {
        let error = try deliver(to: "nats")["error"]
        #expect(error?["data"]?["reason"] == "destinationStopped", "\(error ?? .null)", sourceLocation: location)
        let message = error?["message"]?.string ?? ""
        #expect(message.contains(text), "\(message)", sourceLocation: location)
    }
}

extension [NATSClient.Stored] {
    /// The ids of the records by user, in the stream's order.
    var idsByUser: [String: [Int64]] {
        Dictionary(grouping: self) { $0.body["user"]?["external_id"]?.string ?? "" }
            .mapValues { $0.compactMap { $0.body["id"]?.integer } }
    }

    /// Checks that the stream holds each of these records once, and those of each user in order.
    func expectOnceInOrder(_ ids: [Int64], at location: SourceLocation = #_sourceLocation) {
        #expect(compactMap { $0.body["id"]?.integer }.sorted() == ids, sourceLocation: location)
        for (user, own) in idsByUser { #expect(own == own.sorted(), "\(user)", sourceLocation: location) }
    }
}
