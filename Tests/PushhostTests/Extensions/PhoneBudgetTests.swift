import Foundation
import JSON
import TestSupport
import Testing

/// What `--phone` grants service extensions, and what `extensions check` says beside it.
@Suite(.waits, .wire) struct PhoneBudgetTests {
    private static let phone = ["--phone"]

    private func allocate(_ megabytes: Int) -> [(String, JSON)] {
        [("do", "allocate"), ("megabytes", JSON(megabytes)), ("change", ["title": "Changed"])]
    }

    // MARK: Memory

    @Test("A service extension that takes 30 MB in a call is killed, and the original content is shown")
    func memory() throws {
        try ServiceWorkspace.withHost(Self.phone) { host in
            let shown = try host.served(allocate(30))
            #expect(shown.title == "T")
            #expect(shown.reasons == ["serviceFailed"])
            let text = try #require(shown.diagnostics.first?["message"]?.string)
            #expect(text.contains("more than the 24 MB at which iOS kills a service extension"), "\(text)")
            #expect(text.hasSuffix("and was killed, so the original content is shown"), "\(text)")
            let service = try host.describe("service")
            #expect(try #require(service["peakMemory"]?.integer) > 24 << 20)
            // The next notification starts it again.
            #expect(try host.served(allocate(1)).title == "Changed")
        }
    }

    @Test("15 MB are within the budget, and without --phone 30 MB are too", arguments: [(15, Self.phone), (30, [])])
    func enough(megabytes: Int, options: [String]) throws {
        try ServiceWorkspace.withHost(options) { host in
            let shown = try host.served(allocate(megabytes))
            #expect(shown.title == "Changed")
            #expect(shown.diagnostics == [])
            let peak = try #require(try host.describe("service")["peakMemory"]?.integer)
            // The kernel counts pages roughly.
            #expect(peak > Int64(megabytes - 1) << 20 && peak < Int64(megabytes + 8) << 20, "\(peak)")
        }
    }

