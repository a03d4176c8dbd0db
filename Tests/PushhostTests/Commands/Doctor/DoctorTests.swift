import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost doctor`: what it finds, and its exit code.
@Suite(.waits, .wire) struct DoctorTests {
    /// A run of the command, with a data folder of its own and no variables of Braze except the given ones.
    private struct Run {
        let status: ChildProcess.Status
        let findings: [JSON]
        let output: String

        init(_ arguments: [String], _ variables: [String: String] = [:]) throws {
            let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BRAZE_") }
            let run = try CommandRun(
                ["doctor", "--json"] + arguments,
                environment: environment.merging(variables) { $1 }
            )
            (status, output) = (run.status, run.output + run.standardError)
            findings = try run.json
        }

        /// The findings of a check, each as its level and its message.
        func all(_ check: String) -> [String] {
            findings.filter { $0["check"]?.string == check }
                .map { "\($0["level"]?.string ?? ""): \($0["message"]?.string ?? "")" }
        }

        var errors: [String] { findings.filter { $0["level"] == "error" }.compactMap { $0["check"]?.string } }
    }

    private static let braze = ["--plugins", "\(repositoryRoot)/plugins/braze"]

    private func check(_ server: UsersTrackServer, key: String = UsersTrackServer.key, port: Int? = nil) throws -> Run {
        try withTemporaryDirectory { folder in
            let endpoint = port.map { "http://127.0.0.1:\($0)" } ?? server.endpoint
            let variables = ["BRAZE_REST_ENDPOINT": endpoint, "BRAZE_API_KEY": key]
            let run = try Run(Self.braze + ["--data", folder], variables)
            #expect(!run.output.contains(key))
            return run
        }
    }

    // MARK: The destination

    @Test("A server that accepts the key is one good line, gets one request without records, and its clock is compared")
    func accepted() throws {
        let server = try UsersTrackServer()
        let run = try check(server)
        #expect(run.status == .code(0), "\(run.output)")
        #expect(run.all("destination").first?.hasPrefix("ok: braze: Braze accepts the key (") == true)
        #expect(run.all("clock") == ["ok: agrees with that of braze"])
        #expect(run.errors == [])
        let requests = try server.requests()
        #expect(requests.count == 1 && requests.first?.status == 400 && requests.first?.objects == 0)
        #expect(try server.log().isEmpty)
    }

    @Test("A key that the server refuses is an error")
    func refused() throws {
        let server = try UsersTrackServer()
        let run = try check(server, key: "wr0ng-key")
        #expect(run.status == .code(1))
        #expect(run.errors == ["destination"])
        #expect(run.all("destination").first?.contains("Braze answered 401") == true)
        #expect(run.all("destination").first?.contains("Check that BRAZE_API_KEY is a key of the workspace") == true)
    }

    @Test("An endpoint at which nothing listens is an error")
    func silent() throws {
        let server = try UsersTrackServer()
        let run = try check(server, port: 9)
        #expect(run.status == .code(1))
        #expect(run.errors == ["destination"])
        #expect(run.all("destination").first?.contains("no answer of Braze") == true, "\(run.output)")
        #expect(run.all("clock") == [])
        #expect(try server.requests().isEmpty)
    }

    @Test(
        "A clock that is off by an hour is an error, and one that is off by a minute a warning",
        arguments: [3_600, -60]
    )
    func clock(offset: Int) throws {
        let run = try check(try UsersTrackServer(["--clock-offset", "\(offset)"]))
        let clock = try #require(run.all("clock").first)
        #expect(clock.hasPrefix(offset > 0 ? "error: this machine is 3" : "warning: this machine is "))
        #expect(clock.contains(offset > 0 ? "behind braze" : "ahead of braze"))
        #expect(run.status == .code(offset > 0 ? 1 : 0))
    }

    @Test("A server that is overloaded answers, but does not say whether it accepts the key")
    func overloaded() throws {
        let server = try UsersTrackServer()
        try server.inject([.answer(503)])
        let run = try check(server)
        #expect(run.status == .code(0), "\(run.output)")
        #expect(run.all("destination").first?.hasPrefix("warning: braze: Braze answered 503") == true, "\(run.output)")
    }

    @Test("Variables that lack the key are an error; without any variable nothing is wrong")
    func variables() throws {
        try withTemporaryDirectory { folder in
            let arguments = Self.braze + ["--data", folder]
            let half = try Run(arguments, ["BRAZE_REST_ENDPOINT": "fra-01", "BRAZE_API_KYE": "x"])
            #expect(half.status == .code(1))
            #expect(half.all("destination").first?.hasPrefix("error: braze: BRAZE_API_KEY is not set") == true)
            #expect(half.all("variables") == ["warning: BRAZE_API_KYE is set, but braze does not read it"])
            let advice = half.findings.first { $0["check"] == "variables" }?["advice"]
            #expect(advice == "did you mean BRAZE_API_KEY?")
            let none = try Run(arguments)
            #expect(none.status == .code(0), "\(none.output)")
            #expect(none.all("destination").first?.hasPrefix("warning: braze: BRAZE_REST_ENDPOINT is not set") == true)
            #expect(try Run(arguments + ["--to", "braze"]).status == .code(1))
            #expect(try Run(arguments + ["--to", "brase"]).errors == ["destination"])
            #expect(try Run(arguments + ["--to", "file"]).all("destination").first?.hasPrefix("ok: file: ") == true)
        }
    }

    // MARK: This machine

    @Test("The versions, folders and suites are one line each, and the exit code is 0")
    func healthy() throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "a", "--suite", "a"], workspace)
            let run = try Run(workspace.arguments())
            #expect(run.status == .code(0), "\(run.output)")
            let versions = try #require(run.all("versions").first)
            for name in ["ok: pushhost 1.", "suite schema ", "SQLite 3.", "Jansson 2.", "Swift 6."] {
                #expect(versions.contains(name), "\(versions)")
            }
            #expect(run.all("data folder") == ["ok: \(workspace.data), mode 700"])
            #expect(run.all("disk space").count == 1)
            #expect(run.all("plugins folder") == ["ok: \(workspace.plugins)"])
            #expect(run.all("suites") == ["ok: 1 suite, 1 pending, 0 dead letters"])
            #expect(run.all("other processes") == ["ok: no other process uses the suites"])
            let lines = try CommandRun(["doctor"], workspace).output.split(separator: "\n")
            #expect(
                lines.count == run.findings.count && lines[0] == "ok       data folder: \(workspace.data), mode 700"
            )
        }
    }

    @Test("Folders that other users may read or write are found", arguments: [0o755, 0o777])
    func modes(mode: Int) throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "a"], workspace)
            for folder in [workspace.data, workspace.plugins] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
            }
            let run = try Run(workspace.arguments())
            #expect(
                run.all("data folder").first?.hasPrefix(mode == 0o777 ? "error: any user" : "warning: other") == true
            )
            #expect(run.all("plugins folder").first?.hasPrefix(mode == 0o777 ? "error: any user" : "ok: ") == true)
            #expect(run.status == .code(mode == 0o777 ? 1 : 0), "\(run.output)")
        }
    }

    @Test(
        "A bundle whose executable cannot start is an error that says why",
        arguments: [
            (nil, "its executable run is missing"),
            ("#!/no/such/interpreter\n", "its interpreter /no/such/interpreter is missing"),
            ("#!/usr/bin/env no-such-interpreter\n", "no-such-interpreter"),
            ("#!/bin/sh\necho 'error while loading shared libraries: libx.so' >&2\nexit 127\n", "libx.so"),
        ]
    )
    func bundles(program: String?, text: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "broken", script: nil)
            if let program { try writeExecutable(program, to: "\(folder)/run") }
            try workspace.add("good")
            let run = try Run(workspace.arguments())
            #expect(run.status == .code(1))
            let bundles = run.all("bundle")
            #expect(bundles.contains("ok: com.example.good starts"))
            #expect(bundles.contains { $0.hasPrefix("error: com.example.broken") && $0.contains(text) }, "\(bundles)")
        }
    }

    @Test("A host that flushes a suite is found, and so is one that only has it open")
    func others() throws {
        try DestinationWorkspace.open { destinations in
            let folder = try destinations.add(
                """
                def deliver(batch, n):
                    log("begun")
                    wait_at_gate()
                    return accept(batch)
                """
            )
            let gate = try Gate(folder)
            let host = try destinations.host()
            try host.subscribe()
            try host.saveRecords(3)
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("begun")
            let run = try Run(destinations.bundles.arguments())
            let users = run.all("other processes")
            #expect(users.contains("warning: another process flushes standard"), "\(users)")
            #expect(users.contains("ok: process \(host.process.pid) uses standard too, which is allowed"), "\(users)")
            #expect(run.status == .code(0), "\(run.output)")
            try gate.releaseOne()
            _ = try host.reply()
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Dead letters are a warning, and a damaged suite is an error")
    func suites() throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "a"], workspace)
            try Data("no database, and long enough to be read as one".utf8)
                .write(to: URL(filePath: "\(workspace.data)/broken.sqlite"))
            let run = try Run(workspace.arguments())
            #expect(run.status == .code(1))
            let found = run.all("suites")
            #expect(found.count == 2 && found[0].hasPrefix("error: broken: "), "\(run.output)")
            #expect(found.last == "ok: 1 suite, 1 pending, 0 dead letters")
            try FileManager.default.removeItem(atPath: "\(workspace.data)/standard.sqlite")
            #expect(try Run(workspace.arguments()).all("suites").count == 1)
        }
    }

    @Test("A host that cannot start is an error among the others")
    func host() throws {
        try withTemporaryDirectory { folder in
            let data = "\(folder)/data"
            try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: "nowhere/else")
            let run = try Run(["--data", data])
            #expect(run.status == .code(1))
            #expect(run.errors == ["host"], "\(run.output)")
        }
    }
}
