import JSON
import TestSupport
import Testing

@testable import ExtensionHost

@Suite struct CallQueueTests {
    private func call(_ method: String, outlives: Bool = false, warn: (() -> Void)? = nil) -> ExtensionCall {
        ExtensionCall(
            method: method,
            writeParams: { _ in },
            capability: nil,
            outlivesProcess: outlives,
            willSend: {},
            timeWillExpire: warn,
            completion: { _ in }
        )
    }

    /// A queue with calls of these methods, of which the first ones were sent.
    private func queue(_ names: [String], sent: Int, concurrent: Int = 1, warn: (() -> Void)? = nil) -> CallQueue {
        var limits = ExtensionLimits()
        limits.concurrentCalls = concurrent
        limits.waitingCalls = 3
        var queue = CallQueue(limits: limits)
        for name in names { queue.append(call(name, outlives: name.hasPrefix("keeps"), warn: warn)) }
        for index in 0..<sent {
            let time = Int64(index)
            queue.noteSent(
                OutstandingCall(
                    call: queue.removeFirst(),
                    id: time + 1,
                    start: time,
                    deadline: time + 100,
                    warning: warn == nil ? nil : time + 90,
                    length: 10 + index,
                    processorTime: 0
                )
            )
        }
        return queue
    }

    @Test("Calls are sent in the order in which they were added")
    func order() {
        let queue = queue(["a", "b", "c"], sent: 1)
        #expect(queue.outstanding.map(\.call.method) == ["a"])
        #expect(queue.waiting.map(\.method) == ["b", "c"])
        #expect(queue.count == 3)
    }

    @Test("The numbers of outstanding and of waiting calls are limited", arguments: 1...3)
    func limits(concurrent: Int) {
        let names = ["a", "b", "c", "d", "e", "f"]
        #expect(queue(names, sent: concurrent - 1, concurrent: concurrent).canSend)
        #expect(!queue(names, sent: concurrent, concurrent: concurrent).canSend)
        #expect(queue(names, sent: 3, concurrent: concurrent).isFull)
        #expect(!queue(names, sent: 4, concurrent: concurrent).isFull)
    }

    @Test("An answer completes its call once, and the queue reports whether it was the oldest call")
    func answered() {
        var queue = queue(["a", "b", "c"], sent: 3, concurrent: 3)
        let wereOldest = [2, 2, 1].map { queue.removeOutstanding(id: $0) }
        #expect(wereOldest == [false, nil, true])
        #expect(queue.outstanding.map(\.id) == [3])
        #expect(queue.sentBytes == 12)
    }

    @Test("When the process exits, the calls that the next process cannot answer fail", arguments: [true, false])
    func lost(keeps: Bool) {
        var queue = queue(["a", "keeps b", "c", "keeps d"], sent: 1)
        let lost = queue.removeWaiting(keepingTransferable: keeps).map(\.method)
        #expect(lost == (keeps ? ["c"] : ["keeps b", "c", "keeps d"]))
        #expect(queue.waiting.map(\.method) == (keeps ? ["keeps b", "keeps d"] : []))
        let outstanding = queue.removeOutstanding()
        #expect(outstanding.map(\.call.method) == ["a"])
        #expect(queue.outstanding.isEmpty)
    }

    @Test("Each call has one warning, when it is due")
    func warnings() {
        var count = 0
        var queue = queue(["a", "b"], sent: 2, concurrent: 2) { count += 1 }
        #expect(queue.nextWarning == 90)
        let early = queue.removeDueWarnings(now: 89)
        #expect(early.isEmpty)
        for warn in queue.removeDueWarnings(now: 90) { warn() }
        #expect(count == 1)
        #expect(queue.nextWarning == 91)
        for warn in queue.removeDueWarnings(now: 200) { warn() }
        #expect(count == 2)
        #expect(queue.nextWarning == nil)
    }
}
