import Foundation
import JSON
import TestSupport
import Testing

/// The units of systemd in the Debian package.
@Suite(.waits, .wire) struct SystemdUnitTests {
    private static let folder = "\(repositoryRoot)/.ci/packages/debian"
    /// The files, by the names with which the package installs them.
    private static let units = [
        "pushhost-relay.service": "pushhost.pushhost-relay.service",
        "pushhost-host.socket": "pushhost.pushhost-host.socket",
        "pushhost-host@.service": "pushhost@.pushhost-host.service",
    ]

    private func text(of unit: String) throws -> String {
        try String(contentsOfFile: "\(Self.folder)/\(try #require(Self.units[unit]))", encoding: .utf8)
    }

    /// What systemd says about the units, with the built program in place of the installed one.
    private func verify(_ change: (String) -> String = { $0 }) throws -> String {
        let program = try hostExecutable()
        return try withTemporaryDirectory { folder in
            for unit in Self.units.keys {
                let text = change(try text(of: unit)).replacing("/usr/bin/pushhost", with: program)
                try text.write(toFile: "\(folder)/\(unit)", atomically: true, encoding: .utf8)
            }
            let systemd = try Tool(name: "systemd-analyze", package: "systemd").path()
            let paths = Self.units.keys.sorted().map { "\(folder)/\($0)" }
            let run = try ChildProcess(systemd, ["verify", "--man=no"] + paths)
            let output = try run.readToEnd()
            _ = try run.wait()
            // About other units of this machine it may complain too.
            return (output + run.standardError).split(separator: "\n").filter { $0.contains(folder) }
                .joined(separator: "\n")
        }
    }

    @Test("systemd knows each key and value of the units, and would complain about another one")
    func verified() throws {
        #expect(try verify() == "")
        let mistake = try verify { $0.replacing("ProtectClock", with: "ProtectClok") }
        for unit in ["pushhost-relay.service", "pushhost-host@.service"] {
            #expect(mistake.contains(unit) && mistake.contains("ProtectClok"), "\(mistake)")
        }
    }

    @Test("Each option of the commands in the units is one of the program's")
    func commands() throws {
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/command-line.md", encoding: .utf8)
        for unit in Self.units.keys where unit.hasSuffix(".service") {
            let options = try command(of: unit).filter { $0.hasPrefix("--") }
            try #require(options.count > 2)
            for option in options { #expect(page.contains("| `\(option)"), "\(unit): \(option)") }
        }
    }

    /// The words of `ExecStart`.
    private func command(of unit: String) throws -> [String] {
        let line = try #require(try text(of: unit).split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        return line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
    }

    @Test("Each client that connects to the socket gets a host of its own, which shares the suites and ends with it")
    func activation() throws {
        let activator = try Tool(name: "systemd-socket-activate", package: "systemd").path()
        let program = try hostExecutable()
        let words = try command(of: "pushhost-host@.service")
        let socketUnit = try text(of: "pushhost-host.socket")
        try #require(words.first == "/usr/bin/pushhost" && socketUnit.contains("\nAccept=yes\n"))
        try withTemporaryDirectory { folder in
            let (socket, data) = ("\(folder)/host.sock", "\(folder)/data")
            let own = words.dropFirst().map { $0 == "/var/lib/pushhost" ? data : $0 }
            // It says on stderr when it listens and which process it started.
            let arguments = [activator, "--accept", "--inetd", "-l", socket, program] + own
            let service = try ChildProcess("bash", ["-c", "exec \"$@\" 2>&1", "bash"] + arguments)
            while try #require(try service.readLine()).hasPrefix("Listening on") == false {}
            let clients = try (0..<2).map { _ in try UnixConnection(socket) }
            for (index, client) in clients.enumerated() {
                try client.write(save(index))
                let reply = try JSON(parsing: try #require(try client.readLine()))
                #expect(reply["result"]?["id"] == .integer(Int64(index + 1)))
            }
            for client in clients {
                client.endInput()
                #expect(try client.readLine() == nil, "the host has ended")
            }
            service.kill(SIGTERM)
            _ = try service.wait()
            #expect(try stored(in: folder) == [1: "e0", 2: "e1"])
        }
    }
}
