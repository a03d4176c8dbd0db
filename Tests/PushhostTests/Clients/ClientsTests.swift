import Foundation
import JSON
import TestSupport
import Testing

/// Clients in other languages, as short as a newcomer would write them.
@Suite(.waits, .wire) struct ClientsTests {
    private static let python = """
        import json, subprocess, sys
        host = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        def call(method, **params):
            print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=host.stdin, flush=True)
            return json.loads(host.stdout.readline())
        reply = call("didReceive", payload={"aps": {"category": "good", "alert": {"title": "Grüße"}}})
        print(reply["result"]["view"]["text"])
        print(call("saveCustomEvent", name="Seen", properties={"score": 4})["result"]["id"])
        print(call("pending")["result"]["records"][0]["properties"]["score"])
        print(call("dismiss", notification="nobody")["error"]["data"]["reason"])
        host.stdin.close()
        print(host.wait())
        """

    private static let node = """
        const { spawn } = require("child_process");
        const [program, ...options] = process.argv.slice(1);
        const host = spawn(program, options, { stdio: ["pipe", "pipe", "inherit"] });
        const lines = require("readline").createInterface({ input: host.stdout })[Symbol.asyncIterator]();
        async function call(method, params = {}) {
          host.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\\n");
          return JSON.parse((await lines.next()).value);
        }
        (async () => {
          const payload = { aps: { category: "good", alert: { title: "Grüße" } } };
          console.log((await call("didReceive", { payload })).result.view.text);
          console.log((await call("saveCustomEvent", { name: "Seen", properties: { score: 4 } })).result.id);
          console.log((await call("pending")).result.records[0].properties.score);
          console.log((await call("dismiss", { notification: "nobody" })).error.data.reason);
          host.on("exit", (code) => console.log(code));
          host.stdin.end();
        })();
        """

    @Test("A Python client calls the host over pipes")
    func pythonClient() throws {
        _ = try Tool.python.path()
        try check(["python3", "-c", Self.python])
    }

    @Test("A Node client calls the host over its sockets")
    func nodeClient() throws {
        _ = try Tool.node.path()
        try check(["node", "-e", Self.node])
    }

    private func check(_ command: [String]) throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let arguments = try hostCommand(workspace.arguments())
            var environment = ProcessInfo.processInfo.environment
            environment["PYTHONIOENCODING"] = "utf-8"
            let client = try ChildProcess("/usr/bin/env", command + arguments, environment: environment)
            let text = try client.readToEnd()
            #expect(try client.wait() == .code(0), "\(client.standardError)")
            #expect(text == "Grüße\n1\n4\nunknownNotification\n0\n", "\(client.standardError)")
        }
    }
}
