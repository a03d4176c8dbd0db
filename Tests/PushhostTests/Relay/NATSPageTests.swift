import Foundation
import TestSupport
import Testing

/// The commands of `plugins/nats/README.md`, and of the page that sets up a fleet.
@Suite(.waits, .wire) struct NATSPageTests {
    /// The page that needs servers, which `PageConsoleTests` leaves out.
    static let fleetPage = "protocol/guides/fleet-setup.md"

    @Test("Every command on the page does what the page shows, with three servers in the place of those it names")
    func commands() throws {
        _ = try NATSPackage.bundles()
        let cluster = try NATSCluster()
        let text = try String(contentsOfFile: "\(repositoryRoot)/plugins/nats/README.md", encoding: .utf8)
        let named = (1...3).map { "nats://nats-\($0).example.com" }.joined(separator: ",")
        try #require(text.contains(named))
        let findings = try PageConsoleTests.findings(Page(text: text.replacing(named, with: cluster.urls)))
        #expect(findings == [])
    }

    @Test("The page about a fleet sets one up with at most fifteen commands, here at ports that are free")
    func fleet() throws {
        _ = try NATSPackage.bundles()
        var text = try String(contentsOfFile: "\(repositoryRoot)/\(Self.fleetPage)", encoding: .utf8)
        try #require(PageConsole(Page(text: text)).examples.count <= 15)
        let ports = ["4221", "4222", "4223", "6221", "6222", "6223"]
        for (port, free) in zip(ports, try NATSServer.freePorts(ports.count)) {
            text = text.replacing(port, with: "\(free)")
        }
        // Debian has the server where only administrators find it.
        let path = "\(ProcessInfo.processInfo.environment["PATH"] ?? ""):/usr/sbin"
        let findings = try PageConsoleTests.findings(Page(text: text), ["PATH": path])
        #expect(findings == [])
    }
}
