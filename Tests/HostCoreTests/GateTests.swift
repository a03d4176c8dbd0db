import JSON
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// When the next message of a peer is handled, and what a client is told without asking.
@Suite(.waits) struct GateTests {
    @Test("An extension's messages wait while it leaves more than 4 MiB of answers unread; only then is it stuck")
    func extensionOutput() throws {
        try withLoop { loop throws in
            let program = Caller()
            let caller = loop.peer(.extension(program))
            program.unreadBytes = 4 << 20
            caller.send(1, "ping")
            #expect(try caller.sent() == [1])
            program.unreadBytes += 1
            #expect(!caller.isStuck, "no message waits")
            caller.send(2, "ping")
            #expect(try caller.sent() == [] && caller.hasBacklog && caller.isStuck)
            #expect(!caller.advance())
            program.unreadBytes -= 1
            #expect(!caller.isStuck)
            #expect(caller.advance() && !caller.advance())
            #expect(try caller.sent() == [2])
        }
    }

    @Test("An extension's messages wait while a subscriber leaves more than its limit unread, or so much waits for it")
    func subscriber() throws {
        try withLoop(outputLimit: 200) { loop throws in
            let (client, caller) = (loop.peer(), loop.peer(.extension(Caller())))
            loop.publisher.client = client
            client.topics = [.didSave]
            func publish(_ bytes: Int) {
                loop.publisher.publish(.didSave) { [.string(String(repeating: "x", count: bytes))] }
            }
            publish(0)
            publish(200 - 2 * client.unreadBytes)
            #expect(client.unreadBytes == 200)
            caller.send(1, "ping")
            #expect(try caller.sent() == [1])
            // Its answer waits for a commit, and what is unread is just as much as may be.
            caller.send(2, "save", ["suite": "s"])
            caller.send(3, "ping")
            #expect(caller.hasBacklog && !caller.advance())
            #expect(loop.outbox.advance { true } && caller.advance())
            #expect(try caller.sent() == [2, 3])
        }
    }

