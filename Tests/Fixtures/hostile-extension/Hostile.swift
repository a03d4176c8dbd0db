import Foundation
import JSON

/// The loop of an extension that does one thing wrong, or none.
struct Hostile {
    let behaviour: Behaviour
    let wire = Wire()

    func run() {
        if behaviour == .exitsAtOnce { exit(7) }
        if behaviour == .ignoresTheEnd { signal(SIGTERM, SIG_IGN) }
        while let message = wire.read() {
            guard let method = message["method"]?.string else { continue }
            guard let id = message["id"] else {
                if method == "deactivate", behaviour != .ignoresTheEnd { exit(0) }
                continue
            }
            if method == "activate" {
                activate(id)
            } else {
                call(method, id, message["params"] ?? [:])
            }
        }
        if behaviour == .ignoresTheEnd { stay() }
    }

    private func activate(_ id: JSON) {
        switch behaviour {
        case .exitsBeforeActivate:
            wire.errors("no configuration found")
            exit(5)
        case .muteActivate: return
        case .refusesActivate: return wire.refuse(id, code: 9, "not on a Sunday")
        case .badVersion: return wire.answer(id, [:])
        case .garbageFirst: wire.line("starting …")
        case .answersTwice: wire.answer(id, ["version": "1.0"])
        default: break
        }
        wire.answer(id, ["version": "1.0"])
    }

    private func call(_ method: String, _ id: JSON, _ params: JSON) {
        let notification = params["notification"] ?? .null
        misbehave(id, notification)
        switch behaviour {
        case .muteCall, .garbageThenHang, .wrongId: return
        case .byteByByte: return (wire.text(id, result(method, params)) + "\n").utf8.forEach { wire.raw([$0]) }
        case .answersTwice: wire.answer(id, result(method, params))
        case .resultAndError:
            let error: JSON = ["code": 1, "message": "and an error"]
            return wire.line((["jsonrpc": "2.0", "id": id, "result": [:], "error": error] as JSON).description)
        case .badView: return wire.answer(id, ["view": ["type": "marquee"]])
        case .badActions: return wire.answer(id, ["actions": "none"])
        case .badResult: return wire.answer(id, "done")
        case .tellsRefusal:
            let suite: JSON = "group.com.example.other"
            wire.request("save", "saveCustomEvent", ["notification": notification, "name": "Seen", "suite": suite])
            let error = wire.read()?["error"] ?? .null
            return wire.answer(id, ["view": ["type": "text", "text": .string(error.description)]])
        case .refuses:
            wire.errors("it is raining")
            return wire.refuse(id, code: 1, "not today")
        default: break
        }
        wire.answer(id, result(method, params))
        if behaviour == .closesInput { stay() }
    }

    /// What it does before it answers.
    private func misbehave(_ id: JSON, _ notification: JSON) {
        let event: JSON = ["notification": notification, "name": "Seen"]
        switch behaviour {
        case .garbageThenHang: wire.line("Segmentation fault (not really)")
        case .garbageFirst: ["hello", "{", "[1,", "\"text\"", "\u{7}"].forEach { wire.line($0) }
        case .wrongId: wire.answer(999, [:])
        case .closesOutput:
            close(1)
            stay()
        case .closesInput: close(0)
        case .stopsItself: kill(getpid(), SIGSTOP)
        case .stopsForEver: while true { kill(getpid(), SIGSTOP) }
        case .floodsOutput:
            let params: JSON = ["notification": notification, "level": "trace", "message": "drip"]
            let line = (["jsonrpc": "2.0", "method": "log", "params": params] as JSON).description + "\n"
            for _ in 0..<100 { wire.raw(String(repeating: line, count: 1000).utf8) }
        case .floodsErrors:
            let line = String(repeating: "e", count: 63) + "\n"
            wire.raw(String(repeating: line, count: 1 << 14).utf8, to: 2)
        case .longLine: wire.raw([UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20) + [UInt8(ascii: "\n")])
        case .badRequests:
            wire.request("a", "launchMissiles", [:])
            wire.request("b", "setView", ["notification": "someone else's", "view": ["type": "text"]])
            wire.request("c", "flushPending", [:])
        case .batch:
            let view: JSON = ["type": "text", "id": "batched", "text": "from a batch"]
            let change: JSON = ["notification": notification, "view": view]
            let save: JSON = ["jsonrpc": "2.0", "method": "saveCustomEvent", "params": event]
            let set: JSON = ["jsonrpc": "2.0", "id": 1, "method": "setView", "params": change]
            wire.line(([save, set] as JSON).description)
        case .savesInvalid: wire.notify("saveCustomEvent", ["notification": notification, "name": ""])
        case .savesElsewhere:
            let suite: JSON = "group.com.example.other"
            wire.notify("saveCustomEvent", ["notification": notification, "name": "Seen", "suite": suite])
        case .saves:
            wire.request("save", "saveCustomEvent", event)
            _ = wire.read()
        case .waits:
            wire.notify("log", ["notification": notification, "level": "info", "message": "waiting"])
            awaitGate()
        case .dismisses: wire.notify("dismissNotificationContentExtension", ["notification": notification])
        default: end(event, id)
        }
    }

