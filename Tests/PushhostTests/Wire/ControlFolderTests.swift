import Foundation
import JSON
import TestSupport
import Testing

/// The folder of the sockets: whom a host and `pushhost extensions reload` trust.
@Suite(.waits, .wire) struct ControlFolderTests {
    /// A folder that is not to be trusted.
    enum Flaw: CaseIterable {
        case openToOthers, link, file, foreign, openParent, foreignParent, missingParent

        /// Whether only the superuser can make it.
        var needsRoot: Bool { self == .foreign || self == .foreignParent }

        /// Those that this user can make.
        static var possible: [Flaw] { allCases.filter { geteuid() == 0 || !$0.needsRoot } }

        func make(_ setup: ControlSetup) throws {
            let result: Int32
            switch self {
            case .openToOthers: result = mkdir(setup.folder, 0o700) + chmod(setup.folder, 0o750)
            case .link: result = mkdir("\(setup.runtime)/own", 0o700) + symlink("own", setup.folder)
            case .file: result = FileManager.default.createFile(atPath: setup.folder, contents: nil) ? 0 : -1
            case .foreign: result = mkdir(setup.folder, 0o700) + chown(setup.folder, 65_534, 65_534)
            case .openParent: result = mkdir(setup.folder, 0o700) + chmod(setup.runtime, 0o777)
            case .foreignParent: result = mkdir(setup.folder, 0o700) + chown(setup.runtime, 65_534, 65_534)
            case .missingParent: result = rmdir(setup.runtime)
            }
            guard result == 0 else { throw TestFailure("the flaw \(self) cannot be made") }
        }

        var message: String {
            switch self {
            case .openToOthers: "/pushhost is open to other users; chmod 700 it"
            case .link, .file: "/pushhost is not a folder; remove it"
            case .foreign: "/pushhost belongs to another user"
            case .openParent: "chmod go-w it"
            case .foreignParent: "/run belongs to another user; set XDG_RUNTIME_DIR to a folder of your own"
            case .missingParent: "/run: No such file or directory"
            }
        }
    }

    @Test(
        "In a folder that others may control a host opens no socket and says why, and no host is looked for",
        arguments: Flaw.possible
    )
    func flaws(_ flaw: Flaw) throws {
        try ControlSetup.open { setup in
            try flaw.make(setup)
            let host = try setup.host(["--log-level", "notice"])
            #expect(try host.finish() == .code(0))
            let log = host.process.standardError
            #expect(log.contains("notice pushhost: the host accepts no control connections: "))
            #expect(log.contains(flaw.message) && log.split(separator: "\n").count == 1, "\(log)")
            let run = try setup.reload()
            #expect(run.output == "")
            if flaw == .missingParent {
                #expect(run.status == .code(69))
            } else {
                #expect(run.status == .code(1))
                #expect(run.standardError.hasPrefix("Error: no host can be reached: "), "\(run.standardError)")
                #expect(run.standardError.contains(flaw.message), "\(run.standardError)")
            }
        }
    }

    @Test("A path that is too long for a socket is one line in the log, and the host serves its client")
    func longPath() throws {
        try ControlSetup.open { setup in
            let long = "\(setup.workspace.root)/\(String(repeating: "x", count: 100))"
            guard mkdir(long, 0o700) == 0 else { throw TestFailure("no folder \(long)") }
            let host = try setup.host(["--log-level", "notice"], runtime: long)
            let text =
                #/control connections: /.*\.sock: the path of a socket has at most 10[37] bytes, and this one has \d+; /#
            let log = host.process.standardError
            #expect(log.contains(text) && log.split(separator: "\n").count == 1, "\(log)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(long)/pushhost") == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Another user's program is turned away, even if it can reach the socket", .needsSuperuser)
    func foreignUser() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            let socket = try setup.socket(of: host)
            // Only the superuser can open the way; a host never does.
            for path in [setup.workspace.root, setup.runtime, setup.folder, socket] { #expect(chmod(path, 0o777) == 0) }
            let script = """
                import os, socket, sys
                os.setuid(65534)
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(sys.argv[1])
                try: connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
                except OSError: pass
                try: print(connection.recv(100))
                except OSError: print(b"")
                """
            let python = try Tool(name: "python3", package: "python3").path()
            let other = try ChildProcess(python, ["-c", script, socket])
            #expect(try other.readLine() == "b''", "\(other.standardError)")
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test(
        "Without an absolute XDG_RUNTIME_DIR the sockets are in a folder of the user in /tmp",
        arguments: [nil, "run"]
    )
    func withoutVariable(value: String?) throws {
        try withTemporaryDirectory { folder in
            // The shell sets the variable, as a test's host otherwise gets a folder of its own.
            let command = quoted(try hostCommand(["--data", folder], unchecked: "it would have no socket"))
            let change = value.map { "XDG_RUNTIME_DIR=\($0)" } ?? "-u XDG_RUNTIME_DIR"
            let host = try ChildProcess("/bin/sh", ["-c", "exec env \(change) \(command)"])
            // After the second reply the socket is open.
            for _ in 1...2 {
                try host.write(line: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
                _ = try host.readLine()
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp/pushhost-\(geteuid())")
            #expect(names.count { $0.hasPrefix("\(host.pid)-") } == 1)
            host.closeInput()
            #expect(try host.wait() == .code(0))
            let left = try FileManager.default.contentsOfDirectory(atPath: "/tmp/pushhost-\(geteuid())")
            #expect(!left.contains { $0.hasPrefix("\(host.pid)-") })
        }
    }
}
