import Foundation
import JSON
import TestSupport
import Testing

/// TLS and credentials of the destination `nats`.
@Suite(.waits, .wire) struct NATSDestinationSecurityTests {
    private static let certificate = "\(repositoryRoot)/Tests/Fixtures/tls/loopback.pem"

    @Test("Over TLS the server's certificate must be trusted, and be one for the server's name")
    func encryption() throws {
        let file = Self.certificate
        let server = try NATSServer("tls: { cert_file: \"\(file)\", key_file: \"\(file)\" }")
        let url = "tls://127.0.0.1:\(server.port)"
        try NATSWorkspace.with(["NATS_URL": url]) { workspace in
            let untrusting = try workspace.host()
            let ids = try untrusting.saveRecords(30)
            try untrusting.expectStop("self-signed certificate")
            #expect(try untrusting.finish() == .code(0))
            let misled = try workspace.host(["NATS_URL": "tls://127.1:\(server.port)", "NATS_CA": file])
            try misled.expectStop("hostname mismatch")
            #expect(try misled.finish() == .code(0))
            let host = try workspace.host(["NATS_CA": file])
            try host.publishAll()
            #expect(try host.finish() == .code(0))
            // The client of the tests knows no TLS.
            try server.stop()
            server.configuration = ""
            try server.start()
            try NATSClient(server).records().expectOnceInOrder(ids)
        }
    }

    @Test("Servers that ask for a certificate of the client get it, from a key that only its owner can read")
    func clientCertificate() throws {
        let file = Self.certificate
        let tls = "cert_file: \"\(file)\", key_file: \"\(file)\""
        let server = try NATSServer("tls: { \(tls), ca_file: \"\(file)\", verify: true }")
        try NATSWorkspace.with(["NATS_URL": "tls://127.0.0.1:\(server.port)", "NATS_CA": file]) { workspace in
            let key = "\(workspace.folder)/key.pem"
            try FileManager.default.copyItem(atPath: file, toPath: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
            let stranger = try workspace.host()
            let ids = try stranger.saveRecords(20)
            try stranger.expectStop("NATS_CERT")
            #expect(try stranger.finish() == .code(0))
            let half = try workspace.host(["NATS_CERT": file])
            try half.expectStop("NATS_CERT and NATS_KEY belong together: set both, or neither")
            #expect(try half.finish() == .code(0))
            let mistaken = try workspace.host(["NATS_CERT": "\(repositoryRoot)/README.md", "NATS_KEY": key])
            try mistaken.expectStop("NATS_KEY names \(key), which others may read or write (mode 640); chmod 600")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try mistaken.expectStop("README.md and \(key) are not a certificate (PEM) and its key")
            #expect(try mistaken.finish() == .code(0))
            let host = try workspace.host(["NATS_CERT": file, "NATS_KEY": key])
            #expect(try host.publishAll().count("delivered") == 20)
            #expect(try host.finish() == .code(0))
            try server.stop()
            server.configuration = ""
            try server.start()
            try NATSClient(server).records().expectOnceInOrder(ids)
        }
    }

    @Test("A credentials file is used only if nobody but its owner can read it")
    func credentials() throws {
        let script = "\(repositoryRoot)/Tests/Fixtures/nats/credentials.py"
        let maker = try ChildProcess(try Tool.python.path(), [script])
        let made = try JSON(parsing: try maker.readToEnd())
        let configuration = try #require(made["configuration"]?.string)
        let server = try NATSServer(configuration)
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let file = "\(workspace.folder)/user.creds"
            try #require(made["credentials"]?.string).write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            let stranger = try workspace.host()
            try stranger.saveRecords(20)
            try stranger.expectStop("Authorization Violation")
            #expect(try stranger.finish() == .code(0))
            let host = try workspace.host(["NATS_CREDS": file, "NATS_TIMEOUT_MILLISECONDS": "10000"])
            try host.expectStop("others may read or write (mode 640); chmod 600")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            // The next flush reads the settings again.
            #expect(try host.publishAll().count("delivered") == 20)
            #expect(try host.finish() == .code(0))
        }
    }
}
