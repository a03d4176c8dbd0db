import Foundation
import TestSupport
import Testing

/// The commands of `plugins/nats/README.md`.
@Suite(.waits, .wire) struct NATSPageTests {
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
}
