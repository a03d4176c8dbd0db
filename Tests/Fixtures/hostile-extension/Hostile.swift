import Foundation
import JSON

/// The loop of an extension that misbehaves in at most one way.
struct Hostile {
    /// A call from the host.
    struct Call {
        let id: JSON
        let method: String
        let params: JSON

        var notification: JSON { params["notification"] ?? .null }
        var title: JSON { params["request"]?["content"]?["title"] ?? "unchanged" }
    }

    let behaviour: Behaviour
    /// The only method in which it misbehaves; every method except `activate` if nil.
    let method: String?
    let savesFirst: Bool
    let wire = Wire()

    func run() {
        begin()
        while let message = wire.read() {
            guard let method = message["method"]?.string else { continue }
            guard let id = message["id"] else {
                notified(method, message["params"] ?? [:])
                continue
            }
            let call = Call(id: id, method: method, params: message["params"] ?? [:])
            if method == "activate" {
                activate(call)
            } else {
                take(call)
            }
        }
        if [.ignoresTheEnd, .ignoresDeactivate].contains(behaviour) { stay() }
    }

    /// What it does before it reads anything.
    private func begin() {
        switch behaviour {
        case .exitsAtOnce: exit(7)
        case .ignoresTheEnd: signal(SIGTERM, SIG_IGN)
        case .windowsLines: wire.raw([0xEF, 0xBB, 0xBF])
        case .printsAtStart: wire.line("Python 3.99 (main, today)\nType \"help\" for more.\n")
        case .hogsMemoryAtStart: hogMemory()
        default: break
        }
    }

    private func notified(_ method: String, _ params: JSON) {
        if method == self.method { end(by: behaviour, [:], nil) }
        if method == "didDismiss", behaviour == .floodsAfterDismissal { flood(dismissed: params["notification"] ?? "") }
        if method == "deactivate", ![.ignoresTheEnd, .ignoresDeactivate].contains(behaviour) { exit(0) }
    }

    private func activate(_ call: Call) {
        if method == "activate" { misbehave(call) }
        switch behaviour {
        case .exitsBeforeActivate:
            wire.errors("no configuration found")
            exit(5)
        case .muteActivate: return
        case .refusesActivate: return wire.refuse(call.id, code: 9, "not on a Sunday")
        case .badVersion: return wire.answer(call.id, [:])
        case .otherVersion: return wire.answer(call.id, ["version": "2.0"])
        case .garbageFirst: wire.line("starting …")
        case .answersTwice: wire.answer(call.id, ["version": "1.0"])
        default: break
        }
        wire.answer(call.id, ["version": "1.0"])
        if behaviour == .exitsAfterActivate { exit(0) }
        if method == "activate" { goOn(call) }
    }

    private func take(_ call: Call) {
        let known = ["didReceive", "didReceiveResponse", "interact", "mediaPlay", "mediaPause"]
        guard known.contains(call.method) else { return wire.refuse(call.id, code: -32601, "no such method") }
        if savesFirst { wire.notify("saveCustomEvent", ["notification": call.notification, "name": "Before"]) }
        guard method == nil || method == call.method else { return wire.answer(call.id, result(call)) }
        misbehave(call)
        answer(call)
        goOn(call)
    }

    /// What it does after its answer.
    private func goOn(_ call: Call) {
        switch behaviour {
        case .closesInput, .neverReads: stay()
        case .floodsRequestsAfterwards: floodWithRequests(call)
        case .savesForEver: floodWithSaves(call)
        case .waitsAndTalks: close(open("answered", O_CREAT | O_WRONLY, 0o600))
        case .savesAfterwards:
            let name = JSON.string(String(repeating: "n", count: 255))
            wire.notify("saveCustomEvent", ["notification": call.notification, "name": name])
        default: break
        }
    }

    /// What it does before it answers.
    private func misbehave(_ call: Call) {
        talk(call)
        start(call)
        use(call)
        end(by: behaviour, ["notification": call.notification, "name": "Seen"], call)
    }

    /// Waits until a signal ends it.
    func stay() -> Never {
        while true { pause() }
    }

    /// Waits for a byte from the named pipe `gate`.
    func awaitGate() {
        let gate = open("gate", O_RDONLY)
        var byte: UInt8 = 0
        while read(gate, &byte, 1) < 0 && errno == EINTR {}
        close(gate)
    }
}
