import Foundation
import JSON
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// Which answers wait for a commit, what follows them, and what becomes of them if the transaction is lost.
@Suite(.waits) struct OutboxTests {
    /// Each answer as its id, and the reason if it is an error; also those in a batch.
    private static func outcomes(_ messages: [JSON]) -> [String] {
        let answers = messages.flatMap { message in message.array.map { Array($0) } ?? [message] }
        return answers.map { "\($0["id"] ?? .null) \($0["error"]?["data"]?["reason"]?.string ?? "done")" }
    }

    private static func remove(_ suite: String, of loop: PeerLoop) throws {
        try FileManager.default.removeItem(atPath: "\(loop.store.folder)/\(suite).sqlite")
    }

    @Test("Each client gets the answers to its own calls, which wait for one commit")
    func severalClients() throws {
        try withLoop { loop throws in
            let (first, second) = (loop.peer(), loop.peer())
            first.send(1, "save", ["suite": "s"])
            second.send(2, "save", ["suite": "s"])
            second.receive(line: "no JSON")
            second.send(3, "save", ["suite": "t"])
            first.send(4, "save", ["suite": "t"])
            first.receive(line: "no JSON")
            #expect(try first.sent() == [] && second.sent() == [])
            #expect(loop.outbox.advance { true })
            #expect(try first.sent() == [1, 4, .null] && second.sent() == [2, .null, 3])
            first.receive(line: "no JSON")
            #expect(try first.sent() == [.null], "nothing waits before it")
            #expect(loop.ended == ["s", "t"])
        }
    }

    @Test("What changed a suite is answered after the commit: a member of a batch too, and a value that is no record")
    func afterCommit() throws {
        try withLoop { loop throws in
            loop.methods.add("set", ["suite"], [], prepare: loop.findSuite) { call in
                try call.knownSuite.defaults.store(1, forKey: "k")
                return .done(true)
            }
            let peer = loop.peer()
            for line in [Peer.request(1, "set", ["suite": "s"]), "[\(Peer.request(2, "save", ["suite": "s"]))]"] {
                peer.receive(line: line)
                #expect(try peer.messages() == [])
                #expect(loop.outbox.advance { true })
                #expect(try peer.messages().count == 1)
                #expect(try loop.suite("s").isInTransaction == false)
            }
        }
    }

    @Test("A save that changed nothing, because it was repeated, is answered at once")
    func repeatedSave() throws {
        try withLoop { loop throws in
            loop.methods.add("repeat", ["suite"], [], prepare: loop.findSuite) { _ in .saved(id: 7) }
            let peer = loop.peer()
            peer.send(1, "repeat", ["suite": "s"])
            #expect(try peer.messages().compactMap { $0["result"] } == [["id": 7]])
        }
    }

