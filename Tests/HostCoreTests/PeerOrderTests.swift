import Foundation
import JSON
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// What reaches a peer, and in which order, while commits run beside the event loop.
@Suite(.waits) struct PeerOrderTests {
    @Test("A call that needs no suite is kept behind an answer that awaits a commit, and answered at once otherwise")
    func freeCall() throws {
        try withLoop { loop in
            let (saving, other) = (loop.peer(), loop.peer())
            saving.send(1, "save", ["suite": "s"])
            loop.beginCommit()
            saving.send(2, "ping")
            other.send(3, "ping")
            #expect(saving.hasBacklog && !other.hasBacklog)
            #expect(try saving.sent() == [] && other.sent() == [3])
            try loop.endStep()
            #expect(saving.advance() && loop.outbox.advance { true })
            #expect(try saving.sent() == [1, 2])
        }
    }

    @Test("An answer to an earlier call is sent after one that awaits a commit that runs")
    func answer() throws {
        try withLoop { loop in
            let peer = loop.peer()
            peer.send(1, "delay")
            peer.send(2, "save", ["suite": "s"])
            loop.beginCommit()
            loop.outbox.finish(try #require(loop.delayed.first).call, .success(true))
            #expect(try peer.sent() == [])
            try loop.endStep()
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [2, 1])
        }
    }

    @Test("A message that could be handled does not overtake kept ones of its peer")
    func keptMessages() throws {
        try withLoop { loop in
            let (saving, other) = (loop.peer(), loop.peer())
            saving.send(1, "save", ["suite": "s"])
            loop.beginCommit()
            other.send(2, "save", ["suite": "s"])
            other.send(3, "ping")
            #expect(try other.sent() == [])
            try loop.endStep()
            #expect(other.advance() && loop.outbox.advance { true })
            #expect(try other.sent() == [2, 3])
        }
    }

    @Test("What an answer publishes is sent after the answers that are sent with it")
    func published() throws {
        try withLoop { loop in
            let peer = loop.peer()
            peer.send(1, "delay")
            let first = try #require(loop.delayed.first).call
            loop.outbox.finishLate(first) {
                loop.outbox.notify(first.session, "published") { [:] }
                return .success(true)
            }
            peer.send(2, "ping")
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [1, 2, "published"])
        }
    }

    @Test("A large log is moved into its file after a commit beside the event loop, too")
    func checkpoint() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for id in 1...12 { peer.send(id, "save", ["suite": "s", "bytes": 500_000]) }
            loop.beginCommit()
            let log = "\(loop.store.folder)/s.sqlite-wal"
            try loop.endStep()
            #expect(try peer.sent().count == 12)
            #expect(loop.outbox.isCommitting, "the checkpoint runs")
            try loop.endStep()
            #expect(!loop.outbox.isCommitting)
            #expect(try Data(contentsOf: URL(filePath: log)).isEmpty)
        }
    }

    @Test("Transactions are committed early, so that no more suites than may be open have one")
    func manySuites() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let ids = Array(1...300)
            for id in ids { peer.send(id, "save", ["suite": .string("s\(id)")]) }
            #expect(loop.crowds == 0)
            #expect(loop.outbox.advance { true })
            let sent = try peer.sent()
            #expect(sent == ids.map { JSON($0) })
        }
    }

    @Test("With more than 10,000 calls that run or wait a client's input is not read on")
    func waitingCalls() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for id in 1...10_000 { peer.send(id, "delay") }
            #expect(loop.gate.admitsReading(from: peer) && peer.scheduler.waiting.count == 9_999)
            for id in 10_001...10_002 { peer.send(id, "delay") }
            #expect(!loop.gate.admitsReading(from: peer))
            #expect(peer.hasBacklog && peer.scheduler.waiting.count == 10_000)
            for call in peer.scheduler.removeAll() { call.call.abandon() }
            #expect(loop.gate.admitsReading(from: peer) && peer.advance() && !peer.hasBacklog)
        }
    }

    @Test("An extension's message waits for the answer to the one before")
    func messagesOfExtension() throws {
        try withLoop { loop in
            let caller = loop.peer(.extension(Caller()))
            caller.send(1, "delay")
            caller.send(2, "ping")
            #expect(try caller.sent() == [] && caller.hasBacklog)
            loop.outbox.finish(try #require(loop.delayed.first).call, .success(true))
            caller.scheduler.end(try #require(loop.delayed.first))
            #expect(caller.advance())
            #expect(try caller.sent() == [1, 2])
        }
    }

    @Test("A client that leaves more than 1 MiB unread misses lines of stderr, and is told how many")
    func missedLines() throws {
        try withLoop { loop in
            let client = loop.peer()
            client.topics = [.didSave, .standardError]
            loop.publisher.client = client
            let session = try #require(client.session)
            func notify(_ bytes: Int) {
                loop.outbox.notify(session, "x") { [.string(String(repeating: "x", count: bytes))] }
            }
            notify(0)
            let overhead = client.unreadBytes
            notify((1 << 20) - 2 * overhead)
            #expect(client.unreadBytes == 1 << 20)
            loop.publisher.publish(errorLine: "a", of: "e")
            for _ in 0..<2 { loop.publisher.publish(errorLine: "b", of: "e") }
            #expect(try client.sent() == ["x", "x", "$/stderr"])
            for line in ["c", "d"] { loop.publisher.publish(errorLine: line, of: "e") }
            #expect(try client.messages().map { $0["params"]?["missed"] } == [2, nil])
        }
    }

    @Test("While a subscriber leaves notifications unread, messages of extensions wait")
    func unreadSubscriber() throws {
        try withLoop(outputLimit: 100) { loop in
            let client = loop.peer()
            loop.publisher.client = client
            let caller = loop.peer(.extension(Caller()))
            let text = JSON.string(String(repeating: "x", count: 200))
            loop.outbox.notify(try #require(client.session), "didSave") { [text] }
            caller.send(1, "ping")
            #expect(try caller.sent() == [1], "nobody subscribed")
            client.topics = [.didSave]
            caller.send(2, "ping")
            #expect(try caller.sent() == [] && caller.hasBacklog)
            #expect(try client.sent() == ["didSave"])
            #expect(caller.advance())
            #expect(try caller.sent() == [2])
        }
    }
}
