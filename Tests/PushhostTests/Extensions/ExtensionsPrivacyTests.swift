import Foundation
import JSON
import TestSupport
import Testing

/// What an extension, which runs as the same user, can read of the host's process.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsPrivacyTests {
    /// Root may read everything.
    ///
    /// Without its capabilities it is treated like any other user.
    private static func wrapper() throws -> [String] {
        getuid() == 0 ? [try Tool(name: "setpriv", package: "util-linux").path(), "--bounding-set=-all"] : []
    }

    @Test("The host's environment and memory are closed to its extensions, unlike those of the user's other processes")
    func environment() throws {
        try Workspace.open { workspace in
            // The control is the shell itself, which another process can read: an unprotected host would be equally
            // readable.
            let script = """
                for file in environ maps; do cat /proc/$PPID/$file > host-$file 2>> errors; done
                cat /proc/$$/environ > control
                \(try Workspace.script("good"))
                """
            let folder = try workspace.add(named: "good", script: script)
            var environment = ProcessInfo.processInfo.environment
            environment["TRIED_SECRET"] = "s3cret"
            // In a sandbox it could read no process at all.
            let host = try workspace.host(["--no-sandbox"], environment: environment, under: try Self.wrapper())
            _ = try host.shown("good")
            let read = { (name: String) in try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
            #expect(try read("control").contains("PUSHHOST_EXTENSION="))
            #expect(try read("host-environ") == "")
            #expect(try read("host-maps") == "")
            #expect(try read("errors").split(separator: "\n").count == 2)
            #expect(try host.finish() == .code(0))
        }
    }

    /// A content extension that repeatedly reads the environments of all processes.
    ///
    /// In each call it records whether it could read the environment of another process of its host, and how many of
    /// all environments contained the text in the file `secret`.
    private static let snooper = """
        exec python3 -c '
        import glob, json, os, sys, threading
        secret = open("secret", "rb").read()
        own = b"PUSHHOST_HOST=" + os.environb[b"PUSHHOST_HOST"]
        readable, found = set(), set()
        def look():
            for path in glob.glob("/proc/[0-9]*/environ"):
                try: environment = open(path, "rb").read()
                except OSError: continue
                if own in environment: readable.add(path)
                if secret in environment: found.add(path)
        def watch():
            while True: look()
        threading.Thread(target=watch, daemon=True).start()
        for message in map(json.loads, sys.stdin):
            if "id" not in message: continue
            look()
            with open("looks", "w") as file: print(len(readable) > 1, len(found), file=file, end="")
            result = {"version": "1.0"} if message["method"] == "activate" else {}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
        '
        """

    @Test("A variable that a destination receives from the host is in no environment that others can read")
    func destination() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            let secret = UUID().uuidString
            let snooper = try workspace.add(named: "snooper", script: Self.snooper)
            try Data(secret.utf8).write(to: URL(filePath: "\(snooper)/secret"))
            let program = """
                def deliver(batch, n):
                    return accept(batch) if environment == {"TRIED_SECRET": "\(secret)"} else {"stop": "no secret"}
                """
            try destinations.add(program, attributes: ["PushhostEnvironment": ["TRIED_SECRET", "UNSET"]])
            let environment = ProcessInfo.processInfo.environment.merging(["TRIED_SECRET": secret]) { $1 }
            // In its sandbox the snooper could read no process.
            let host = try workspace.host(["--no-sandbox"], environment: environment, under: try Self.wrapper())
            _ = try host.shown("snooper")
            _ = try host.result("saveCustomEvent", ["name": "e"])
            let flushed = try host.deliver()
            #expect(flushed["result"]?["delivered"] == 1, "\(flushed)")
            // The destination is still running and does not hide anything itself: it is a plain script.
            _ = try host.shown("snooper")
            let looks = try String(contentsOfFile: "\(snooper)/looks", encoding: .utf8)
            #expect(looks == "True 0")
            #expect(try host.finish() == .code(0))
        }
    }
}
