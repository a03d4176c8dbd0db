import ExtensionHost
import Foundation
import JSON
import TestSupport
import Testing

@testable import Configuration
@testable import HostCore

/// The settings of one extension, derived from the host's configuration.
@Suite struct HostConfigurationTests {
    private static let configuration: HostConfiguration = {
        var configuration = HostConfiguration(dataFolder: "/data", pluginFolders: [], hostFolder: "/bin")
        configuration.environment = { ["PATH": "/bin", "HOME": "/home"] }
        configuration.hostEnvironment = {
            ["PATH": "/own", "HOME": "/home", "KEY": "s3cret", "OTHER": "s3cret", "EMPTY": ""]
        }
        configuration.extensionLimits.stop = 100
        return configuration
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

    private func activationEnvironment(_ bundle: ExtensionBundle) -> JSON? {
        JSON.object(JSON.Object(Self.configuration.fixedActivation(of: bundle)))["environment"]
    }

    @Test("A destination receives the variables that it lists and that are set, in the order of its list")
    func environment() throws {
        let bundle = try bundle(.destination, ["PushhostEnvironment": ["KEY", "UNSET", "EMPTY", "PATH", "KEY"]])
        #expect(activationEnvironment(bundle) == ["KEY": "s3cret", "EMPTY": "", "PATH": "/own"])
        #expect(activationEnvironment(try self.bundle(.destination, ["PushhostEnvironment": ["UNSET"]])) == [:])
        #expect(activationEnvironment(try self.bundle(.destination)) == nil)
    }

    @Test("Content and service extensions receive no variables", arguments: [ExtensionBundle.Point.content, .service])
    func otherPoints(point: ExtensionBundle.Point) throws {
        #expect(activationEnvironment(try bundle(point, ["PushhostEnvironment": ["KEY"]])) == nil)
    }

    @Test(
        "A destination's limits are those of `deliver`, times its number of batches where they add up",
        arguments: [1, 2]
    )
    func limits(batches: Int) throws {
        let bundle = try bundle(.destination, ["PushhostDestinationConcurrentBatches": batches])
        let limits = Self.configuration.limits(of: bundle)
        #expect(limits.call == 60_000 && limits.concurrentCalls == batches)
        #expect(limits.processorTime == 60_000 * UInt64(batches))
        #expect(limits.stop == 5_000)
        let content = Self.configuration.limits(of: try self.bundle(.content))
        #expect(content.concurrentCalls == 1 && content.call == 10_000 && content.processorTime == 10_000)
        #expect(content.stop == 100)
    }
}
