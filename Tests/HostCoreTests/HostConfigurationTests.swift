import ExtensionHost
import Foundation
import JSON
import TestSupport
import Testing

@testable import HostCore

/// The settings of one extension, derived from the host's configuration.
@Suite struct HostConfigurationTests {
    private static let settings: HostConfiguration = {
        var settings = HostConfiguration(dataFolder: "/data", pluginFolders: [], hostFolder: "/bin")
        settings.environment = ["PATH": "/bin", "HOME": "/home"]
        settings.hostEnvironment = ["PATH": "/own", "HOME": "/home", "KEY": "s3cret", "OTHER": "s3cret", "EMPTY": ""]
        settings.extensionLimits.stop = 100
        return settings
    }()

    private func bundle(_ point: ExtensionBundle.Point, _ attributes: [String: Any] = [:]) throws -> ExtensionBundle {
        try withTemporaryDirectory { root in
            let info: [String: Any] = [
                "CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "run",
                "NSExtension": [
                    "NSExtensionPointIdentifier": point.rawValue, "NSExtensionAttributes": attributes,
                ],
            ]
            try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
                .write(to: URL(filePath: "\(root)/Info.plist"))
            return try ExtensionBundle(folder: root)
        }
    }

    private func environment(_ bundle: ExtensionBundle) -> JSON? {
        JSON.object(JSON.Object(Self.settings.activation(of: bundle)))["environment"]
    }

    @Test("A destination receives the variables that it lists and that are set, in the order of its list")
    func environment() throws {
        let bundle = try bundle(.destination, ["PushhostEnvironment": ["KEY", "UNSET", "EMPTY", "PATH", "KEY"]])
        #expect(environment(bundle) == ["KEY": "s3cret", "EMPTY": "", "PATH": "/own"])
        #expect(environment(try self.bundle(.destination, ["PushhostEnvironment": ["UNSET"]])) == [:])
        #expect(environment(try self.bundle(.destination)) == nil)
    }

    @Test("Other extensions receive no variables", arguments: [ExtensionBundle.Point.content, .service])
    func otherPoints(point: ExtensionBundle.Point) throws {
        #expect(environment(try bundle(point, ["PushhostEnvironment": ["KEY"]])) == nil)
    }

    @Test("The limits of a destination depend on its deadline and its number of batches", arguments: [1, 2])
    func limits(batches: Int) throws {
        let bundle = try bundle(.destination, ["PushhostDestinationConcurrentBatches": batches])
        let limits = Self.settings.limits(of: bundle)
        #expect(limits.call == 60_000 && limits.concurrentCalls == batches)
        #expect(limits.processorTime == 60_000 * UInt64(batches))
        #expect(limits.stop == 5_000)
        let content = Self.settings.limits(of: try self.bundle(.content))
        #expect(content.concurrentCalls == 1 && content.call == 10_000 && content.processorTime == 10_000)
        #expect(content.stop == 100)
    }
}
