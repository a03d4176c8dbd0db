import Foundation
import JSON

// What it answers.

extension Hostile {
    func answer(_ call: Call) {
        let id = call.id
        switch behaviour {
        case .muteCall, .garbageThenHang, .wrongId, .answersForOthers, .joinsHostGroup: return
        case .byteByByte: return (wire.text(id, result(call)) + "\n").utf8.forEach { wire.raw([$0]) }
        case .windowsLines: return wire.raw("\r\n\n\(wire.text(id, result(call)))\r\n".utf8)
        case .answersTwice: wire.answer(id, result(call))
        case .resultAndError:
            let error: JSON = ["code": 1, "message": "and an error"]
            return wire.line((["jsonrpc": "2.0", "id": id, "result": [:], "error": error] as JSON).description)
        case .errorWithoutCode:
            return wire.line((["jsonrpc": "2.0", "id": id, "error": ["message": "oh"]] as JSON).description)
        case .refuses:
            wire.errors("it is raining")
            return wire.refuse(id, code: 1, "not today")
        case .playsMedia where call.method.hasPrefix("media"): return wire.refuse(id, code: -32601, "no handler")
        case .printsWithoutEnd: wire.raw("Loading the deck... ".utf8)
        case .duplicateMembers: return wire.line(#"{"jsonrpc":"2.0","id":\#(id),"result":{"view":1,"view":2}}"#)
        case .notANumber: return wire.line(#"{"jsonrpc":"2.0","id":\#(id),"result":{"x":NaN}}"#)
        case .deepJSON:
            let arrays = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
            return wire.line(#"{"jsonrpc":"2.0","id":\#(id),"result":{"x":\#(arrays)}}"#)
        case .largeView, .longAnswer:
            wire.raw(#"{"jsonrpc":"2.0","id":\#(id),"result":{"view":{"type":"text","text":""#.utf8)
            wire.raw(mebibytes: behaviour == .largeView ? 10 : 17)
            return wire.line(#""}}}"#)
        case .prettyPrints: return wire.line("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": \(id),\n  \"result\": {}\n}")
        default: break
        }
        wire.answer(id, result(call))
    }

    /// The correct result of a call, or its replacement.
    func result(_ call: Call) -> JSON {
        switch behaviour {
        case .badView: return ["view": ["type": "marquee"]]
        case .deepView: return ["view": Self.deepView]
        case .badActions: return ["actions": "none"]
        case .badMedia: return ["media": ["button": "gigantic"]]
        case .badResult: return "done"
        case .tellsRefusal, .callsClientMethods, .touchesSuite, .touchesOthers, .tellsSurroundings, .hogsDescriptors:
            return ["view": ["type": "text", "id": "status", "text": .string(findings(call).description)]]
        case .playsMedia where call.method == "didReceive":
            return [
                "view": ["type": "button", "id": "status", "title": "play"],
                "media": ["button": "overlay", "tintColor": "#ff0000"], "title": "a title of its own",
            ]
        default: break
        }
        switch call.method {
        case "didReceiveResponse":
            return ["option": behaviour == .badOption ? "perhaps" : "doNotDismiss"]
        case "interact":
            let value = call.params["value"] ?? .null
            return ["view": ["type": "button", "id": "status", "title": "touched", "value": value]]
        case "mediaPlay", "mediaPause":
            return [:]
        default:
            return [
                "view": ["type": "text", "id": "status", "text": call.title],
                "actions": [["identifier": "again", "title": "Again"]],
                // Without a button the method in which it should misbehave would never be called.
                "media": ["button": method?.hasPrefix("media") == true ? "default" : "none"],
            ]
        }
    }

    private static var deepView: JSON {
        (0..<64).reduce(["type": "text"]) { view, _ in ["type": "stack", "children": [view]] }
    }
}
