import JSON
import Suites
import TestSupport
import Testing

@testable import HostCore
@testable import JSONRPC

/// Which waiting calls are looked at again, and how often.
@Suite struct UnfinishedCallsTests {
    private let peer = Peer(.client)
    private let session = Session(lineLimit: 1_000)

    private func invocation(_ order: HostMethod.Order) throws -> Invocation {
        let request = Message.Request(method: "test", params: nil, id: 1)
        let call = Call(request, session: session, batch: nil, slot: 0)
        let arguments = try Signature("test", ["key?"]).bind(nil)
        return Invocation(call: call, peer: peer, arguments: arguments, order: order) { _, _ in .later }
    }

    /// Carries out what may be, as the host does at the end of a turn.
    ///
    /// - Returns: How many calls were looked at.
    private func advance(_ run: (Invocation) -> Void) -> Int {
        var (looks, number) = (0, 0)
        while let invocation = peer.calls.due.first(after: number) {
            number = invocation.number
            looks += 1
            if let blocker = peer.calls.blocker(of: invocation) {
                peer.calls.park(invocation, behind: blocker)
            } else {
                run(invocation)
            }
        }
        return looks
    }

    /// The call that a comparison with every other one finds.
    private func expectedBlocker(of invocation: Invocation) -> Bool {
        let footprint = invocation.footprint
        return peer.inFlight.contains { footprint.mustWait(for: $0.footprint, isWaiting: false) }
            || peer.waiting.contains {
                $0.number < invocation.number && footprint.mustWait(for: $0.footprint, isWaiting: true)
            }
    }

    @Test("No call that may be carried out is forgotten, and none is carried out before its time", arguments: 1...20)
    func nothingForgotten(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let orders: [HostMethod.Order] = [
            .append, .suite, .key, .flush, .allSuites, .listing, .reload, .presentation, .dismissal, .beginning,
        ]
        // Few unfinished calls are compared one by one, many have an index.
        let most = seed.isMultiple(of: 2) ? 12 : 90
        var (begun, parked) = (0, 0)
        for _ in 0..<400 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4 where peer.waiting.count < most:
                let invocation = try invocation(try #require(orders.randomElement(using: &random)))
                let isFree = peer.calls.blocker(of: invocation) == nil
                peer.calls.enqueue(invocation)
                #expect(isFree != expectedBlocker(of: invocation))
                if case .beginning = invocation.order, Bool.random(using: &random) { invocation.undecidedSuites = [] }
            case 4: if let one = peer.waiting.randomElement(using: &random) { peer.calls.dequeue(one) }
            case 5:
                if let one = (peer.waiting + peer.inFlight).randomElement(using: &random) {
                    one.undecidedSuites = one.undecidedSuites == nil ? [] : nil
                }
            default: if let one = peer.inFlight.randomElement(using: &random) { peer.calls.end(one) }
            }
            parked += advance { invocation in
                #expect(!expectedBlocker(of: invocation))
                begun += 1
                peer.calls.begin(invocation)
            }
            for invocation in peer.waiting where !peer.calls.due.contains(where: { $0 === invocation }) {
                #expect(expectedBlocker(of: invocation), "a parked call has a reason")
            }
            #expect(peer.waiting.map(\.number) == peer.waiting.map(\.number).sorted())
        }
        #expect(begun > 50 && parked > begun)
    }

    /// How many looks it takes to carry out calls one after the other, each of which waits for the one before.
    private func looks(at count: Int) throws -> Int {
        for _ in 0..<count { peer.calls.enqueue(try invocation(.allSuites)) }
        var (looks, done) = (0, 0)
        while !peer.isIdle {
            looks += advance { peer.calls.begin($0) }
            let running = try #require(peer.inFlight.first)
            #expect(peer.inFlight.count == 1)
            peer.calls.end(running)
            done += 1
        }
        #expect(done == count)
        return looks
    }

    @Test("Calls that wait for each other are looked at a few times each, however many there are")
    func looks() throws {
        #expect(try looks(at: 100) <= 300)
        #expect(try looks(at: 2_000) <= 6_000)
    }

    @Test("What is answered while it waits tells so once")
    func answered() throws {
        let invocation = try invocation(.append)
        var count = 0
        invocation.call.onAnswer { count += 1 }
        invocation.call.abandon()
        invocation.call.answer(.success(.null))
        #expect(count == 1)
    }
}