    @Test("What a service extension has at its start does not count, however much it had before that")
    func fixedPart() throws {
        try ServiceWorkspace.open { service in
            let path = "\(service.service)/service.py"
            let program = try String(contentsOfFile: path, encoding: .utf8)
            // The second array is freed, so calls do not reach the highest mark of the start.
            let start = "kept, freed = (bytearray(b'x') * (64 << 20) for _ in range(2))\ndel freed\n"
            try Data((start + program).utf8).write(to: URL(filePath: path))
            let host = try service.bundles.host(Self.phone)
            #expect(try host.served(allocate(15)).title == "Changed")
            // A child that runs no program has the same memory, not as much again.
            #expect(try host.served([("do", "fork"), ("change", ["title": "Changed"])]).title == "Changed")
            let peak = try #require(try host.describe("service")["peakMemory"]?.integer ?? 0)
            #expect(peak < 24 << 20, "\(peak)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The runtime of Node does not count")
    func node() throws {
        let node = try Tool.node.path()
        try ServiceWorkspace.open { service in
            let program = """
                require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
                    const { id, method } = JSON.parse(line);
                    const result = method === "activate" ? { version: "1.0" } : { content: { title: "Changed" } };
                    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
                });
                """
            try Data(program.utf8).write(to: URL(filePath: "\(service.service)/service.js"))
            try writeExecutable("#!/bin/sh\nexec '\(node)' service.js\n", to: "\(service.service)/run")
            let host = try service.bundles.host(Self.phone)
            let shown = try host.served([])
            #expect(shown.title == "Changed", "\(shown.diagnostics)")
            #expect(try #require(try host.describe("service")["memory"]?.integer) > 24 << 20, "it would count")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A content extension has no such limit")
    func content() throws {
        try Workspace.open { workspace in
            let program = """
                import json, sys
                for message in map(json.loads, sys.stdin):
                    if "id" not in message: continue
                    if message["method"] == "didReceive": kept = bytearray(b"x") * (40 << 20)
                    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"version": "1.0"}}), flush=True)
                """
            let folder = try workspace.add(named: "card", script: "exec '\(try Tool.python.path())' card.py")
            try Data(program.utf8).write(to: URL(filePath: "\(folder)/card.py"))
            let host = try workspace.host(Self.phone)
            _ = try host.shown("card")
            #expect(try #require(try host.describe("card")["peakMemory"]?.integer) > 30 << 20)
            #expect(try host.finish() == .code(0))
        }
    }

    // MARK: Network and files

    @Test("A service extension that fetches attachments has only the network that it declares")
    func network() throws {
        try ServiceWorkspace.open { service in
            let connect: [(String, JSON)] = [("do", "connect"), ("change", ["title": "Changed"])]
            func shown(_ options: [String]) throws -> ServedNotification {
                let host = try service.bundles.host(["--fetch-attachments"] + options)
                defer { #expect((try? host.finish()) == .code(0)) }
                return try host.served(connect)
            }
            #expect(try shown([]).title == "Changed")
            let refused = try shown(Self.phone)
            #expect(refused.title == "T")
            let text = try #require(refused.diagnostics.first?["message"]?.string)
            #expect(text.contains("its sandbox has no network"), "\(text)")
            var permissions = try Workspace.permissions(writing: service.bundles.root)
            permissions["Network"] = ["*"]
            let script = "exec '\(try Tool.python.path())' service.py"
            try service.bundles.add(
                named: "service",
                point: ServiceWorkspace.point,
                script: script,
                permissions: permissions
            )
            #expect(try shown(Self.phone).title == "Changed")
        }
    }

    @Test(
        "A service extension cannot open files of its App Group that are protected while the device is locked",
        arguments: [
            ("NSFileProtectionComplete", true), ("NSFileProtectionCompleteUnlessOpen", true),
            ("NSFileProtectionCompleteUntilFirstUserAuthentication", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func lockedDevice(protection: String?, isLocked: Bool) throws {
        try ServiceWorkspace.open { service in
            let container = "\(service.bundles.root)/home/.local/share/pushhost/groups/\(Workspace.group)"
            try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
            try Data("shared".utf8).write(to: URL(filePath: "\(container)/file"))
            // The tests' own permission to write the workspace would include the folder of the group.
            let script = "exec '\(try Tool.python.path())' service.py"
            try service.bundles.add(named: "service", point: ServiceWorkspace.point, script: script, permissions: [:])
            var entitlements: [String: Any] = ["com.apple.security.application-groups": [Workspace.group]]
            entitlements["com.apple.developer.default-data-protection"] = protection
            try PropertyListSerialization.data(fromPropertyList: entitlements, format: .xml, options: 0)
                .write(to: URL(filePath: "\(service.service)/run.entitlements"))
            let open: [(String, JSON)] = [
                ("do", "open"), ("path", .string("\(container)/file")), ("change", ["title": "Changed"]),
            ]
            for options in [[], Self.phone] {
                let home = ["/usr/bin/env", "HOME=\(service.bundles.root)/home"]
                let host = try service.bundles.host(options, under: home)
                let shown = try host.served(open)
                if isLocked, options == Self.phone {
                    #expect(shown.title == "T")
                    let text = try #require(shown.diagnostics.first?["message"]?.string)
                    let file = "the device is locked, and its entitlements protect \(container)/file until"
                    #expect(text.contains(file), "\(text)")
                } else {
                    #expect(shown.title == "Changed", "\(shown.diagnostics)")
                }
                #expect(try host.finish() == .code(0))
            }
        }
    }

    // MARK: Options

    @Test(
        "--phone excludes what a phone does not have",
        arguments: [
            (["serve", "--no-sandbox"], "--no-sandbox and --phone exclude each other; leave out one"),
            (["push", "-", "--no-sandbox"], "--no-sandbox and --phone exclude each other; leave out one"),
            (["serve", "--service-deadline", "30001"], "iOS waits 30000 ms for a service extension"),
            (["extensions", "check", "/bin/true"], "--phone is for bundles that run their own executable"),
        ]
    )
    func refused(arguments: [String], text: String) throws {
        let run = try CommandRun(arguments + Self.phone)
        #expect(run.status == .code(64))
        #expect(run.standardError.contains(text), "\(run.standardError)")
    }

    @Test("A replay repeats --phone, or adds it")
    func replay() throws {
        try ServiceWorkspace.open { service in
            for (recorded, replayed, code) in [(Self.phone, [], 0), (Self.phone, Self.phone, 0), ([], Self.phone, 1)] {
                // With --phone it may be killed before or after its answer, so that it must not answer.
                let pairs = allocate(30) + [("silent", .bool(recorded == Self.phone))]
                let params = ServiceWorkspace.notification(pairs)
                let line = #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":\#(params)}"#
                let options = ReplayTests.fixed + ["--plugins", service.bundles.plugins] + recorded
                let file = try ReplayTests.record([line], options, in: service.bundles.root)
                // How much memory it had differs from run to run.
                let run = try runPushhost(["replay", "--volatile", "message", file] + replayed)
                #expect(run.status == .code(Int32(code)), "\(recorded) \(replayed): \(run.output)\(run.error)")
                try FileManager.default.removeItem(atPath: file)
            }
        }
    }

    // MARK: extensions check

    private func check(megabytes: Int, _ options: [String]) throws -> CommandRun {
        var run: CommandRun?
        try ServiceWorkspace.open { service in
            let payload = ServiceWorkspace.notification(allocate(megabytes))["payload"]
            try Data("\(payload ?? .null)".utf8).write(to: URL(filePath: "\(service.service)/payload.apns"))
            run = try CommandRun.check([service.service] + options)
        }
        return try #require(run)
    }

    @Test("extensions check reports the memory and the time of calls beside the budget")
    func report() throws {
        let run = try check(megabytes: 5, [])
        #expect(run.status == .code(0), "\(run.output)")
        let line = #/usage: memory (4|5|6|7)\.\d MB of 24 MB, longest call \d+ ms of 30 s\n/#
        #expect(run.output.contains(line), "\(run.output)")
        let method = #/(?m)^ +\| didReceive: \d+ answered, memory (4|5|6|7)\.\d MB, longest \d+ ms$/#
        #expect(run.output.contains(method), "\(run.output)")
        let usage = try JSON(parsing: try check(megabytes: 5, ["--json"]).output)["usage"]
        #expect(try #require(usage?["memory"]?.integer) > 4 << 20)
        #expect(try #require(usage?["longestCall"]?.number) > 0)
        #expect(usage?["memoryLimit"] == JSON(24 << 20))
        #expect(usage?["callLimit"] == 30_000)
    }

    @Test("More memory than a phone grants is a warning, and an error with --phone")
    func excess() throws {
        // With --phone it may be killed before it has all.
        let excess = #/usage: memory (2[4-9]|3\d)\.\d MB of 24 MB.*; iOS would kill it and show the original content/#
        let free = try check(megabytes: 30, [])
        #expect(free.status == .code(0), "\(free.output)")
        #expect(free.lines("warning").contains { $0.contains(excess) }, "\(free.output)")
        let limited = try check(megabytes: 30, Self.phone)
        #expect(limited.status == .code(1))
        let errors = limited.lines("error")
        #expect(errors.contains { $0.contains(excess) }, "\(limited.output)")
        #expect(errors.contains { $0.contains("at which iOS kills a service extension") }, "\(limited.output)")
        #expect(errors.count == 2, "\(limited.output)")
    }

    @Test("extensions check names no limit for a content extension")
    func contentReport() throws {
        let run = try CheckedBundle.check({ _ in })
        let line = #/(?m)^ok       usage: memory \d+\.\d MB, longest call \d+ ms; Apple names no limit$/#
        #expect(run.output.contains(line), "\(run.output)")
    }

    @Test("The memory and the time of a call are those of its method, also if another call took more before it")
    func methods() throws {
        try Workspace.open { workspace in
            let program = """
                import json, sys
                view = {"view": {"type": "button", "id": "say", "title": "Say"}}
                result = {"activate": {"version": "1.0"}, "didReceive": view, "interact": {}}
                for message in map(json.loads, sys.stdin):
                    if "id" not in message: continue
                    if message["method"] == "didReceive": freed = bytearray(b"x") * (40 << 20)
                    if message["method"] == "interact": kept = bytearray(b"x") * (10 << 20)
                    freed = None
                    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result[message["method"]]}), flush=True)
                """
            let folder = try workspace.add(named: "card", script: "exec '\(try Tool.python.path())' card.py")
            try Data(program.utf8).write(to: URL(filePath: "\(folder)/card.py"))
            let host = try workspace.host()
            let shown = try host.shown("card")
            func peak(_ method: String) throws -> Int64 {
                let methods = try #require(try host.describe("card")["methods"]?.array)
                let entry = try #require(methods.first { $0["method"]?.string == method })
                #expect(entry["answered"] == 1)
                #expect(entry["longest"]?.number != nil)
                return entry["peakMemory"]?.integer ?? 0
            }
            #expect(try peak("didReceive") > 30 << 20)
            _ = try host.result("interact", ["notification": shown, "element": "say"])
            let second = try peak("interact")
            #expect(second > 8 << 20 && second < 20 << 20, "\(second)")
            #expect(try peak("didReceive") > 30 << 20)
            #expect(try host.finish() == .code(0))
        }
    }
}