    @Test("An extension is not stuck while a call of its own waits, although it reads nothing")
    func waitingCall() throws {
        try withLoop { loop in
            let program = Caller()
            let caller = loop.peer(.extension(program))
            caller.send(1, "delay")
            let request = Message.Request(method: "delay", params: nil, id: 2)
            let second = Call(request, session: try #require(caller.session), batch: nil, slot: 0)
            caller.run(second, try #require(caller.methods["delay"]))
            caller.send(3, "ping")
            program.unreadBytes = 5 << 20
            #expect(caller.hasBacklog && caller.scheduler.waiting.count == 1 && !caller.isStuck)
            try loop.endDelayed()
            #expect(loop.dispatcher.advance(caller))
            #expect(caller.isStuck)
            program.unreadBytes = 0
            try loop.endDelayed()
            #expect(caller.isIdle && caller.advance())
            #expect(try caller.sent() == [1, 2, 3])
        }
    }

    @Test("A control connection is served one message after the other: when the answer was given and read")
    func control() throws {
        try withLoop { loop in
            let control = loop.peer(.control)
            for id in 1...2 { control.send(id, "ping") }
            #expect(!control.advance(), "an answer is unread")
            #expect(try control.sent() == [1] && control.advance())
            #expect(try control.sent() == [2])
            control.send(3, "delay")
            control.send(4, "ping")
            #expect(!control.advance(), "a call is not answered")
            try loop.endDelayed()
            #expect(!control.advance())
            #expect(try control.sent() == [3] && control.advance())
            #expect(try control.sent() == [4])
            loop.gate.end(.shutdown)
            control.send(5, "ping")
            #expect(try control.sent() == [] && control.hasBacklog)
        }
    }

    @Test("A client that leaves more than the limit unread is not read on, nor while so much waits for a commit")
    func clientOutput() throws {
        try withLoop(outputLimit: 200) { loop in
            let (client, other) = (loop.peer(), loop.peer())
            let session = try #require(client.session)
            func notify(_ bytes: Int) {
                loop.outbox.notify(session, "x") { [.string(String(repeating: "x", count: bytes))] }
            }
            notify(0)
            notify(200 - 2 * client.unreadBytes)
            #expect(client.unreadBytes == 200)
            for id in 1...2 { client.send(id, "ping") }
            #expect(try client.sent() == ["x", "x", 1] && client.hasBacklog)
            #expect(client.advance())
            #expect(try client.sent() == [2])
            // Each answer has 43 bytes.
            for id in 3...8 { client.send(id, "save", ["suite": "s"]) }
            #expect(client.hasBacklog && !loop.gate.admitsReading(from: other))
            loop.beginCommit()
            #expect(!loop.gate.admitsReading(from: other))
            try loop.endStep()
            #expect(loop.gate.admitsReading(from: other))
            #expect(try client.sent() == [3, 4, 5, 6, 7])
        }
    }

    @Test("In lock step a message waits for the answer to the one before, and for a flush that this caused")
    func lockStep() throws {
        try withLoop(isLockStep: true) { loop in
            let peer = loop.peer()
            peer.send(1, "save", ["suite": "s"])
            peer.send(2, "ping")
            #expect(!peer.advance(), "the commit is to come")
            loop.flushesAreQuiet = false
            #expect(loop.outbox.advance { true })
            #expect(!peer.advance(), "a flush runs")
            loop.flushesAreQuiet = true
            #expect(peer.advance())
            #expect(try peer.sent() == [1, 2])
            peer.send(3, "delay")
            peer.send(4, "ping")
            #expect(!peer.advance(), "a call runs")
            try loop.endDelayed()
            #expect(peer.advance())
            #expect(try peer.sent() == [3, 4])
        }
    }

    @Test("After shutdown no message is handled, its calls are answered in the end, and members of batches are refused")
    func shutdown() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let shutdown = Shutdown(loop.gate, loop.outbox)
            loop.methods.addFree("shutdown") { _, _, call in
                shutdown.request(call)
                return nil
            }
            for id in 1...2 { peer.send(id, "delay") }
            let members = [Peer.request(3, "shutdown"), Peer.request(4, "ping"), "1", Peer.request(5, "ping")]
            peer.receive(line: "[\(members.joined(separator: ",")),\(#"{"jsonrpc":"2.0","id":7,"result":1}"#)]")
            peer.send(6, "ping")
            peer.receive(line: "[\(Peer.request(8, "ping"))]")
            #expect(loop.gate.ending.state == .draining && peer.unansweredCount == 2)
            #expect(!peer.advance() && peer.hasBacklog)
            let calls = peer.removeBatchMembers()
            #expect(calls.map(\.id) == [4, 5])
            for call in calls { call.answer(.success(false)) }
            #expect(peer.hasBacklog && peer.removeBatchMembers().isEmpty, "the later lines are not answered")
            #expect(try peer.messages() == [])
            shutdown.finish()
            let answers = try peer.messages()
            #expect(answers.count == 1 && answers[0].array?.map { $0["id"] } == [3, 4, .null, 5])
        }
    }

    @Test("A client is notified of its topics, and of nothing else")
    func topics() throws {
        try withLoop { loop in
            let client = loop.peer()
            loop.publisher.publish(.didSave) { [:] }
            loop.publisher.client = client
            client.topics = [.didSave]
            loop.publisher.publish(.didDismiss) { [:] }
            loop.publisher.publish(.didSave) { ["id": 1] }
            loop.publisher.publish(errorLine: "x", of: "e")
            let messages = try client.messages()
            #expect(messages.map { $0["method"] } == ["didSave"])
            #expect(messages.first?["params"] == ["id": 1])
        }
    }

    @Test("The progress of a call is reported with its token until it is answered, and not without a token")
    func progress() throws {
        try withLoop { loop in
            let client = loop.peer()
            client.send(1, "delay")
            let call = try #require(loop.delayed.first).call
            loop.publisher.publishProgress(of: call, 1, "a")
            call.progressToken = "t"
            loop.publisher.publishProgress(of: call, 2, "b")
            let messages = try client.messages()
            #expect(messages.map { $0["method"] } == ["notifications/progress"])
            #expect(messages.first?["params"] == ["progressToken": "t", "progress": 2, "message": "b"])
            try loop.endDelayed()
            loop.publisher.publishProgress(of: call, 3, "c")
            #expect(try client.sent() == [1])
        }
    }
}
