import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost extensions reload`: which hosts it reaches, what it prints, and its exit codes.
@Suite(.waits, .wire) struct ReloadCommandTests {
    @Test("A bundle that is added while a host runs is known to it after the command, which prints what changed")
    func added() throws {
        try ControlSetup.open { setup in
            try setup.workspace.add("saves")
            let host = try setup.host()
            #expect(try host.result("didReceive", HostProcess.payload("good"))["extension"] == JSON.null)
            let broken = try setup.workspace.add("good")
            let prefix = "host \(host.process.pid) (\(setup.workspace.plugins)): "
            let first = try setup.reload()
            #expect(first.status == .code(0), "\(first.standardError)")
            #expect(first.output == prefix + "added com.example.good\n")
            #expect(try host.result("didReceive", HostProcess.payload("good"))["extension"] == "com.example.good")
            #expect(try setup.reload().output == prefix + "nothing changed\n")
            #expect(try setup.reload(["--force"]).output == prefix + "changed com.example.good, com.example.saves\n")
            try Data("<plist".utf8).write(to: URL(filePath: "\(broken)/Info.plist"))
            let last = try setup.reload()
            #expect(last.status == .code(0))
            let lines = last.output.split(separator: "\n")
            #expect(lines.first == "\(prefix)removed com.example.good")
            #expect(lines.count == 2 && lines[1].hasPrefix("error    \(broken)/Info.plist: "), "\(last.output)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Every host is reloaded, or those that use a folder or a bundle in it, and --json is one object")
    func several() throws {
        try ControlSetup.open { setup in
            let second = "\(setup.workspace.root)/second"
            try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: false)
            let hosts = [try setup.host(), try setup.host(plugins: second)].sorted { $0.process.pid < $1.process.pid }
            let bundle = try setup.workspace.add("good")
            let all = try setup.reload(["--json"])
            #expect(all.status == .code(0) && all.standardError == "")
            let found = try JSON(parsing: all.output)["hosts"]?.array ?? JSON.Array([])
            #expect(found.map { $0["pid"]?.integer } == hosts.map { Int64($0.process.pid) })
            #expect(Set(found.compactMap { $0["plugins"]?[0]?.string }) == [setup.workspace.plugins, second])
            for host in found {
                let isEmpty = host["plugins"]?[0]?.string == second
                let problems = host["result"]?["problems"]?.array?.compactMap { $0["severity"]?.string }
                #expect(problems == (isEmpty ? ["warning"] : []))
            }
            for folder in [setup.workspace.plugins, bundle] {
                let run = try setup.reload(["--plugins", folder, "--force"])
                let lines = run.output.split(separator: "\n")
                #expect(
                    lines.count == 1 && lines[0].hasSuffix("(\(setup.workspace.plugins)): changed com.example.good")
                )
            }
            let neither = try setup.reload(["--plugins", setup.workspace.root, "--json"])
            #expect(neither.status == .code(69))
            #expect(neither.output == "{\"hosts\":[]}\n")
            #expect(neither.standardError.hasPrefix("Error: no host uses \(setup.workspace.root); there is host "))
            for host in hosts { #expect(try host.finish() == .code(0)) }
        }
    }

    @Test("Without a host the exit code is 69, and one message says where a socket was looked for")
    func none() throws {
        try ControlSetup.open { setup in
            let text = "Error: no host runs that can be reached: \(setup.folder) has no socket of a running host\n"
            for arguments in [[], ["--plugins", setup.workspace.plugins]] {
                let run = try setup.reload(arguments)
                #expect(run.status == .code(69))
                #expect(run.output == "" && run.standardError == text, "\(run.standardError)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: setup.runtime) == [])
        }
    }

    @Test("The socket of a host that was killed is removed, and hosts that run are reloaded")
    func stale() throws {
        try ControlSetup.open { setup in
            try setup.workspace.add("good")
            let killed = try setup.host()
            let host = try setup.host()
            killed.process.kill(SIGKILL)
            #expect(try killed.process.wait() == .signal(SIGKILL))
            #expect(try setup.names().count == 2)
            // A host may be killed between two steps of making its socket.
            let abandoned = "\(setup.folder)/1-x.new"
            try Data().write(to: URL(filePath: abandoned))
            let past = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -600)]
            try FileManager.default.setAttributes(past, ofItemAtPath: abandoned)
            try Data().write(to: URL(filePath: "\(setup.folder)/2-x.new"))
            let run = try setup.reload()
            #expect(run.status == .code(0), "\(run.standardError)")
            #expect(run.output.hasPrefix("host \(host.process.pid) ") && run.output.split(separator: "\n").count == 1)
            let own = URL(filePath: try setup.socket(of: host)).lastPathComponent
            #expect(Set(try setup.names()) == [own, "2-x.new"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A host that does not answer in time is an error, whatever folder was asked for, and others are reloaded")
    func stopped() throws {
        try ControlSetup.open { setup in
            let stopped = try setup.host()
            let host = try setup.host()
            stopped.process.kill(SIGSTOP)
            for arguments in [[], ["--plugins", setup.workspace.plugins]] {
                let run = try setup.reload(["--deadline", "300"] + arguments)
                #expect(run.status == .code(1))
                let text =
                    "Error: host \(stopped.process.pid): it did not answer status in time\n"
                #expect(run.standardError == text)
            }
            let json = try JSON(parsing: try setup.reload(["--deadline", "300", "--json"]).output)["hosts"]
            let entry = json?.array?.first { $0["pid"]?.integer == Int64(stopped.process.pid) }
            #expect(entry?["error"]?["message"] == "it did not answer status in time")
            stopped.process.kill(SIGCONT)
            #expect(try setup.reload().status == .code(0))
            for host in [stopped, host] { #expect(try host.finish() == .code(0)) }
        }
    }

    @Test("A host that refuses is an error with its message")
    func refused() throws {
        try ControlSetup.open { setup in
            let gate = try Gate(try setup.workspace.add("waits"))
            let host = try setup.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let control = try setup.connect(to: host)
            let command = try hostCommand(["extensions", "reload"], unchecked: "it is a client")
            var environment = ProcessInfo.processInfo.environment
            environment["XDG_RUNTIME_DIR"] = setup.runtime
            let run = try ChildProcess(command[0], Array(command.dropFirst()), environment: environment)
            while try control.call("status")["result"]?["requestsInFlight"] != 2 {}
            // A signal ends the calls that wait.
            host.process.kill(SIGTERM)
            #expect(try run.wait() == .code(1))
            let text = "Error: host \(host.process.pid) (\(setup.workspace.plugins)): "
            #expect(run.standardError.hasPrefix(text), "\(run.standardError)")
            #expect(run.standardError.contains("stopping"), "\(run.standardError)")
            try gate.releaseOne()
            #expect(try host.process.wait() == .code(128 + SIGTERM))
        }
    }

    @Test(
        "A wrong option is an error of the command line",
        arguments: [["--plugins", "/nonexistent"], ["--deadline", "0"], ["extra"]]
    )
    func usage(arguments: [String]) throws {
        let run = try CommandRun.leavingNothing(["extensions", "reload"] + arguments)
        #expect(run.status == .code(64))
        #expect(run.standardError.contains(arguments[0]))
    }
}
