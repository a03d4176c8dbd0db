import Foundation
import JSON
import Platform
import TestSupport
import Testing

/// What an extension can do in its sandbox, and without one.
@Suite(.waits, .wire) struct SandboxTests {
    @Test(
        "What a hostile extension attempts fails with an error, and succeeds without the sandbox",
        .noThreadSanitizer
    )
    func attempts() throws {
        try Attack.open { attack in
            let free = try attack.outcomes(["--no-sandbox"])
            #expect(free.count >= 30)
            let failed = free.filter { $0.value != "achieved" }
            #expect(failed == [:], "an attempt that always fails proves nothing")

            let refusals: Set = ["EACCES", "EPERM", "ENOSYS", "ENOTSUP", "EXDEV", "EFBIG"]
            // Other processes do not exist for it.
            let absences: Set = ["ENOENT", "ESRCH"]
            // Root needs no namespace of users for that of processes, and others do.
            for wrapper in [[], Attack.without("privileges")] {
                let confined = try attack.outcomes([], under: wrapper)
                #expect(Set(confined.keys) == Set(free.keys))
                let succeeded = confined.filter { name, outcome in
                    !refusals.contains(outcome) && !Attack.excused.contains(name)
                        && !(absences.contains(outcome) && name.contains(" process"))
                }
                #expect(succeeded == [:])
            }
        }
    }

