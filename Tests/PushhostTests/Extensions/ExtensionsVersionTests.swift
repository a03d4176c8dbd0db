import Contract
import Foundation
import JSON
import TestSupport
import Testing

/// Extensions that need another version of the contract than the host's.
@Suite(.waits, .wire) struct ExtensionsVersionTests {
    /// The answer to `activate`, and what the error says about it.
    struct Refused: CustomTestStringConvertible {
        let version: JSON
        let says: String

        var testDescription: String { version.description }
    }

    private static let refused = [
        Refused(version: "1.10", says: needs("1.10", "update the host")),
        Refused(version: "2.0", says: needs("2.0", "update the host")),
        Refused(version: "0.9", says: needs("0.9", "update the extension")),
        Refused(version: "1", says: "<major>.<minor>, such as \(ContractDocuments.version), and not with \"1\""),
        Refused(
            version: "1.0.0",
            says: "<major>.<minor>, such as \(ContractDocuments.version), and not with \"1.0.0\""
        ),
        Refused(version: 1.0, says: "activate must be answered with a version"),
    ]

    private static func needs(_ version: String, _ remedy: String) -> String {
        "it needs version \(version) of the contract, and this host speaks \(ContractDocuments.version): \(remedy)"
    }

    @Test(
        "A content extension for another contract version is refused with an error that names both versions",
        arguments: refused
    )
    func content(refused: Refused) throws {
        try Workspace.open { workspace in
            try workspace.add(named: "versed", script: Self.script(refused.version))
            let host = try workspace.host()
            let error = try host.show("versed")["error"]
            #expect(error?["code"] == 124)
            #expect(error?["data"]?["reason"] == "badExtensionReply")
            let message = error?["message"]?.string ?? ""
            #expect(message.contains("com.example.versed"), "\(message)")
            #expect(message.contains(refused.says), "\(message)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A service extension for another version is refused, and the notification is shown unchanged with a diagnostic",
        arguments: refused
    )
    func service(refused: Refused) throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            try workspace.add(named: "versed", point: ServiceWorkspace.point, script: Self.script(refused.version))
            let host = try workspace.host()
            let shown = try host.result("didReceive", ServiceWorkspace.notification(category: "good"))
            let diagnostics = shown["diagnostics"]?.array.map(Array.init) ?? []
            let failed = try #require(diagnostics.first { $0["reason"] == "serviceFailed" }, "\(shown)")
            #expect(failed["message"]?.string?.contains(refused.says) == true, "\(failed)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A destination for another contract version is refused, and every record is kept", arguments: refused)
    func destination(refused: Refused) throws {
        try Workspace.open { workspace in
            try workspace.add(
                named: "versed",
                point: "pushhost.destination",
                script: Self.script(refused.version),
                attributes: ["PushhostDestinationName": "versed"]
            )
            let host = try workspace.host(["--retry-patience", "0"])
            try host.result("saveCustomEvent", ["name": "Kept"])
            let error = try host.call("flushPending", ["to": "versed"])["error"]
            #expect(error?["data"]?["reason"] == "destinationUnavailable")
            #expect(error?["message"]?.string?.contains(refused.says) == true, "\(error ?? .null)")
            #expect(try host.result("pending")["total"] == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("extensions check reports an incompatible contract version in one line", arguments: refused)
    func check(refused: Refused) throws {
        try withTemporaryDirectory { root in
            let bundle = CheckedBundle("\(root)/bundle")
            try bundle.make()
            try writeExecutable("#!/bin/sh\n\(Self.script(refused.version))\n", to: "\(bundle.folder)/run")
            let run = try CommandRun.check([bundle.folder])
            #expect(run.status == .code(1), "\(run.output)")
            #expect(run.lines("error").count == 1 && run.lines("error")[0].contains(refused.says), "\(run.output)")
        }
    }

    @Test("The host reports its version in activate, ping, status and rpc.discover")
    func hostVersion() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "versed", script: "read line; echo \"$line\" > call; exit 1")
            let host = try workspace.host()
            #expect(try host.show("versed")["error"] != nil)
            let call = try JSON(parsing: String(contentsOfFile: "\(folder)/call", encoding: .utf8))
            #expect(call["params"]?["version"] == .string(ContractDocuments.version))
            #expect(try host.result("ping")["version"] == .string(ContractDocuments.version))
            #expect(try host.result("status")["version"] == .string(ContractDocuments.version))
            #expect(try host.result("rpc.discover")["info"]?["version"] == .string(ContractDocuments.version))
            #expect(try host.finish() == .code(0))
        }
    }

    /// A shell script that answers its first request with that version and then waits for the end of its input.
    private static func script(_ version: JSON) -> String {
        let id = #"id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')"#
        let answer = #"printf '{"jsonrpc":"2.0","id":%s,"result":{"version":%s}}\n' "$id" '\#(version)'"#
        return "read -r line; \(id); \(answer); exec cat > /dev/null"
    }
}
