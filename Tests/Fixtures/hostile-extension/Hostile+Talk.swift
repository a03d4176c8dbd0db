import Foundation
import JSON

// What it writes before it answers.

extension Hostile {
    /// Runs blocks that wait for each other, for which libdispatch starts threads beyond the number of processors.
    private func runBlocksAtOnce(_ count: Int) {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            DispatchQueue.global().async {
                begun.signal()
                end.wait()
            }
        }
        for _ in 0..<count { begun.wait() }
        for _ in 0..<count { end.signal() }
    }

    func talk(_ call: Call) {
        let notification = call.notification
        switch behaviour {
        case .garbageThenHang: wire.line("Segmentation fault (not really)")
        case .garbageFirst: ["hello", "{", "[1,", "\"text\"", "\u{7}"].forEach { wire.line($0) }
        case .wrongId: wire.answer(999, [:])
        case .answersForOthers:
            let others = (0...64).map { JSON($0) } + [.null, "1", -1]
            others.filter { $0 != call.id }.forEach { wire.answer($0, ["view": ["type": "text", "text": "stolen"]]) }
        case .stopsItself: kill(getpid(), SIGSTOP)
        case .needsManyThreads: runBlocksAtOnce(ProcessInfo.processInfo.activeProcessorCount + 1)
        case .stopsForEver: while true { kill(getpid(), SIGSTOP) }
        case .floodsOutput: flood(lines: 100_000)
        case .floodsBriefly: flood(lines: 10_000)
        case .floodsForEver: while true { flood(lines: 1_000) }
        case .floodsRequests: floodWithRequests(call)
        case .leavesTooMuchUnread:
            for count in [3, 15] { log(call, mebibytes: count) }
            stay()
        case .floodsErrors, .diesTalking:
            let line = String(repeating: "e", count: 63) + "\n"
            wire.raw(String(repeating: line, count: 1 << 14).utf8, to: 2)
        case .mediumLine:
            let text = String(repeating: "m", count: 64 << 10)
            wire.notify("log", ["notification": notification, "level": "info", "message": .string(text)])
        case .longLine:
            wire.raw(mebibytes: 64)
            wire.line("")
        case .badRequests:
            wire.request("a", "launchMissiles", [:])
            wire.request("b", "setView", ["notification": "someone else's", "view": ["type": "text"]])
            wire.request("c", "flushPending", [:])
            wire.notify("viewDidChange", ["notification": notification])
            wire.notify("$/unheardOf", [:])
        case .batch:
            let view: JSON = ["type": "text", "id": "batched", "text": "from a batch"]
            let change: JSON = ["notification": notification, "view": view]
            let event: JSON = ["notification": notification, "name": "Seen"]
            let save: JSON = ["jsonrpc": "2.0", "method": "saveCustomEvent", "params": event]
            let set: JSON = ["jsonrpc": "2.0", "id": 1, "method": "setView", "params": change]
            wire.line(([save, set] as JSON).description)
        case .badBatches: ["[]", "[[]]", "[1,\"x\",null,{}]"].forEach { wire.line($0) }
        case .savesInvalid: wire.notify("saveCustomEvent", ["notification": notification, "name": ""])
        case .savesElsewhere:
            let suite: JSON = "group.com.example.other"
            wire.notify("saveCustomEvent", ["notification": notification, "name": "Seen", "suite": suite])
        case .saves:
            wire.request("save", "saveCustomEvent", ["notification": notification, "name": "Seen"])
            _ = wire.read()
        case .waits, .waitsAndTalks:
            wire.notify("log", ["level": "info", "message": "waiting"])
            awaitGate()
            if behaviour == .waitsAndTalks { flood(lines: 300) }
        case .dismisses: wire.notify("dismissNotificationContentExtension", ["notification": notification])
        case .playsMedia where call.method == "interact":
            wire.notify("mediaPlayingStarted", ["notification": notification])
        default: break
        }
    }

    /// Writes notifications of about 140 bytes.
    private func flood(lines: Int) {
        let params: JSON = ["level": "trace", "message": .string("drip" + String(repeating: ".", count: 60))]
        let line = (["jsonrpc": "2.0", "method": "log", "params": params] as JSON).description + "\n"
        let portion = 100
        for _ in 0..<lines / portion { wire.raw(String(repeating: line, count: portion).utf8) }
    }

    /// Sends a request with a long id, which its answer contains.
    private func log(_ call: Call, mebibytes count: Int) {
        let params: JSON = ["notification": call.notification, "level": "trace", "message": "drip"]
        wire.raw(#"{"jsonrpc":"2.0","method":"log","params":\#(params),"id":""#.utf8)
        wire.raw(mebibytes: count)
        wire.line(#""}"#)
    }

    func floodWithRequests(_ call: Call) -> Never {
        let params: JSON = ["notification": call.notification, "level": "trace", "message": "drip"]
        // The answers contain the id, so a long id makes a few of them large.
        let id = JSON.string(String(repeating: "x", count: 64 << 10))
        let request: JSON = ["jsonrpc": "2.0", "id": id, "method": "log", "params": params]
        let line = Array((request.description + "\n").utf8)
        while true { wire.raw(line) }
    }

    func floodWithSaves(_ call: Call) -> Never {
        let params: JSON = ["notification": call.notification, "name": "Seen"]
        let line = (["jsonrpc": "2.0", "method": "saveCustomEvent", "params": params] as JSON).description + "\n"
        while true { wire.raw(line.utf8) }
    }

    func flood(dismissed notification: JSON) {
        let params: JSON = ["notification": notification, "view": ["type": "text", "text": "still here"]]
        let line = (["jsonrpc": "2.0", "method": "setView", "params": params] as JSON).description + "\n"
        wire.raw(String(repeating: line, count: 2_000).utf8)
    }
}
