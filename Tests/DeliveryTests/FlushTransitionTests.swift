import Platform
import Suites
import Testing

@testable import Delivery

/// Each transition of a flush in one line: the events since its beginning, and the actions after the last event.
///
/// The flush has the records 1 and 2. `busy` and `refuse` answer the action before them; `accept`, `decline` and `die`
/// answer the batch that was sent last. `expire` happens when it is due, other events at once, and `@` sets the time.
struct FlushTransitionTests {
    @Test(
        "The queue is read",
        arguments: [
            ("", "read 1...2"),
            ("expire", "read 1...2"), ("commit", "read 1...2"), ("lose", "read 1...2"), ("expedite", "read 1...2"),
            ("cancel", "reply cancelled, end cancelled"),
            ("busy", "-"), ("busy expire", "read 1...2"), ("busy commit", "read 1...2"),
            ("busy cancel", "reply cancelled, end cancelled"),
            ("busy expire busy@6000", "reply another process holds the suite, end another process holds the suite"),
            ("refuse", "reply full disk, end full disk"),
            ("empty", "reply done, end done"),
            ("read", "claim 1 2"), ("damaged", "claim 1"),
        ]
    )
    func reading(events: String, actions: String) throws { try expect(actions, after: events) }

    @Test(
        "A claim counts once it is committed, and a batch is sent only then",
        arguments: [
            ("busy", "-"), ("busy expire", "claim 1 2"), ("busy commit", "claim 1 2"), ("busy expedite", "-"),
            ("busy cancel", "reply cancelled, end cancelled"),
            ("busy expire busy@6000", "reply another process holds the suite, end another process holds the suite"),
            ("refuse", "reply full disk, end full disk"),
            ("expire", "claim 1 2"), ("expedite", "claim 1 2"), ("lose", "claim 1 2"),
            ("cancel", "reply cancelled, end cancelled"),
            ("claim", "-"), ("claim expire", "-"), ("claim commit", "send 1 2"),
            ("claim lose", "reply lost, end lost"),
            ("claim cancel", "-"), ("claim cancel commit", "settle"), ("claim cancel lose", "reply lost, end lost"),
            ("claim cancel commit settle commit", "reply cancelled, end cancelled"),
            ("part", "-"), ("part commit", "send 2"),
            ("missing", "settle"), ("missing settle", "-"), ("missing settle commit", "reply done, end done"),
            ("missing lose", "reply lost, end lost"), ("missing settle lose", "reply lost, end lost"),
        ]
    )
    func claiming(events: String, actions: String) throws { try expect(actions, after: "read \(events)") }

    @Test(
        "A batch that was sent is awaited",
        arguments: [
            ("cancel", "-"), ("expedite", "-"), ("expire", "-"), ("commit", "-"), ("lose", "-"),
            ("accept", "settle +1 +2"), ("decline", "settle, pause"), ("die", "settle ?1 ?2, pause"),
            ("cancel accept", "settle +1 +2"), ("cancel die", "settle ?1 ?2"),
            ("expedite accept", "settle +1 +2"), ("accept accept", "settle +1 +2"),
        ]
    )
    func sent(events: String, actions: String) throws { try expect(actions, after: "read claim commit \(events)") }

    @Test(
        "The outcome of a batch is stored, with retries until that succeeds",
        arguments: [
            ("busy", "-"), ("busy expire", "settle +1 +2"), ("refuse", "-"), ("refuse expire", "settle +1 +2"),
            ("refuse commit", "settle +1 +2"), ("busy cancel", "-"), ("busy cancel expire", "settle +1 +2"),
            ("settle", "-"), ("settle expire", "-"), ("settle cancel", "-"),
            ("settle commit", "report, reply done, end done"),
            ("lose", "settle +1 +2"), ("settle lose", "-"), ("settle lose expire", "settle +1 +2"),
            ("settle lose expire settle commit", "report, reply done, end done"),
            ("refuse expire refuse@6000", "reply full disk"),
            ("refuse expire refuse@6000 refuse@9000", "-"),
            ("refuse expire refuse@6000 expire", "settle +1 +2"),
            ("refuse expire refuse@6000 expire settle commit", "report, end full disk"),
            ("refuse expire refuse@6000 expire busy@9000 expire settle commit", "report, end full disk"),
            ("settle lose expire settle lose@6000", "reply lost"),
            ("settle lose expire settle lose@6000 expire settle commit", "report, end lost"),
        ]
    )
    func settling(events: String, actions: String) throws {
        try expect(actions, after: "read claim commit accept \(events)")
    }

    @Test(
        "A destination that attempted nothing is tried again",
        arguments: [
            ("settle commit", "-"), ("settle commit expire", "claim 1 2"), ("expire settle commit", "claim 1 2"),
            ("settle commit expedite", "reply unavailable, end unavailable"),
            ("expedite settle commit", "reply unavailable, end unavailable"),
            ("expedite settle commit@9000", "reply unavailable, end unavailable"),
            ("settle commit cancel", "reply cancelled, end cancelled"),
            ("settle commit expire claim commit accept settle commit", "report, reply done, end done"),
        ]
    )
    func paused(events: String, actions: String) throws {
        try expect(actions, after: "read claim commit decline \(events)")
    }

