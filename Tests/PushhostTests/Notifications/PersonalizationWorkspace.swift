import Foundation
import JSON
import TestSupport
import Testing

/// A workspace with an extension that renders templates, and with the two extensions of a ``ServiceWorkspace``.
struct PersonalizationWorkspace {
    static let point = "pushhost.personalization"

    let bundles: Workspace
    /// The bundle folder of the extension that renders templates.
    let renderer: String

    /// Creates a workspace for the closure.
    static func open(_ body: (PersonalizationWorkspace) throws -> Void) throws {
        let python = try Tool.python.path()
        try ServiceWorkspace.open { service in
            let script = "exec '\(python)' renderer.py"
            let renderer = try service.bundles.add(named: "renderer", point: point, script: script)
            try Data(program.utf8).write(to: URL(filePath: "\(renderer)/renderer.py"))
            try body(PersonalizationWorkspace(bundles: service.bundles, renderer: renderer))
        }
    }

    /// Runs the closure with a host, which must exit cleanly afterwards.
    static func withHost(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try open { workspace in
            let host = try workspace.bundles.host(options)
            try body(host)
            #expect(try host.finish() == .code(0), "\(host.process.standardError)")
        }
    }

    /// The params of a `didReceive` with a template and a profile.
    static func template(
        _ title: String = "Hello <name>",
        thread: String = "",
        mutable: JSON? = nil,
        _ profile: JSON = ["name": "Ada"],
        _ pairs: [(String, JSON)] = []
    ) throws -> JSON {
        let alert: JSON = ["title": .string(title), "body": "B"]
        let plain = ServiceWorkspace.notification(thread: thread, mutable: mutable, alert: alert, pairs)
        guard let params = plain.object else { throw TestFailure("\(plain) is not an object") }
        return .object(params.setting("profile", to: profile))
    }

    /// An extension that replaces `<name>` with the profile's value, or does what `do` in the profile names.
    private static let program = #"""
        import json, re, sys

        def send(**message):
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

        def log(message):
            send(method="log", params={"level": "info", "message": message})

        def render(value, profile):
            if isinstance(value, str):
                return re.sub("<([a-z_]+)>", lambda found: str(profile.get(found[1], "")), value)
            if isinstance(value, list):
                return [render(element, profile) for element in value]
            return {name: render(member, profile) for name, member in value.items()} if isinstance(value, dict) else value

        def respond(id, params):
            profile = params["profile"]
            do = profile.get("do")
            if do == "crash":
                sys.exit(3)
            if do == "refuse":
                data = {"reason": "invalidTemplate", "path": "/params/payload/aps/alert/title"}
                return send(id=id, error={"code": 1, "message": "a tag is not closed", "data": data})
            if do == "silence":
                return log("silent")
            if do == "wait":
                log("waiting")
                with open("gate", "rb", buffering=0) as gate:
                    gate.read(1)
            if do == "report":
                received = {name: params[name] for name in ("locale", "date")}
                return send(id=id, result={"payload": {**params["payload"], "received": received}})
            if do == "save":
                send(id="save", method="saveCustomEvent", params={"name": "x"})
                reason = json.loads(sys.stdin.readline())["error"]["data"]["reason"]
                return send(id=id, result={"payload": {**params["payload"], "received": reason}})
            if do == "answer":
                return send(id=id, result=profile["answer"])
            send(id=id, result={"payload": render(params["payload"], profile), "diagnostics": profile.get("diagnostics", [])})

        for message in map(json.loads, sys.stdin):
            if message["method"] == "activate":
                send(id=message["id"], result={"version": "1.0"})
            elif message["method"] == "personalize":
                respond(message["id"], message["params"])
            elif message["method"] == "checkTemplates" and message["params"]["payload"].get("do") == "wait":
                log("waiting")
                with open("gate", "rb", buffering=0) as gate:
                    gate.read(1)
                send(id=message["id"], result={"findings": []})
                log("checked")
            elif "id" in message:
                send(id=message["id"], error={"code": -32601, "message": "no such call", "data": {"reason": "methodNotFound"}})
        """#
}

extension HostProcess {
    /// Sends a template and returns what the content extension received.
    func rendered(_ params: JSON) throws -> ServedNotification {
        try ServedNotification(try call("didReceive", params))
    }
}
