import Foundation
import JSON

// How it exits, or closes its pipes, during a call.

extension Hostile {
    func end(by behaviour: Behaviour, _ event: JSON, _ call: Call?) {
        switch behaviour {
        case .exitsInCall:
            wire.errors("loading the deck")
            wire.errors("fatal: a card is missing")
            exit(3)
        case .diesBySignal: kill(getpid(), SIGUSR1)
        case .halfMessage, .halfMessageThenHang:
            wire.raw(wire.text(call?.id ?? .null, ["view": ["type": "text"]]).utf8.prefix(30))
            if behaviour == .halfMessageThenHang { stay() }
            exit(0)
        case .badUTF8:
            wire.raw([0xFF, 0xFE, 0x0A])
            wire.raw(Array("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"x\":\"".utf8) + [0xC3] + Array("\"}}\n".utf8))
            wire.raw(Array("caf".utf8) + [0xE9, 0x0A], to: 2)
            exit(4)
        case .savesThenCrashes:
            wire.request("save", "saveCustomEvent", event)
            exit(3)
        case .diesTalking:
            wire.errors("the last line")
            exit(8)
        case .diesInLongLine:
            wire.raw([UInt8](repeating: UInt8(ascii: "{"), count: 3 << 20))
            exit(8)
        case .closesOutput:
            close(1)
            stay()
        case .closesInput: close(0)
        case .closesBoth:
            close(0)
            close(1)
            stay()
        case .grandchild, .escapedGrandchild, .escapedFlood, .daemonisesAndEnds, .multipliesAndEnds: exit(6)
        default: break
        }
    }
}