    @Test(
        "A flush ends if the transaction in which it began is lost, as what was settled in it is not",
        arguments: [
            ("lose", "reply lost, end lost"), ("read claim lose", "reply lost, end lost"),
            ("commit lose", "read 1...2"),
        ]
    )
    func recovering(events: String, actions: String) throws {
        try expect(actions, after: events, beganInTransaction: true)
    }

    @Test(
        "A batch that the destination has not accepted yet is withdrawn if the flush ends",
        arguments: [
            ("commit", "-"), ("expedite", "-"), ("cancel", "settle"),
            ("cancel settle commit", "reply cancelled, end cancelled"),
        ]
    )
    func withdrawn(events: String, actions: String) throws {
        var script = FlushScript([record(1), record(2)], isReady: false)
        try script.run("read claim commit \(events)")
        #expect(script.done == actions)
    }

    private func expect(_ actions: String, after events: String, beganInTransaction: Bool = false) throws {
        var script = FlushScript([record(1), record(2)], beganInTransaction: beganInTransaction)
        try script.run(events)
        #expect(script.done == actions)
    }
}

/// Runs a flush whose events and actions are written as words.
private struct FlushScript {
    /// The actions after the last event.
    private(set) var done = ""
    private var flush: Flush
    private var action: Flush.Action?
    private var lastSent = -1
    private var now: Int64 = 0
    private let records: [StoredRecord]
    private let isReady: Bool

    init(_ records: [StoredRecord], beganInTransaction: Bool = false, isReady: Bool = true) {
        self.records = records
        self.isReady = isReady
        var request = Flush.Request(newest: 2)
        request.batchesAtOnce = 2
        flush = Flush(
            request,
            destinationRetry: Retry(RetryPolicy(base: 1_000, limit: 300_000, patience: 60_000), start: 0, seed: 1),
            queueRetry: Retry(.lockedQueue(patience: 5_000), seed: 1),
            beganInTransaction: beganInTransaction,
            now: 0
        )
        collect()
    }

    mutating func run(_ events: String) throws {
        for word in events.split(separator: " ") {
            let parts = word.split(separator: "@")
            if parts.count == 2 { now = try #require(Int64(parts[1])) }
            if parts[0] == "expire" { now = flush.deadline ?? now }
            flush.handle(try event(String(parts[0])), at: now)
            collect()
        }
    }

    private func event(_ word: String) throws -> Flush.Event {
        switch (word, action) {
        case ("expire", _): return .expired
        case ("commit", _): return .committed
        case ("lose", _): return .lost(.transactionLost("lost"))
        case ("expedite", _): return .expedited
        case ("cancel", _): return .cancelled
        case ("busy", let action?): return .busy(action)
        case ("refuse", let action?): return .refused(action, .notStored("full disk"))
        case ("read", _): return .read(QueuePage(records))
        case ("empty", _): return .read(QueuePage([]))
        case ("damaged", _): return .read(QueuePage([records[0]], damaged: [DamagedRecord(id: 2, problem: "x")]))
        case ("claim", .claim(let number, _)): return .claimed(number, QueueClaim(Int64(number + 1)))
        case ("part", .claim(let number, _)): return .claimed(number, QueueClaim(1, missing: [1]))
        case ("missing", .claim(let number, _)): return .claimed(number, QueueClaim(1, missing: [1, 2]))
        case ("settle", .settle(let number, _, _, _)): return .settled(number)
        case ("accept", _): return .answered(lastSent, DeliveryReply(accepting: [1, 2]))
        case ("decline", _): return .answered(lastSent, DeliveryReply())
        case ("die", _): return .failed(lastSent, .exited)
        default: throw UnknownWord(word: word)
        }
    }

    private struct UnknownWord: Error { let word: String }

    private mutating func collect() {
        var words: [String] = []
        while let next = flush.next() {
            words.append(text(next))
            if isOfQueue(next) { break }
        }
        while isReady, let batch = flush.nextBatch() {
            words.append("send \(ids(batch.records))")
            lastSent = batch.number
        }
        done = words.isEmpty ? "-" : words.joined(separator: ", ")
    }

    /// Whether the action needs an event with its result; stores such an action for that event.
    private mutating func isOfQueue(_ next: Flush.Action) -> Bool {
        switch next {
        case .read, .claim, .settle:
            action = next
            return true
        case .report, .reply, .end: return false
        }
    }

    private func text(_ action: Flush.Action) -> String {
        switch action {
        case .read(let range, _, _): "read \(range)"
        case .claim(_, let records): "claim \(ids(records))"
        case .settle(_, _, let settlement, let change):
            (["settle"] + settlement.delivered.map { "+\($0)" } + settlement.ambiguousPending.map { "?\($0)" })
                .joined(separator: " ") + (change == nil ? "" : ", pause")
        case .report: "report"
        case .reply(let ending): "reply \(text(ending))"
        case .end(let ending): "end \(text(ending))"
        }
    }

    private func text(_ ending: Flush.Ending) -> String {
        switch ending {
        case .done: "done"
        case .stopped: "stopped"
        case .unavailable: "unavailable"
        case .cancelled: "cancelled"
        case .refused(let error): error.text
        }
    }

    private func ids(_ records: [StoredRecord]) -> String { records.map { "\($0.id)" }.joined(separator: " ") }
}
