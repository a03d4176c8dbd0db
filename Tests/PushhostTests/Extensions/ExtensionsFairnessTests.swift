import JSON
import TestSupport
import Testing

/// A flood of messages from one extension delays neither the client nor another extension.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsFairnessTests {
    /// What the flood writes: 100,000 notifications of 140 bytes.
    private static let size: Int64 = 13_000_000

    @Test("During 100,000 notifications every ping and every call of two other extensions is answered in order")
    func flood() throws {
        let options = ["--call-deadline", "60000"]
        try HostileWorkspace.open(
            options,
            prepare: { for name in ["floodsOutput", "tellsRefusal"] { try $0.add(name) } }
        ) { workspace in
            let host = workspace.host
            let notification = try host.shown("good")
            _ = try host.shown("tellsRefusal")
            let flood = try host.request("didReceive", HostProcess.payload("floodsOutput", title: "over"))
            try Processes.wait(for: "the flood") { try read(host) > 0 }
            var (meanwhile, end) = (0, JSON?.none)
            for _ in 0..<20 {
                // Sent in one write, so that the host has read every request before any answer can arrive.
                let interact: JSON = ["notification": notification, "element": "status"]
                let ids: [JSON] = ["first", "second"]
                let (other, ping): (JSON, JSON) = ("other", "ping")
                let requests: [JSON] = [
                    ["jsonrpc": "2.0", "id": ids[0], "method": "interact", "params": interact],
                    ["jsonrpc": "2.0", "id": ids[1], "method": "interact", "params": interact],
                    [
                        "jsonrpc": "2.0", "id": other, "method": "didReceive",
                        "params": HostProcess.payload("tellsRefusal"),
                    ],
                    ["jsonrpc": "2.0", "id": ping, "method": "ping"],
                ]
                try host.send(line: requests.map(\.description).joined(separator: "\n"))
                var replies: [JSON] = []
                while replies.count < requests.count {
                    let reply = try host.reply()
                    // On a slow machine the flood may be over before the last round.
                    if reply["id"] == flood { end = reply } else { replies.append(reply) }
                }
                #expect(replies.allSatisfy { $0["result"] != nil }, "\(replies)")
                #expect(replies.first?["id"] == ping, "it waits for nobody")
                #expect(replies.compactMap { $0["id"] }.filter(ids.contains) == ids)
                #expect(replies.contains { $0["id"] == other })
                if try read(host) < Self.size { meanwhile += 1 }
            }
            // How many depends on the machine; a host that reads all that comes would answer none before the flood is over.
            #expect(meanwhile > 0, "answers came while the flood went on")
            let reply = try end ?? host.reply()
            #expect(reply["id"] == flood)
            #expect(reply["result"]?["view"]?["text"] == "over")
            #expect(try read(host) > Self.size)
        }
    }

    private func read(_ host: HostProcess) throws -> Int64 {
        try host.describe("floodsOutput")["bytesRead"]?.integer ?? 0
    }
}
