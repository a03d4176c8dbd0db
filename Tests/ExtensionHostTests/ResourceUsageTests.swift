#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import ExtensionHost

/// The samples of what a process uses, and when one may be left out.
@Suite(.waits) struct ResourceUsageTests {
    /// A process that does what each line says, and then writes a line.
    private func process() throws -> ChildProcess {
        let program = """
            import os, subprocess, sys
            kept = []
            for line in sys.stdin:
                if line == "memory\\n": kept.append(bytearray(b"x" * (64 << 20)))
                if line == "child\\n": kept.append(subprocess.Popen(["sleep", "600"]))
                print("done", flush=True)
            for child in kept:
                if isinstance(child, subprocess.Popen): child.kill()
            """
        let process = try ChildProcess("/usr/bin/env", ["python3", "-c", program])
        try order("nothing", process)
        return process
    }

    private func order(_ line: String, _ process: ChildProcess) throws {
        try process.write(line: line)
        #expect(try process.readLine() == "done")
    }

    @Test("Samples of a process that does nothing are left out nine times in a row")
    func idle() throws {
        let process = try process()
        var monitor = ResourceMonitor(limits: ExtensionLimits(), now: 0)
        let samples = (Int64(1)...22).map { number -> Bool in
            let now = 100 * number
            let isLeftOut = monitor.holds(process.pid, now: now)
            if !isLeftOut {
                monitor.sample([process.pid], now: now)
                #expect(monitor.usage.processes == 1)
            }
            #expect(monitor.nextSample(callStart: 0) == now + 100)
            return !isLeftOut
        }
        let every: [Bool] = [true] + Array(repeating: false, count: 9)
        #expect(samples == every + every + [true, false])
        #expect(monitor.nextSample(callStart: nil) == 3_200)
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }

    @Test("Any single limit needs samples, and without one there are none")
    func limits() {
        var none = ExtensionLimits()
        (none.memory, none.heap, none.processorTime, none.processes) = (0, 0, 0, 0)
        let changes: [(inout ExtensionLimits) -> Void] = [
            { $0.memory = 1 }, { $0.heap = 1 }, { $0.processorTime = 1 }, { $0.processes = 1 },
        ]
        #expect(ResourceMonitor(limits: none, now: 0).nextSample(callStart: 0) == nil)
        for change in changes {
            var limits = none
            change(&limits)
            #expect(ResourceMonitor(limits: limits, now: 0).nextSample(callStart: 0) == 100)
        }
    }

    @Test("A process may use as much memory beyond that of its start as its limit says, and not a byte more")
    func heap() throws {
        let process = try process()
        /// Waits for input meanwhile, so each sample is the same.
        func monitor(heap: UInt64) throws -> ResourceMonitor {
            var limits = ExtensionLimits()
            limits.heap = heap
            var monitor = ResourceMonitor(limits: limits, now: 0)
            monitor.noteReady([])
            monitor.sample([process.pid], now: 0)
            return monitor
        }
        try order("memory", process)
        try order("memory", process)
        let used = try monitor(heap: 1 << 40).usage.peak
        #expect(used > 128 << 20)
        // That of others counts too.
        let other = try self.process()
        try order("memory", other)
        var both = try monitor(heap: 1 << 40)
        both.sample([process.pid, other.pid], now: 1)
        #expect(both.usage.recentPeak > 192 << 20 && both.usage.processes == 2)
        other.closeInput()
        #expect(try other.wait() == .code(0))
        #expect(try monitor(heap: used).violation(isActivating: false, []) == nil)
        #expect(try monitor(heap: used - 1).violation(isActivating: false, [])?.contains("iOS kills") == true)
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }

    @Test("A report says what a process took, even where that is not limited")
    func report() throws {
        let process = try process()
        var monitor = ResourceMonitor(limits: ExtensionLimits(), now: 0)
        monitor.noteReady([])
        let usage = monitor.report([process.pid], now: 1)
        #expect(usage.peak > 0 && usage.processes == 1)
        #expect(monitor.violation(isActivating: false, []) == nil)
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }

    @Test("A process may use as much memory and processor time as its limits say, and not more")
    func exactly() throws {
        let process = try process()
        func monitor(_ change: (inout ExtensionLimits) -> Void) -> ResourceMonitor {
            var limits = ExtensionLimits()
            change(&limits)
            var monitor = ResourceMonitor(limits: limits, now: 0)
            monitor.sample([process.pid], now: 0)
            return monitor
        }
        let used = monitor { _ in }.usage
        #expect(monitor { ($0.processes, $0.memory) = (1, 0) }.violation(isActivating: false, []) == nil)
        for excess in [0, 1] as [UInt64] {
            let memory = monitor { $0.memory = used.memory - excess }
            #expect((memory.violation(isActivating: false, []) == nil) == (excess == 0))
            let time = monitor { $0.processorTime = used.processorTime - excess }
            #expect((time.violation(isActivating: true, []) == nil) == (excess == 0))
        }
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }

    @Test("The start of a process may use as much processor time as a call; a limit of 0 is none")
    func processorTime() throws {
        let process = try process()
        var limits = ExtensionLimits()
        (limits.processorTime, limits.processes) = (1, 0)
        var monitor = ResourceMonitor(limits: limits, now: 0)
        monitor.sample([process.pid], now: 0)
        #expect(monitor.usage.processorTime > 1)
        #expect(monitor.violation(isActivating: false, []) == nil)
        #expect(monitor.violation(isActivating: true, [])?.hasSuffix("for activate and was killed") == true)
        // Each call counts what was used since it was sent.
        let used = monitor.usage.processorTime
        let calls = [("a", used), ("b", used - 1), ("c", used - 2)].map { method, start in
            OutstandingCall(
                call: ExtensionCall(method: method, writeParams: { _ in }, completion: { _ in }),
                id: 1,
                start: 0,
                deadline: 1,
                length: 1,
                processorTime: start
            )
        }
        #expect(monitor.violation(isActivating: false, Array(calls[..<2])) == nil)
        #expect(monitor.violation(isActivating: false, calls)?.hasSuffix("for c and was killed") == true)
        limits.processorTime = 0
        monitor = ResourceMonitor(limits: limits, now: 0)
        monitor.sample([process.pid], now: 0)
        #expect(monitor.violation(isActivating: true, []) == nil)
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }

    @Test(
        "A process that used memory or started another process is sampled again",
        arguments: ["memory", "child"]
    )
    func active(line: String) throws {
        let process = try process()
        var monitor = ResourceMonitor(limits: ExtensionLimits(), now: 0)
        monitor.sample([process.pid], now: 0)
        let before = monitor.usage.memory
        var holds = monitor.holds(process.pid, now: 1)
        #expect(holds)
        try order(line, process)
        holds = monitor.holds(process.pid, now: 2)
        #expect(!holds)
        monitor.sample([process.pid], now: 3)
        #expect(line == "memory" ? monitor.usage.memory > before + (60 << 20) : monitor.usage.processes == 2)
        // The other process may do anything, so no sample is left out while it runs.
        holds = monitor.holds(process.pid, now: 4)
        #expect(holds == (line == "memory"))
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }
}
#endif