    @Test("The error of an extension that its sandbox stopped names the path and the lines for Info.plist")
    func adviceAboutFile() throws {
        try Attack.open { attack in
            let said = "echo '\(attack.home)/secret, which cannot be read: Permission denied.' >&2; exit 1"
            for (name, script) in [("reader", "exec cat '\(attack.home)/secret'"), ("teller", said)] {
                try attack.workspace.add(named: name, script: script, permissions: [:])
                let message = try attack.host([]).show(name)["error"]?["message"]?.string ?? ""
                let line = "<key>Read</key><array><string>\(attack.home)/secret</string></array>"
                #expect(message.contains("its sandbox keeps \(attack.home)/secret from it"), "\(message)")
                #expect(message.contains(line), "\(message)")
                #expect(
                    message.hasSuffix("PushhostPermissions in \(attack.workspace.plugins)/\(name)/Info.plist"),
                    "\(message)"
                )
            }
        }
    }

    @Test("The error of an extension without network names the lines for Info.plist")
    func adviceAboutNetwork() throws {
        try Attack.open { attack in
            let fetch = #"exec python3 -c 'import urllib.request as r; r.urlopen("http://127.0.0.1:9")'"#
            try attack.workspace.add(named: "fetcher", script: fetch)
            let message = try attack.host([]).show("fetcher")["error"]?["message"]?.string ?? ""
            #expect(message.contains("its sandbox has no network"), "\(message)")
            #expect(message.contains("<key>Network</key><array><string>*</string></array>"), "\(message)")
        }
    }

    @Test(
        "A declared file can be read, a declared folder written and a declared port reached, and nothing beside them",
        .noThreadSanitizer
    )
    func permissions() throws {
        try Attack.open { attack in
            let permissions: [String: Any] = [
                "Network": ["127.0.0.1:\(attack.victim["port"]?.string ?? "")"], "Read": ["~/secret"],
                "Write": ["\(attack.workspace.root)/shared"],
            ]
            try FileManager.default.createDirectory(
                atPath: "\(attack.workspace.root)/shared",
                withIntermediateDirectories: false
            )
            try attack.addHostile(permissions)
            let outcomes = try attack.outcomes([], setting: ["temporary": .string("\(attack.workspace.root)/shared")])
            let achieved = Set(outcomes.filter { $0.value == "achieved" }.keys)
            var expected: Set = [
                "read a file of the home folder", "follow a symbolic link of its own", "let another program read",
                "escape by two forks", "write beside its temporary folder", "connect to a port",
                "ask the kernel about routes", "send a datagram",
            ]
            // Only ports of TCP are restricted, and listening is none that a bundle can declare.
            expected.formUnion(achieved.intersection(Attack.excused))
            #expect(achieved == expected)
        }
    }

    @Test("Of a folder that its executable names for libraries it reads these, and nothing else")
    func libraries() throws {
        try Attack.open { attack in
            let folder = "\(attack.workspace.root)/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            for name in ["letter", "liba.so", "libb.so.1.2"] {
                try Data("secret".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            for (name, target) in [("libletter.so", "letter"), ("libb.so.1", "libb.so.1.2")] {
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: target)
            }
            // A folder of its own, with a link to a file of the user that has the name of a library.
            try attack.addHostile(inProgramWithLibrariesIn: ["$ORIGIN/../../folder", "$ORIGIN"])
            let bundle = "\(attack.workspace.plugins)/hostile"
            try FileManager.default.createSymbolicLink(
                atPath: "\(bundle)/libsecret.so",
                withDestinationPath: "\(attack.home)/secret"
            )
            let host = try attack.host([])
            func read(_ path: String) throws -> String {
                try attack.outcome("read a file of the home folder", in: host, setting: ["secret": .string(path)])
            }
            for name in ["liba.so", "libb.so.1", "libb.so.1.2"] {
                #expect(try read("\(folder)/\(name)") == "achieved", "\(name)")
            }
            for name in ["letter", "libletter.so"] {
                #expect(try read("\(folder)/\(name)") == "EACCES", "\(name)")
            }
            #expect(try read("\(bundle)/libsecret.so") == "EACCES")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Of folders with many libraries, which its executable names often, it reads 20,000, and starts soon")
    func manyLibraries() throws {
        try Attack.open { attack in
            let folder = "\(attack.workspace.root)/many"
            let files = (0...20_000).map { "\(folder)/lib\(100_000 + $0).so" }
            // Foundation takes a millisecond for each file.
            func shell(_ script: String) throws {
                let status = try TestSupport.ChildProcess("/bin/sh", ["-c", script]).wait()
                guard status == .code(0) else { throw TestFailure("\(script): \(status)") }
            }
            try shell("mkdir '\(folder)' && cd '\(folder)' && for n in $(seq 100000 120000); do echo > lib$n.so; done")
            defer { #expect(throws: Never.self) { try shell("rm -r '\(folder)'") } }
            try attack.addHostile(inProgramWithLibrariesIn: Array(repeating: "$ORIGIN/../../many", count: 200))
            let host = try attack.host([])
            func read(_ path: String) throws -> String {
                try attack.outcome("read a file of the home folder", in: host, setting: ["secret": .string(path)])
            }
            let start = ContinuousClock.now
            #expect(try read(files[0]) == "achieved")
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(try read(files[19_999]) == "achieved")
            #expect(try read(files[20_000]) == "EACCES")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Links of a bundle that have the names of what programs have beside them open nothing")
    func bundleLinks() throws {
        try Attack.open { attack in
            let folder = "\(attack.workspace.root)/folder"
            let bundle = "\(attack.workspace.plugins)/hostile"
            for place in [folder, "\(bundle)/bin", "\(attack.folder(of: Workspace.group))/bin"] {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            }
            try Data("secret".utf8).write(to: URL(filePath: "\(folder)/letter"))
            func link(_ path: String, to target: String) throws {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            }
            try link("\(folder)/python3", to: "/usr/bin/python3")
            try link("\(bundle)/lib", to: "../../folder")
            try link("\(bundle)/.build", to: "../../folder")
            let group = attack.folder(of: Workspace.group)
            try link("\(group)/lib", to: folder)
            try link("\(group)/bin/python3", to: "/usr/bin/python3")
            try FileManager.default.moveItem(atPath: "\(bundle)/run", toPath: "\(bundle)/bin/prog")
            try link("\(bundle)/run", to: "bin/prog")
            let script = try String(contentsOfFile: "\(bundle)/bin/prog", encoding: .utf8)
            // The bundle's prefix, that of an App Group, and a package that is a link.
            for interpreter in ["/usr/bin/env python3", "\(group)/bin/python3", "\(bundle)/.build/python3"] {
                try writeExecutable("#!\(interpreter)\n" + script, to: "\(bundle)/bin/prog")
                let host = try attack.host([])
                let letter = JSON.string("\(folder)/letter")
                let outcome = try attack.outcome(
                    "read a file of the home folder",
                    in: host,
                    setting: ["secret": letter]
                )
                #expect(outcome == "EACCES", "\(interpreter)")
                #expect(try host.finish() == .code(0))
            }
        }
    }

    @Test(
        "A bundle with the name of a folder of programs reads nothing beside it",
        arguments: ["shims", "bin"]
    )
    func bundleNames(name: String) throws {
        try Attack.open { attack in
            let plugins = attack.workspace.plugins
            let letter = "\(plugins)/lib/letter"
            try FileManager.default.createDirectory(atPath: "\(plugins)/lib", withIntermediateDirectories: false)
            try Data("secret".utf8).write(to: URL(filePath: letter))
            try attack.workspace.add(named: name, script: "exec cat '\(letter)'", permissions: [:])
            let message = try attack.host([]).show(name)["error"]?["message"]?.string ?? ""
            #expect(message.contains("its sandbox keeps \(letter) from it"), "\(message)")
        }
    }

    @Test(
        "Of a prefix and a package whose program runs it, it reads the libraries, also by links within these",
        arguments: [("bin", "lib64", "lib"), (".build/debug", ".build/debug", ".build/x86_64-unknown-linux-gnu/debug")]
    )
    func linksInPrefix(programs: String, libraries: String, target: String) throws {
        try Attack.open { attack in
            let prefix = "\(attack.workspace.root)/prefix"
            for folder in ["\(prefix)/bin", "\(prefix)/\(target)"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(prefix)/\(libraries)",
                withDestinationPath: target.replacing(".build/", with: "")
            )
            try FileManager.default.createSymbolicLink(
                atPath: "\(prefix)/\(programs)/python3",
                withDestinationPath: "/usr/bin/python3"
            )
            for file in ["\(prefix)/\(target)/data", "\(prefix)/letter"] {
                try Data("secret".utf8).write(to: URL(filePath: file))
            }
            let run = "\(attack.workspace.plugins)/hostile/run"
            let script = try String(contentsOfFile: run, encoding: .utf8)
            try writeExecutable("#!\(prefix)/\(programs)/python3\n" + script, to: run)
            let host = try attack.host([])
            func read(_ path: String) throws -> String {
                try attack.outcome("read a file of the home folder", in: host, setting: ["secret": .string(path)])
            }
            #expect(try read("\(prefix)/\(libraries)/data") == "achieved")
            #expect(try read("\(prefix)/letter") == "EACCES")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension in Swift gets threads beyond the number of processors, which libdispatch counts in /proc")
    func threads() throws {
        try Attack.open { attack in
            let program = try builtProduct("hostile-extension")
            let script = try Workspace.script("needsManyThreads")
            try attack.workspace.add(named: "needsManyThreads", script: script, permissions: ["Read": [program]])
            let host = try attack.host([])
            _ = try host.shown("needsManyThreads")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Each extension has a temporary folder of its own, which is removed when the host ends")
    func temporaryFolder() throws {
        try Attack.open { attack in
            let write = #"echo x > "$TMPDIR/x" && echo "$TMPDIR" >&2; exit 3"#
            try attack.workspace.add(named: "first", script: write)
            try attack.workspace.add(named: "second", script: write)
            let host = try attack.host([])
            let folders = try ["first", "second"].map { name in
                _ = try host.show(name)
                return try host.describe(name)["stderr"]?.string?.trimmingCharacters(in: .newlines) ?? ""
            }
            #expect(Set(folders).count == 2)
            for folder in folders { #expect(FileManager.default.fileExists(atPath: "\(folder)/x"), "\(folder)") }
            #expect(try host.finish() == .code(0))
            for folder in folders { #expect(!FileManager.default.fileExists(atPath: folder), "\(folder)") }
        }
    }

    @Test("A bundle copies a folder, of which the modes and times are ignored")
    func copies() throws {
        try Attack.open { attack in
            let host = try attack.host([])
            #expect(try attack.outcome("copy its own folder", in: host) == "achieved")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle makes a file by touching it, and a path's time cannot be set to the present")
    func touches() throws {
        try Attack.open { attack in
            let host = try attack.host([])
            #expect(try attack.outcome("touch a file", in: host) == "achieved")
            #expect(try attack.outcome("set the time of its own program to now", in: host) == "ENOENT")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle writes the folder of its App Group, if there is one, and not that of another group")
    func applicationGroups() throws {
        try Attack.open { attack in
            let other = "group.com.example.other"
            for group in [Workspace.group, other] {
                try FileManager.default.createDirectory(
                    atPath: attack.folder(of: group),
                    withIntermediateDirectories: true
                )
            }
            let host = try attack.host([])
            func write(_ group: String) throws -> String {
                let folder = JSON.string(attack.folder(of: group))
                return try attack.outcome("write beside its temporary folder", in: host, setting: ["temporary": folder])
            }
            #expect(try write(Workspace.group) == "achieved")
            #expect(FileManager.default.fileExists(atPath: "\(attack.folder(of: Workspace.group))/hostile"))
            #expect(try write(other) == "EACCES")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A system that lacks something runs extensions, and the log, doctor and --require-sandbox say what is missing",
        .noThreadSanitizer,
        arguments: [
            (
                "landlock",
                "read and write every file of yours (the kernel has no Landlock, which Linux has from 5.13 on)"
            ),
            (
                "namespaces",
                "list your other processes with their arguments (this system refuses namespaces of processes)"
            ),
        ]
    )
    func gaps(missing: String, gap: String) throws {
        try Attack.open { attack in
            try attack.workspace.add("good")
            let host = try attack.host([], under: Attack.without(missing))
            _ = try host.shown("good")
            #expect(try host.describe("good")["sandbox"] == "partial")
            #expect(try host.finish() == .code(0))
            let log = host.process.standardError.split(separator: "\n")
                .filter { $0.contains("the sandbox is not whole") }
            #expect(log.count == 1 && log.first?.contains(gap) == true, "\(log)")

            let strict = try run(hostCommand(["--require-sandbox"], unchecked: "it does not start"), without: missing)
            #expect(try strict.wait() == .code(71))
            #expect(strict.standardError.hasPrefix("Error: --require-sandbox: on this system an extension can "))
            #expect(strict.standardError.contains(gap))

            let arguments = ["doctor", "--to", "file"] + attack.workspace.arguments()
            let doctor = try run(hostCommand(arguments, unchecked: "it is a command"), without: missing)
            #expect(try doctor.readToEnd().contains(gap))
        }
    }

    private func run(_ command: [String], without missing: String) throws -> TestSupport.ChildProcess {
        let line = Attack.without(missing) + command
        return try TestSupport.ChildProcess(line[0], Array(line.dropFirst()))
    }

    @Test("extensions says whether a bundle runs in a sandbox, and what it may do besides", arguments: [true, false])
    func listing(isOn: Bool) throws {
        try Attack.open { attack in
            try attack.addHostile(["Network": ["*:443"], "Read": ["~/secret"], "Write": ["/var/tmp"]])
            let entry = try attack.host(isOn ? [] : ["--no-sandbox"]).describe("hostile")
            #expect(entry["sandbox"] == (isOn ? Sandbox.gaps.isEmpty ? "on" : "partial" : "off"))
            #expect(entry["permissions"] == ["network": ["*:443"], "read": ["~/secret"], "write": ["/var/tmp"]])
        }
    }
}

/// A bundle that attacks, and what it attacks: a home folder, suites, another bundle and a process.
private struct Attack {
    let workspace: Workspace
    let setup: ControlSetup
    /// What the victim told about itself; it runs as long as this value exists.
    let victim: JSON
    private let process: TestSupport.ChildProcess

    /// What an extension can do if this system lacks something that the sandbox needs.
    static let excused: Set =
        Sandbox.gaps.isEmpty
        ? []
        : [
            "signal a process", "truncate a file", "list the processes", "read the arguments of a process",
            "connect to another port",
        ]

    /// The beginning of a command that runs on a system that lacks something.
    static func without(_ missing: String) -> [String] {
        ["/usr/bin/python3", "\(repositoryRoot)/Tests/Fixtures/sandbox/without.py", missing]
    }

    var home: String { "\(workspace.root)/home" }

    /// The folder of an App Group.
    func folder(of group: String) -> String { "\(home)/.local/share/pushhost/groups/\(group)" }

    static func open(_ body: (Attack) throws -> Void) throws {
        try ControlSetup.open { setup in try body(Attack(setup)) }
    }

    private init(_ setup: ControlSetup) throws {
        (self.setup, workspace) = (setup, setup.workspace)
        process = try TestSupport.ChildProcess(
            "/usr/bin/python3",
            ["\(repositoryRoot)/Tests/Fixtures/sandbox/victim.py", workspace.root]
        )
        victim = try JSON(parsing: try process.readLine() ?? "")
        for name in ["home", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(workspace.root)/\(name)",
                withIntermediateDirectories: false
            )
        }
        try restore()
        try workspace.add(named: "other", script: "exit 1")
        try addHostile()
    }

    /// Adds the bundle that attacks, with permissions.
    func addHostile(_ permissions: [String: Any] = [:]) throws {
        let folder = try workspace.add(named: "hostile", script: nil, permissions: permissions)
        let script = try String(contentsOfFile: "\(repositoryRoot)/Tests/Fixtures/sandbox/hostile.py", encoding: .utf8)
        try writeExecutable("#!/usr/bin/env python3\n" + script, to: "\(folder)/run")
    }

    /// Makes the executable of the bundle that attacks an ELF file that looks for libraries in these folders.
    func addHostile(inProgramWithLibrariesIn folders: [String]) throws {
        let bundle = "\(workspace.plugins)/hostile"
        try FileManager.default.moveItem(atPath: "\(bundle)/run", toPath: "\(bundle)/hostile.py")
        let compiler = try TestSupport.ChildProcess(
            try Tool(name: "clang", package: "clang").path(),
            ["-x", "c", "-", "-o", "\(bundle)/run", "-Wl,--enable-new-dtags,-rpath,\(folders.joined(separator: ":"))"]
        )
        try compiler.write(
            """
            #include <unistd.h>
            int main(void) { return execlp("python3", "python3", "hostile.py", (char *)0); }
            """.utf8
        )
        compiler.closeInput()
        guard try compiler.wait() == .code(0) else { throw TestFailure("not compiled: \(compiler.standardError)") }
    }

    /// A host whose home and temporary folder are those of the attack.
    func host(_ options: [String], under wrapper: [String] = []) throws -> HostProcess {
        let variables = ["HOME=\(home)", "TMPDIR=\(workspace.root)/tmp", "PATH=/usr/bin:/bin"]
        return try setup.host(options, under: ["/usr/bin/env"] + variables + wrapper)
    }

    /// What became of each attempt in a host with these options: "achieved", or the name of an error.
    func outcomes(
        _ options: [String],
        under wrapper: [String] = [],
        setting changes: [String: JSON] = [:]
    ) throws -> [String: String] {
        let list = try TestSupport.ChildProcess(
            "/usr/bin/python3",
            ["\(repositoryRoot)/Tests/Fixtures/sandbox/hostile.py", "list"]
        )
        let names = try JSON(parsing: try list.readToEnd()).array?.compactMap(\.string) ?? []
        let host = try host(options, under: wrapper)
        try host.result("saveCustomEvent", ["name": "e"])
        var outcomes: [String: String] = [:]
        for name in names { outcomes[name] = try outcome(name, in: host, setting: changes) }
        #expect(try host.finish() == .code(0))
        return outcomes
    }

    /// What becomes of one attempt.
    func outcome(_ name: String, in host: HostProcess, setting changes: [String: JSON] = [:]) throws -> String {
        try restore()
        var payload = HostProcess.payload("hostile", title: name)["payload"]?.object ?? JSON.Object()
        var info: [String: JSON] = [
            "home": .string(home), "secret": .string("\(home)/secret"), "victim file": .string("\(home)/file"),
            "program": .string("\(home)/program"), "suite": .string("\(workspace.data)/standard.sqlite"),
            "other bundle": .string("\(workspace.plugins)/other/run"),
            "temporary": .string("\(workspace.root)/tmp"),
            "control socket": .string(try setup.socket(of: host)),
        ]
        for (key, value) in victim.object ?? JSON.Object() { info[key] = value }
        for (key, value) in info.merging(changes, uniquingKeysWith: { $1 }) {
            payload = payload.setting(key, to: value)
        }
        let result = try host.result("didReceive", ["payload": .object(payload)])
        return result["view"]?["text"]?.string ?? "\(result)"
    }

    /// Makes the files again that an attempt may have changed.
    private func restore() throws {
        for folder in [home, "\(workspace.root)/tmp"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where !name.hasPrefix("pushhost-extension") && name != "secret" && name != ".local" {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
        // A permission to read a file ends when another file takes its place.
        for name in ["secret", "file"] where !FileManager.default.fileExists(atPath: "\(home)/\(name)") {
            try Data("secret".utf8).write(to: URL(filePath: "\(home)/\(name)"))
        }
        try FileManager.default.createSymbolicLink(atPath: "\(home)/program", withDestinationPath: "\(home)/copy")
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: "\(home)/copy")
    }
}
