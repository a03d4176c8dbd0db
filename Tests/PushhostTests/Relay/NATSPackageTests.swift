import Foundation
import JSON
import TestSupport
import Testing

/// `plugins/nats` as a package of its own.
@Suite(.waits, .wire) struct NATSPackageTests {
    @Test("If it is not built, a flush says what to install and how to build it")
    func unbuilt() throws {
        try withTemporaryDirectory { root in
            let package = "\(root)/nats"
            let bundle = "\(package)/destination"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            for file in ["Package.swift", "destination/Info.plist", "destination/nats-destination"] {
                // A link is copied as a link.
                try FileManager.default.copyItem(
                    atPath: "\(repositoryRoot)/plugins/nats/\(file)",
                    toPath: "\(package)/\(file)"
                )
            }
            let folders = ["--plugins", package, "--data", "\(root)/data"]
            let host = try HostProcess(folders + ["--retry-patience", "0"])
            try host.saveRecords(1)
            let error = try host.deliver(to: "nats")["error"]
            let command = "apt-get install libnats-dev && swift build -c release --package-path \(package)"
            #expect(error?["message"]?.string?.contains(command) == true, "\(error ?? .null)")
            #expect(try host.finish() == .code(0))
        }
    }
}