    @Test("An answer that is already text keeps its place behind the answers that wait for a commit")
    func text() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for id in 1...2 { peer.send(id, "delay") }
            peer.send(3, "save", ["suite": "s"])
            let call = try #require(loop.delayed.first)
            loop.outbox.finish(call.call, resultText: Array("[1]".utf8))
            #expect(try peer.sent() == [])
            #expect(loop.outbox.advance { true })
            #expect(try peer.messages().compactMap { $0["result"] } == [["id": 1], [1]])
            call.peer.scheduler.end(call)
            #expect(loop.dispatcher.advance(peer))
            loop.outbox.finish(try #require(loop.delayed.last).call, resultText: Array("[2]".utf8))
            #expect(try peer.messages().compactMap { $0["result"] } == [[2]], "nothing waits before it")
        }
    }

    @Test("A notification is sent after the commit of what is changed, and after every answer that waits")
    func notification() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let session = try #require(peer.session)
            _ = try loop.suite("s").pending.save(PeerLoop.record(bytes: 1))
            loop.outbox.notify(session, "saved") { [:] }
            #expect(try peer.sent() == [])
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == ["saved"])

            peer.send(1, "delay")
            loop.outbox.finishLate(try #require(loop.delayed.first).call) { .success(true) }
            loop.outbox.notify(session, "later") { [:] }
            #expect(try peer.sent() == [])
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [1, "later"])

            peer.send(2, "save", ["suite": "s"])
            loop.beginCommit()
            loop.outbox.notify(session, "last") { [:] }
            #expect(!loop.outbox.advance { true }, "the commit still runs, or its end was not noted")
            #expect(try peer.sent() == [])
            try loop.endStep()
            #expect(try peer.sent() == [2])
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == ["last"])
        }
    }

    @Test("Only an answer counts as one that waits for the next commit, and only for its own client")
    func willAnswer() throws {
        try withLoop { loop in
            let (saving, other) = (loop.peer(), loop.peer())
            let (first, second) = (try #require(saving.session), try #require(other.session))
            saving.send(1, "save", ["suite": "s"])
            loop.outbox.notify(second, "saved") { [:] }
            #expect(loop.outbox.willAnswer(first) && !loop.outbox.willAnswer(second))
            loop.beginCommit()
            #expect(!loop.outbox.willAnswer(first) && loop.outbox.awaitsCommit(first))
            #expect(!loop.outbox.awaitsCommit(second))
            try loop.endStep()
            #expect(!loop.outbox.awaitsCommit(first))
        }
    }

    @Test("Each end of a commit is reported once, and the next commit waits for a report of its own")
    func reports() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for (id, suite) in [(1, "s"), (2, "t")] as [(Int, JSON)] { peer.send(id, "save", ["suite": suite]) }
            loop.beginCommit()
            var entry = pollfd(fd: try #require(loop.outbox.commitDescriptor), events: Int16(POLLIN), revents: 0)
            while loop.outbox.isCommitting { try loop.endStep() }
            #expect(loop.outbox.commitDescriptor == nil)
            #expect(poll(&entry, 1, 0) == 0, "both reports were taken")
            #expect(loop.ended == ["s", "t"])
            #expect(try peer.sent() == [1, 2])
        }
    }

    @Test("Whether to wait for the disk is asked only if there is something to commit")
    func nothingToCommit() throws {
        try withLoop { loop in
            let peer = loop.peer()
            var questions = 0
            func advance() -> Bool {
                loop.outbox.advance {
                    questions += 1
                    return true
                }
            }
            #expect(advance() && questions == 0)
            peer.send(1, "save", ["suite": "s"])
            #expect(advance() && questions == 1)
            #expect(advance() && questions == 1)
            #expect(loop.ended == ["s"])
        }
    }

    @Test("A large log is moved into its file after a commit for which the event loop waits")
    func checkpoint() throws {
        try withLoop { loop throws in
            let peer = loop.peer()
            for id in 1...12 { peer.send(id, "save", ["suite": "s", "bytes": 500_000]) }
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent().count == 12)
            #expect(try Data(contentsOf: URL(filePath: "\(loop.store.folder)/s.sqlite-wal")).isEmpty)
        }
    }

    @Test(
        "Each answer that depends on a lost transaction becomes an error, and no other one does",
        arguments: [false, true]
    )
    func lost(isBeside: Bool) throws {
        try withLoop { loop in
            loop.methods.add("set", ["suite"], [], prepare: loop.findSuite) { call in
                try call.knownSuite.defaults.store(1, forKey: "k")
                return .done(true)
            }
            loop.methods.add("fail", ["suite"], [], prepare: loop.findSuite) { _ in throw SuiteError.leaseExpired }
            let peer = loop.peer()
            var failures: [String?] = []
            peer.session?.report = { if case .failedNotification(_, let error) = $0 { failures.append(error.reason) } }
            for id in 1...2 { peer.send(id, "save", ["suite": "s"]) }
            peer.send(3, "save", ["suite": "t"])
            peer.receive(line: "[\(Peer.request(4, "save", ["suite": "s"])),\(Peer.request(5, "ping"))]")
            peer.receive(line: Peer.request(nil, "save", ["suite": "s"]))
            peer.receive(line: Peer.request(nil, "save", ["suite": "t"]))
            peer.send(6, "set", ["suite": "s"])
            for (id, suite) in [(7, "s"), (8, "t")] as [(Int, JSON)] { peer.send(id, "fail", ["suite": suite]) }
            peer.send(9, "ping")
            // What is committed to a file that was removed is lost.
            try Self.remove("s", of: loop)
            if isBeside { try loop.commitBeside() } else { #expect(loop.outbox.advance { true }) }
            let expected = [
                "1 notStored", "2 notStored", "3 done", "4 notStored", "5 done", "6 notStored", "7 notStored",
                "8 leaseExpired", "9 done",
            ]
            #expect(try Self.outcomes(peer.messages()) == expected)
            #expect(failures == ["notStored"])
            #expect(loop.ended == ["s: the file was removed or replaced meanwhile", "t"])
            peer.send(10, "save", ["suite": "s"])
            #expect(loop.outbox.advance { true })
            #expect(try Self.outcomes(peer.messages()) == ["10 done"])
        }
    }

    @Test(
        "What was committed in the middle stays so if the next transaction of the suite is lost",
        arguments: [false, true]
    )
    func lostLater(isBeside: Bool) throws {
        try withLoop { loop in
            let peer = loop.peer()
            let session = try #require(peer.session)
            func save(_ id: Int) throws {
                peer.send(id, "save", ["suite": "s"])
                loop.outbox.notify(session, "saved \(id)", dependsOn: try loop.suite("s")) { [:] }
            }
            try save(1)
            loop.outbox.commit()
            try save(2)
            loop.outbox.notify(session, "other") { [:] }
            try Self.remove("s", of: loop)
            if isBeside { try loop.commitBeside() } else { #expect(loop.outbox.advance { true }) }
            let messages = try peer.messages()
            #expect(messages.map { $0["method"] ?? $0["id"] } == [1, "saved 1", 2, "other"])
            #expect(messages.map { $0["error"]?["data"]?["reason"] } == [nil, nil, "notStored", nil])
        }
    }

    @Test("A suite that saves again after its transaction was lost is committed once beside the event loop")
    func savedAgain() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let suite = try loop.suite("s")
            peer.send(1, "save", ["suite": "s"])
            suite.rollback()
            loop.outbox.lose(suite, "disk full")
            peer.send(2, "save", ["suite": "s"])
            try loop.commitBeside()
            #expect(try Self.outcomes(peer.messages()) == ["1 notStored", "2 done"])
            #expect(loop.ended == ["s: \(SuiteError.transactionLost("disk full"))", "s"])
        }
    }

    @Test("Answers after a lost transaction depend on the next one of the suite, which may be lost as well")
    func lostAgain() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let suite = try loop.suite("s")
            peer.send(1, "save", ["suite": "s"])
            peer.send(2, "save", ["suite": "t"])
            suite.rollback()
            loop.outbox.lose(suite, "disk full")
            peer.send(3, "save", ["suite": "t"])
            for id in 4...5 { peer.send(id, "save", ["suite": "s"]) }
            suite.rollback()
            loop.outbox.lose(suite, "power failure")
            for id in 6...7 { peer.send(id, "save", ["suite": "s"]) }
            suite.rollback()
            loop.outbox.lose(suite, "no disk")
            peer.send(8, "save", ["suite": "s"])
            #expect(loop.outbox.advance { true })
            let answers = try peer.messages()
            #expect(answers.map { $0["id"] } == [1, 2, 3, 4, 5, 6, 7, 8])
            let ends = answers.map { $0["error"]?["message"]?.string?.components(separatedBy: ": ").last }
            let failed = "power failure"
            #expect(ends == ["disk full", nil, nil, failed, failed, "no disk", "no disk", nil])
        }
    }

    @Test("If no commit can begin beside the event loop, its transaction is lost, and that is answered at once")
    func refusedCommit() throws {
        try withLoop { loop in
            let peer = loop.peer()
            peer.send(1, "save", ["suite": "s"])
            #expect(loop.outbox.advance { true })
            // The numbers of a suite are updated at the beginning of a commit.
            let trigger = "CREATE TRIGGER full BEFORE UPDATE ON counters BEGIN SELECT RAISE(ABORT, 'no room'); END"
            let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])"
            let child = try ChildProcess("python3", ["-c", script, "\(loop.store.folder)/s.sqlite", trigger])
            #expect(try child.wait() == .code(0))
            peer.send(2, "save", ["suite": "s"])
            #expect(loop.outbox.advance { false })
            #expect(try Self.outcomes(peer.messages()) == ["1 done", "2 notStored"])
            #expect(loop.ended.count == 2 && loop.ended.last != "s")
        }
    }
}
