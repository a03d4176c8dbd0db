import Foundation
import JSON

// Its attempts on other extensions' resources and their outcomes, which the view of the answer contains.

extension Hostile {
    func findings(_ call: Call) -> JSON {
        switch behaviour {
        case .tellsRefusal:
            let params: JSON = [
                "notification": call.notification, "name": "Seen", "suite": "group.com.example.other",
            ]
            return answer("saveCustomEvent", params)["error"] ?? .null
        case .callsClientMethods: return clientMethods(call)
        case .touchesSuite: return suiteMethods(call)
        case .touchesOthers: return notificationMethods(call)
        case .tellsSurroundings: return surroundings
        case .hogsDescriptors: return descriptors
        default: return .null
        }
    }

    /// The host's answer.
    private func answer(_ method: String, _ params: JSON) -> JSON {
        wire.request("ask", method, params)
        while let message = wire.read() {
            if message["id"] == "ask" { return message }
        }
        exit(98)
    }

    /// By method: the reason of the error, or the result.
    private func answers(_ calls: [(method: String, params: JSON)]) -> JSON {
        let members = calls.map { method, params in
            let answer = answer(method, params)
            return (method, answer["error"]?["data"]?["reason"] ?? answer["result"] ?? .null)
        }
        return .object(JSON.Object(members))
    }

    private func clientMethods(_ call: Call) -> JSON {
        let methods = [
            "didReceive", "didReceiveResponse", "interact", "mediaPlay", "mediaPause", "dismiss", "notifications",
            "setNotificationCategories", "getNotificationCategories", "pending", "flushPending", "acknowledge",
            "resetStorageKeys", "suites", "ping", "status", "extensions", "reloadExtensions", "subscribe",
            "rpc.discover", "shutdown", "$/cancelRequest", "initialize", "server/discover", "tools/list", "tools/call",
        ]
        return answers(methods.map { ($0, [:]) })
    }

    private func suiteMethods(_ call: Call) -> JSON {
        let suite: [(String, JSON)] = call.title == "" ? [] : [("suite", call.title)]
        func params(_ members: (String, JSON)...) -> JSON {
            .object(JSON.Object([("notification", call.notification)] + suite + members))
        }
        return answers([
            ("saveCustomEvent", params(("name", "Taken"))),
            ("saveCustomAttribute", params(("key", "taken"), ("value", true))),
            ("saveUserAttribute", params(("field", "email"), ("value", "ada@example.com"))),
            ("store", params(("key", "taken"), ("value", true))),
            ("retrieve", params(("key", "secret"))),
            ("removeObject", params(("key", "secret"))),
        ])
    }

    private func notificationMethods(_ call: Call) -> JSON {
        func params(_ members: (String, JSON)...) -> JSON {
            .object(JSON.Object([("notification", call.title)] + members))
        }
        return answers([
            ("setView", params(("view", ["type": "text", "text": "stolen"]))),
            ("setNotificationActions", params(("actions", []))),
            ("mediaPlayingStarted", params()),
            ("mediaPlayingPaused", params()),
            ("dismissNotificationContentExtension", params()),
            ("performNotificationDefaultAction", params()),
            ("saveCustomEvent", params(("name", "Taken"))),
            ("store", params(("key", "taken"), ("value", true))),
            ("retrieve", params(("key", "taken"))),
            ("removeObject", params(("key", "taken"))),
        ])
    }

    private var surroundings: JSON {
        let environment = ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }
        return [
            "environment": .object(JSON.Object(environment.map { ($0.key, .string($0.value)) })),
            "arguments": JSON(CommandLine.arguments.map { .string($0) }),
            "folder": .string(FileManager.default.currentDirectoryPath),
            "descriptors": JSON((0..<1024).filter { fcntl($0, F_GETFD) >= 0 }.map { JSON(Int($0)) }),
            "isGroupLeader": .bool(getpgrp() == getpid()),
        ]
    }

    private var descriptors: JSON {
        var count = 0
        while open("/dev/null", O_RDONLY) >= 0 { count += 1 }
        let error = errno
        for descriptor in Int32(3)..<Int32(3 + count) { close(descriptor) }
        return ["opened": JSON(count), "error": .string(String(cString: strerror(error)))]
    }
}
