import JSON
import Platform
import TestSupport
import Testing

@testable import ExtensionHost

/// What an extension does when; the limits have their default values.
@Suite(.waits) struct ProcessTimeTests {
    @Test("A process must answer activate in time; messages that wait for the owner hold that up, but not for ever")
    func activation() throws {
        try withProcessBench { bench in
            let (process, owner) = (bench.process, bench.owner)
            try bench.activate()
            #expect(process.deadline == 15_000 && process.retryAfter == nil)
            owner.hasBacklog = true
            #expect(process.deadline == nil)
            bench.now = 15_000
            process.expire()
            #expect(process.state == "activating")
            owner.isStuck = true
            #expect(process.deadline == 15_000)
            (owner.hasBacklog, owner.isStuck) = (false, false)
            bench.now = 14_999
            process.expire()
            #expect(process.state == "activating")
            bench.now = 15_000
            process.expire()
            #expect(process.state == "stopping" && process.deadline == nil)
        }
    }

    @Test("A call fails at its deadline, but not while its answer waits for the owner")
    func late() throws {
        try withProcessBench { bench in
            try bench.start()
            bench.call("a")
            #expect(bench.process.deadline == 15_000)
            bench.now = 15_000
            bench.owner.hasBacklog = true
            #expect(bench.process.deadline == nil)
            bench.process.expire()
            #expect(bench.results.isEmpty)
            bench.owner.hasBacklog = false
            bench.now = 14_999
            bench.process.expire()
            #expect(bench.results.isEmpty)
            bench.now = 15_000
            bench.process.expire()
            #expect(bench.failures.map(\.reason) == [.timedOut(method: "a", milliseconds: 10_000)])
            #expect(bench.failures.first?.wasSent == true)
            #expect(bench.process.deadline == nil, "only its end is missing")
        }
    }

    @Test("An answer that is in the pipe at its deadline is in time, also after another one that was")
    func inPipe() throws {
        try withProcessBench(limits: { $0.concurrentCalls = 2 }) { bench in
            try bench.start()
            bench.call("a")
            bench.now = 5_001
            bench.call("b")
            for deadline in [15_000, 15_001] as [Int64] {
                #expect(bench.process.deadline == deadline)
                bench.writeAnswer()
                bench.now = deadline
                bench.process.expire()
                #expect(bench.failures.isEmpty)
                bench.handle(bench.run.child.output)
            }
            #expect(bench.results.count == 2 && bench.failures.isEmpty)
        }
    }

    @Test("A process that was to be started again for a call is not, once the host stops")
    func stoppedForGood() throws {
        try withProcessBench { bench in
            try writeExecutable("#!/bin/sh\nexec cat\n", to: "\(bench.process.bundle.path)/run")
            try bench.start()
            bench.process.requestStop(.unused(milliseconds: 30_000))
            bench.call("a")
            bench.process.stop(because: .hostStopping)
            #expect(bench.failures.map(\.reason) == [.stopping])
            bench.process.kill()
            bench.reap()
            #expect(bench.process.state == "idle" && bench.process.pid == nil)
            #expect(bench.process.history.starts == 0)
        }
    }

    @Test("A call is warned once, when nine tenths of its time are over")
    func warning() throws {
        try withProcessBench { bench in
            try bench.start()
            var warnings = 0
            bench.process.call("a", params: [:], timeWillExpire: { warnings += 1 }, completion: { _ in })
            #expect(bench.process.deadline == 14_000)
            bench.now = 13_999
            bench.process.expire()
            #expect(warnings == 0)
            bench.now = 14_000
            bench.process.expire()
            #expect(warnings == 1 && bench.process.deadline == 15_000)
        }
    }

    @Test("An unused process is asked to stop after a while, which begins with its last call or presentation")
    func idle() throws {
        try withProcessBench { bench in
            let process = bench.process
            try bench.start()
            #expect(process.deadline == 35_000)
            process.presentations = 1
            #expect(process.deadline == nil)
            bench.now = 6_000
            process.presentations = 0
            #expect(process.deadline == 36_000)
            bench.now = 7_000
            process.presentations = 0
            #expect(process.deadline == 36_000, "no presentation ended")
            bench.call("a")
            #expect(process.deadline == 17_000)
            bench.answer()
            #expect(process.deadline == 37_000)
            bench.now = 36_999
            process.expire()
            #expect(process.state == "ready")
            bench.now = 37_000
            process.expire()
            #expect(process.state == "stopping" && process.deadline == 39_000)
            #expect(bench.run.endCause == .stopped(.unused(milliseconds: 30_000)))
        }
    }

    @Test("A process that does not stop when asked is sent SIGTERM in time, also while messages of it wait")
    func stop() throws {
        try withProcessBench { bench in
            try bench.start()
            bench.owner.hasBacklog = true
            bench.process.stop(because: .hostStopping)
            #expect(bench.process.deadline == 7_000 && bench.process.retryAfter == nil)
            bench.now = 6_999
            bench.process.expire()
            #expect(bench.process.lifecycle.state == .stopping(.inputClosed))
            bench.now = 7_000
            bench.process.expire()
            #expect(bench.process.lifecycle.state == .stopping(.terminated) && bench.process.deadline == 9_000)
        }
    }

    @Test("A process that closes its stdout is killed if it does not end within half a second")
    func closedOutput() throws {
        try withProcessBench { bench in
            bench.process.presentations = 1
            try bench.start("exec cat >/dev/null")
            while bench.run.pipes.outputClosed == nil { bench.handle(bench.run.child.output) }
            #expect(bench.process.deadline == 5_500 && !bench.process.isAtRest)
            bench.now = 5_499
            bench.process.expire()
            #expect(bench.process.state == "ready")
            bench.now = 5_500
            bench.process.expire()
            #expect(bench.process.lifecycle.state == .stopping(.killed) && bench.process.deadline == nil)
        }
    }

    @Test("What a process uses is looked at every second, and every 100 ms during a call")
    func samples() throws {
        try withProcessBench(limits: { $0.memory = 1 }) { bench in
            try bench.start()
            // It uses little before it is cat, which gives back what it gets.
            bench.writeAnswer()
            #expect(bench.process.deadline == 6_000)
            bench.call("a")
            #expect(bench.process.deadline == 5_100)
            bench.now = 5_099
            bench.process.expire()
            #expect(bench.results.isEmpty)
            bench.now = 5_100
            bench.process.expire()
            #expect(bench.failures.map(\.wasSent) == [true])
            #expect(bench.failures.first?.reason.description.contains("MiB of memory") == true)
        }
    }

    @Test("A call is not sent to a process that uses too much if the last look is old", arguments: [999, 1_000])
    func oldSample(age: Int64) throws {
        try withProcessBench(limits: { $0.memory = 1 }) { bench in
            try bench.start()
            bench.writeAnswer()
            bench.now += age
            bench.call("a")
            #expect(bench.failures.map(\.wasSent) == (age < 1_000 ? [] : [false]))
            #expect(bench.process.state == (age < 1_000 ? "ready" : "stopping"))
        }
    }

    @Test("An answer does not count if the process took too much memory, where that is limited", arguments: [0, 1])
    func heap(limit: UInt64) throws {
        try withProcessBench(limits: { ($0.memory, $0.heap) = (1, limit) }) { bench in
            try bench.start()
            bench.run.monitor.noteReady([])
            bench.call("a")
            bench.answer()
            #expect(bench.results.count == 1 && bench.failures.isEmpty == (limit == 0))
        }
    }
}
