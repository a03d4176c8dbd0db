import Foundation
import JSON
import TestSupport
import Testing

/// A workspace with a service extension that behaves as each payload says, and a content extension that shows the
/// content that it received as text.
struct ServiceWorkspace {
    static let point = "com.apple.usernotifications.service"

    let bundles: Workspace
    /// The folder of the service's bundle.
    let service: String

    /// Creates a workspace for the closure; the categories of the content extension are `echo` and `other`.
    static func open(_ body: (ServiceWorkspace) throws -> Void) throws {
        let python = try Tool.python.path()
        try Workspace.open { workspace in
            let service = try workspace.add(named: "service", point: point, script: "exec '\(python)' service.py")
            try Data(serviceProgram.utf8).write(to: URL(filePath: "\(service)/service.py"))
            let categories = ["UNNotificationExtensionCategory": ["echo", "other"]]
            let echo = try workspace.add(named: "echo", script: "exec '\(python)' echo.py", attributes: categories)
            try Data(echoProgram.utf8).write(to: URL(filePath: "\(echo)/echo.py"))
            try body(ServiceWorkspace(bundles: workspace, service: service))
        }
    }

    /// Runs the closure with a host, which must exit cleanly afterwards.
    static func withHost(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try open { service in
            let host = try service.bundles.host(options)
            try body(host)
            #expect(try host.finish() == .code(0), "\(host.process.standardError)")
        }
    }

    /// The params of a `didReceive` for the service; the pairs are further members of the payload.
    static func notification(
        thread: String = "",
        mutable: JSON? = 1,
        alert: JSON = ["title": "T", "body": "B"],
        category: String = "echo",
        _ pairs: [(String, JSON)] = []
    ) -> JSON {
        var aps: [(String, JSON)] = [
            ("alert", alert), ("category", .string(category)), ("thread-id", .string(thread)),
        ]
        if let mutable { aps.append(("mutable-content", mutable)) }
        return ["payload": .object(JSON.Object([("aps", .object(JSON.Object(aps)))] + pairs))]
    }

    /// A service that does what `do` in the payload names.
    ///
    /// Without `do`, it writes the `files` of the payload, and answers with its `change` and `diagnostics`.
    private static let serviceProgram = #"""
        import json, os, stat, sys

        folder, late = None, None

        def send(**message):
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

        def log(message):
            send(method="log", params={"level": "info", "message": message})

        def with_folder(value):
            if isinstance(value, str):
                return value.replace("FOLDER", "file://" + str(folder))
            if isinstance(value, list):
                return [with_folder(element) for element in value]
            return {name: with_folder(member) for name, member in value.items()} if isinstance(value, dict) else value

        def read():
            line = sys.stdin.readline()
            return json.loads(line) if line else None

        def respond(id, notification, info):
            global late
            do = info.get("do")
            for name, text in info.get("files", {}).items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(text)
            if do == "crash":
                sys.exit(3)
            if do == "refuse":
                return send(id=id, error={"code": 1, "message": "not today"})
            if do == "garbage":
                print("no message at all", flush=True)
                return send(id=id, result=info["answer"])
            if do == "silence":
                return log("silent")
            if do == "late":
                late = id
                return log("late")
            if do == "wait":
                log("waiting")
                with open("gate", "rb", buffering=0) as gate:
                    gate.read(1)
            if do == "call":
                errors = []
                for method, more in [("saveCustomEvent", {"name": "x"}), ("setView", {"view": {"type": "text"}})]:
                    send(id=method, method=method, params={"notification": notification, **more})
                    errors.append(read()["error"]["data"]["reason"])
                return send(id=id, result={"content": {"title": " ".join(errors)}})
            if do == "allocate":
                # Freed before the answer, as data of a picture is.
                memory = bytearray(b"x") * (info["megabytes"] << 20)
                del memory
                if info.get("silent"):
                    return
            if do == "fork":
                end, kept = os.pipe()
                if os.fork() == 0:
                    os.close(kept)
                    os.read(end, 1)
                    os._exit(0)
            if do == "connect":
                import socket
                socket.socket().close()
            if do == "replace":
                link, target = info["replacement"]
                os.rename(link, link + "-before")
                os.symlink(target, link)
            if do == "open":
                open(info["path"]).read()
            if do == "report":
                mode = oct(stat.S_IMODE(os.stat(folder).st_mode)) if folder else "none"
                return send(id=id, result={"content": {"title": mode}})
            result = {"content": with_folder(info.get("change", {}))}
            if "diagnostics" in info:
                result["diagnostics"] = info["diagnostics"]
            send(id=id, result=result)

        while True:
            message = read()
            if message is None:
                break
            method, params = message["method"], message.get("params")
            if method == "activate":
                folder = params.get("attachments")
                send(id=message["id"], result={"version": "1.0"})
            elif method == "serviceExtensionTimeWillExpire" and late is not None:
                send(id=late, result={"content": {"title": "at the last moment"}})
                late = None
            elif method == "didReceive":
                respond(message["id"], params["notification"], params["request"]["content"]["userInfo"])
        """#

    /// An extension that shows the content that it received, but refuses a notification whose title is `refused`.
    private static let echoProgram = #"""
        import json, sys

        for message in map(json.loads, sys.stdin):
            if "id" not in message:
                continue
            answer = {"result": {"version": "1.0"}}
            if message["method"] == "didReceive":
                content = message["params"]["request"]["content"]
                view = {"type": "text", "id": "content", "text": json.dumps(content)}
                answer = {"result": {"view": view}}
                if content["title"] == "refused":
                    answer = {"error": {"code": 1, "message": "refused"}}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
        """#
}

/// A shown notification, as the content extension received it.
struct ServedNotification {
    let notification: JSON
    let content: JSON
    let diagnostics: [JSON]

    init(_ reply: JSON) throws {
        guard let notification = reply["result"]?["notification"], let text = reply["result"]?["view"]?["text"]?.string
        else { throw TestFailure("the reply shows nothing: \(reply)") }
        self.notification = notification
        content = try JSON(parsing: text)
        diagnostics = (reply["result"]?["diagnostics"]).elements
    }

    var title: String? { content["title"]?.string }
    var reasons: [String] { diagnostics.compactMap { $0["reason"]?.string } }
    /// The paths of its attachments.
    var attachments: [String] {
        content["attachments"].elements.compactMap { $0["url"]?.string.flatMap(URL.init(string:))?.path }
    }
}

extension JSON? {
    /// The elements of an array; empty for any other value.
    var elements: [JSON] { self?.array.map { Swift.Array($0) } ?? [] }
}

extension HostProcess {
    /// Sends a notification to the service and returns what the content extension received.
    func served(_ pairs: [(String, JSON)], thread: String = "") throws -> ServedNotification {
        try ServedNotification(try call("didReceive", ServiceWorkspace.notification(thread: thread, pairs)))
    }
}