    /// How it ends in the middle of a call, where it does.
    private func end(_ event: JSON, _ id: JSON) {
        switch behaviour {
        case .exitsInCall:
            wire.errors("loading the deck")
            wire.errors("fatal: a card is missing")
            exit(3)
        case .diesBySignal: kill(getpid(), SIGUSR1)
        case .halfMessage:
            wire.raw(wire.text(id, ["view": ["type": "text"]]).utf8.prefix(30))
            exit(0)
        case .badUTF8:
            wire.raw([0xFF, 0xFE, 0x0A])
            wire.raw(Array("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"x\":\"".utf8) + [0xC3] + Array("\"}}\n".utf8))
            wire.raw(Array("caf".utf8) + [0xE9, 0x0A], to: 2)
            exit(4)
        case .savesThenCrashes:
            wire.request("save", "saveCustomEvent", event)
            exit(3)
        case .grandchild, .escapedGrandchild:
            startGrandchild(escapes: behaviour == .escapedGrandchild)
            exit(6)
        default: break
        }
    }

    private func result(_ method: String, _ params: JSON) -> JSON {
        let title = params["request"]?["content"]?["title"] ?? "unchanged"
        switch method {
        case "didReceiveResponse":
            return ["option": behaviour == .badOption ? "perhaps" : "doNotDismiss"]
        case "interact":
            return ["view": ["type": "button", "id": "status", "title": "touched", "value": params["value"] ?? .null]]
        default:
            return [
                "view": ["type": "text", "id": "status", "text": title],
                "actions": [["identifier": "again", "title": "Again"]],
            ]
        }
    }

    /// Waits until a signal ends it.
    private func stay() -> Never {
        while true { pause() }
    }

    private func awaitGate() {
        let gate = open("gate", O_RDONLY)
        var byte: UInt8 = 0
        while read(gate, &byte, 1) < 0 && errno == EINTR {}
        close(gate)
    }

    private func startGrandchild(escapes: Bool) {
        #if os(Linux)
        var attributes = posix_spawnattr_t()
        // POSIX_SPAWN_SETSID, which Swift's Glibc hides.
        let ownSession: Int16 = 0x80
        #else
        var attributes: posix_spawnattr_t?
        let ownSession = Int16(POSIX_SPAWN_SETSID)
        #endif
        posix_spawnattr_init(&attributes)
        if escapes { posix_spawnattr_setflags(&attributes, ownSession) }
        var arguments = [strdup("sleep"), strdup("60"), nil]
        var pid: pid_t = 0
        guard posix_spawnp(&pid, "sleep", nil, &attributes, &arguments, nil) == 0 else { exit(99) }
        try? Data("\(pid)".utf8).write(to: URL(filePath: "grandchild"))
    }
}
