import Foundation
import JSON
import TestSupport
import Testing

/// Group commit without a timer, replies in order, and reproducible output.
@Suite(.waits, .wire) struct DurabilityOrderTests {
    @Test("A single save is answered although no input follows it")
    func lone() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(save(7).utf8)
            #expect(try host.reply() == ["jsonrpc": "2.0", "id": 7, "result": ["id": 1]])
            try host.finish()
        }
    }

    @Test("A request sees the effects of all earlier requests, even those in the same write")
    func sameWrite() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            let requests = [
                save(1), line(2, "retrieve", #"{"key":"pending_custom_events"}"#),
                line(3, "store", #"{"key":"k","value":1.0}"#), line(4, "retrieve", #"{"key":"k"}"#),
                line(5, "removeObject", #"{"key":"k"}"#), line(6, "retrieve", #"{"key":"k"}"#),
                save(7), line(8, "pending", #"{"limit":1}"#), line(9, "flushPending"), line(10, "pending"),
            ]
            try host.write(requests.joined().utf8)
            let results = try host.replies(10).map { $0["result"] }
            #expect(results[1] == ["value": [["event_name": "e1"]]])
            #expect(results[3]?.description == #"{"value":1.0}"#)
            #expect(results[4] == ["removed": 1])
            #expect(results[5] == ["value": .null])
            #expect(results[7]?["total"] == 2)
            #expect(results[8]?["calls"]?.array?.count == 2)
            #expect(results[9] == ["records": [], "total": 0])
            try host.finish()
        }
    }

    @Test("The error reply to an invalid line keeps its place behind replies that wait for the commit")
    func refusals() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write((save(1) + "{\n" + save(2) + "[]\n" + line(3, "ping")).utf8)
            #expect(try host.replies(5).map { $0["id"] } == [1, .null, 2, .null, 3])
            try host.finish()
        }
    }

    @Test("A client may write a hundred thousand requests before it reads one reply")
    func unread() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            for chunk in 0..<100 {
                let requests = (0..<1_000).map { offset in
                    let id = chunk * 1_000 + offset
                    return id.isMultiple(of: 2) ? save(id) : line(id, "ping")
                }
                try host.write(requests.joined().utf8, readsOutput: false)
            }
            host.closeInput()
            let replies = try host.replies(100_000)
            #expect(ids(replies) == Array(0..<100_000))
            #expect(try confirmed(replies).count == 50_000)
            #expect(try host.readLine() == nil)
            #expect(try host.wait() == .code(0))
        }
    }

    @Test(
        "With a fixed clock or random seed the same session produces the same bytes",
        arguments: [["--clock", "2026-01-01T00:00:00Z", "--seed", "7"], ["--clock", "2026-01-01T01:00:00+01:00"]]
    )
    func reproducible(options: [String]) throws {
        let usesChance = options.contains("--seed")
        let outputs = try (0..<2).map { _ in
            try withTemporaryDirectory { folder in
                let file = "\(folder)/session"
                try session(usesChance: usesChance).write(toFile: file, atomically: true, encoding: .utf8)
                let host = try startHost(folder, options, input: .file(file))
                let output = try host.readToEnd()
                #expect(try host.wait() == .code(0))
                return output
            }
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].split(separator: "\n").count == (usesChance ? 311 : 310))
        #expect(outputs[0].contains("2026-01-01T00:00:0"))
    }

    @Test("A session sent in pieces produces the same bytes as one sent in a single write")
    func pieces() throws {
        let options = ["--clock", "2026-01-01T00:00:00Z", "--seed", "7"]
        let text = session(usesChance: true)
        var outputs: [String] = []
        for length in [text.utf8.count, 10, 1_000] {
            try withTemporaryDirectory { folder in
                let host = try startHost(folder, options)
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    try host.write(rest.prefix(length))
                    rest = rest.dropFirst(length)
                }
                host.closeInput()
                outputs.append(try host.readToEnd())
                #expect(try host.wait() == .code(0))
            }
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[1] == outputs[2])
    }

    /// Requests of every kind.
    ///
    /// Those that need random values are included only if the seed is fixed.
    private func session(usesChance: Bool) -> String {
        let flush = usesChance ? #"{"limit":2,"lease":60}"# : #"{"limit":2}"#
        let batch =
            #"[{"jsonrpc":"2.0","id":308,"method":"saveCustomEvent","params":{"name":"b"}},"#
            + #"{"jsonrpc":"2.0","id":309,"method":"pending","params":{"limit":1}}]"# + "\n"
        return saves(0..<300)
            + [
                line(301, "store", #"{"key":"k","value":[1,1.0,true,null]}"#),
                line(302, "retrieve", #"{"key":"k"}"#),
                line(303, "flushPending", flush),
                line(304, "pending", #"{"limit":5}"#),
                usesChance ? line(305, "didReceive", #"{"payload":{"aps":{"alert":"a","category":"none"}}}"#) : "",
                line(306, "notifications"),
                line(307, "suites"),
                "no JSON\n",
                batch,
                line(310, "unknown"),
                line(311, "resetStorageKeys"),
            ].joined()
    }
}
