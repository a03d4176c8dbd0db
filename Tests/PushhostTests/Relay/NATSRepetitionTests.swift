import Foundation
import JSON
import TestSupport
import Testing

/// Records that a host publishes again after relays delivered them and servers were restarted.
@Suite(.waits, .wire) struct NATSRepetitionTests {
    /// How the servers are restarted, so that whichever leads afterwards is one of them.
    enum Restart: CaseIterable {
        case killedOneAfterTheOther, stoppedOneAfterTheOther, killedAtOnce

        func run(_ cluster: NATSCluster) throws {
            switch self {
            case .killedOneAfterTheOther, .stoppedOneAfterTheOther:
                for server in cluster.servers {
                    if self == .stoppedOneAfterTheOther { try server.stop() } else { try server.kill() }
                    try server.start()
                    try cluster.awaitReplicas()
                }
            case .killedAtOnce:
                for server in cluster.servers { try server.kill() }
                for server in cluster.servers { try server.start() }
                try cluster.awaitReplicas()
            }
        }
    }

    @Test(
        "The stream does not store a record again that relays delivered, though all servers were restarted meanwhile",
        arguments: Restart.allCases
    )
    func restarted(_ restart: Restart) throws {
        let cluster = try NATSCluster()
        let variables = ["NATS_URL": cluster.urls, "NATS_REPLICAS": "3", "NATS_PARTITIONS": "2"]
        try NATSWorkspace.with(variables) { workspace in
            let host = try workspace.host()
            try host.saveRecords(20)
            #expect(try host.finish() == .code(0))
            // A copy of the suites knows nothing of the acknowledgements, like a host that was killed before it got them.
            let copy = NATSWorkspace(folder: "\(workspace.folder)/copy", variables: variables)
            try FileManager.default.createDirectory(atPath: copy.folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "\(workspace.folder)/data", toPath: "\(copy.folder)/data")
            try publish(workspace)
            let source = try NATSSourceDriver(cluster.urls)
            #expect(try source.settle(delivered: try source.pull(atLeast: 20)).isEmpty)
            try source.end()
            try restart.run(cluster)
            try publish(copy)
            #expect(try NATSClient(try cluster.awaitLeader()).records().count == 20)
            let next = try NATSSourceDriver(cluster.urls)
            try next.awaitShare(1)
            #expect(try next.pull().isEmpty)
            try next.end()
        }
    }

    /// Publishes all records of a workspace, each accepted.
    private func publish(_ workspace: NATSWorkspace) throws {
        let host = try workspace.host()
        #expect(try host.publishAll().count("delivered") == 20)
        #expect(try host.finish() == .code(0))
    }
}
