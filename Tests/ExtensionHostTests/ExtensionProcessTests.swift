import Foundation
import JSON
import JSONRPC
import Platform
import TestSupport
import Testing

@testable import ExtensionHost

/// The calls to an extension, its starts and its ends.
@Suite(.waits) struct ExtensionProcessTests {
    // MARK: Calls

    @Test("A call learns when it is sent, which is after the one before it was answered")
    func sent() throws {
        try withProcessBench { bench in
            try bench.start()
            var sent: [String] = []
            for name in ["a", "b"] {
                bench.process.call(name, params: [:], willSend: { sent.append(name) }, completion: { _ in })
            }
            #expect(sent == ["a"])
            bench.answer()
            #expect(sent == ["a", "b"])
        }
    }

    @Test("A call that needs a capability is sent only to a process that declared it, and holds no other one up")
    func capability() throws {
        try withProcessBench(limits: { $0.concurrentCalls = 2 }) { bench in
            try bench.start(capabilities: [.check])
            var failures: [ExtensionFailure] = []
            for capability: ExtensionCapability in [.dryRun, .check] {
                bench.process.call("\(capability)", writtenParams: Array("{}".utf8), needing: capability) {
                    if case .failure(let failure) = $0 { failures.append(failure) }
                }
            }
            #expect(failures.map(\.reason) == [.incapable(.dryRun)] && failures.first?.wasSent == false)
            #expect(bench.process.calls.outstanding.map(\.call.method) == ["check"])
        }
    }

    @Test(
        "A stop fails the calls that wait, and those that were sent too, except to a destination",
        arguments: [ExtensionBundle.Point.content, .destination]
    )
    func stop(point: ExtensionBundle.Point) throws {
        try withProcessBench(point: point) { bench in
            try bench.start()
            for name in ["a", "b"] { bench.call(name) }
            bench.writeAnswer()
            bench.process.stop(because: .hostStopping)
            #expect(bench.failures.allSatisfy { $0.reason == .stopping })
            #expect(bench.failures.map(\.wasSent) == (point == .content ? [true, false] : [false]))
            bench.handle(bench.run.child.output)
            #expect(bench.results.count == 2, "a destination finishes what it began")
        }
    }

    @Test("A process may leave as many bytes unread as its limit says, besides those of its calls", arguments: [0, 1])
    func unread(excess: Int) throws {
        var size = 0
        try withProcessBench { bench in
            try bench.start()
            bench.run.session.notify("note", params: [:])
            size = bench.run.session.output.count
        }
        try withProcessBench(limits: { $0.unreadBytes = size - excess }) { bench in
            try bench.start()
            bench.call("a")
            bench.run.session.notify("note", params: [:])
            bench.process.checkUnreadBytes()
            #expect(bench.failures.count == excess)
        }
    }

    @Test("A process that leaves too much unread when it is asked to stop is killed at once")
    func unreadAtStop() throws {
        try withProcessBench(limits: { $0.unreadBytes = 1_000 }) { bench in
            try bench.start("exec sleep 600")
            bench.run.session.notify("note", params: ["text": .string(String(repeating: "x", count: 2 << 20))])
            bench.process.stop(because: .hostStopping)
            #expect(bench.process.lifecycle.state == .stopping(.killed))
        }
    }

    // MARK: The event loop

    @Test("An extension is at rest while it has a process and nothing to do")
    func rest() throws {
        try withProcessBench { bench in
            let process = bench.process
            #expect(process.isAtRest)
            try bench.activate()
            #expect(!process.isAtRest)
            process.perform(.activated)
            #expect(process.isAtRest)
            bench.owner.hasBacklog = true
            #expect(!process.isAtRest)
            bench.owner.hasBacklog = false
            bench.call("a")
            // The request is on its way, and only its answer is missing.
            bench.run.session.output.removeAll()
            #expect(!process.isAtRest)
            bench.answer()
            #expect(process.isAtRest)
            bench.run.session.notify("note", params: [:])
            #expect(!process.isAtRest)
            bench.handle(bench.run.child.input)
            #expect(process.isAtRest && bench.run.session.output.isEmpty, "it was written")
        }
    }

    @Test("The owner learns when there may be something to do again")
    func activity() throws {
        try withProcessBench { bench in
            try bench.start()
            var count = 0
            bench.process.onActivity = { count += 1 }
            let events: [(ProcessBench) -> Void] = [
                { $0.call("a") }, { $0.handle($0.run.child.error) }, { $0.process.presentations = 1 },
                { $0.process.resetRestartBudget() },
            ]
            for event in events {
                count = 0
                event(bench)
                #expect(count > 0)
            }
        }
    }

    // MARK: Starts and ends

    @Test("An extension that cannot be started waits after a failure, and its repair is noticed")
    func failedStart() throws {
        let limits = { (limits: inout ExtensionLimits) in
            (limits.freeRestarts, limits.firstPause, limits.longestPause) = (0, 1_000, 1_000)
        }
        try withProcessBench(limits: limits) { bench in
            let process = bench.process
            bench.call("a")
            #expect(bench.failures.map(\.wasSent) == [false] && process.history.statistics.failed == 1)
            #expect(bench.failures.first?.reason.description.hasPrefix("could not be started") == true)
            let end = try #require(process.deadline)
            #expect(process.state == "backingOff" && process.retryAfter == end - 5_000 && !process.isAtRest)
            #expect(process.faults == 1 && process.isUpToDate)
            try Data().write(to: URL(filePath: "\(process.bundle.path)/run"))
            #expect(!process.isUpToDate)
            bench.now = end - 1
            process.expire()
            #expect(process.state == "backingOff")
            bench.now = end
            process.expire()
            #expect(process.state == "idle" && process.deadline == nil && process.retryAfter == nil && process.isAtRest)
        }
    }

    @Test("A start that fails because of the host is not the extension's fault, and is worth another attempt")
    func impossibleStart() throws {
        var problem = BundleProblem(path: "/", message: "no room")
        problem.isOfHost = true
        let confine = { [problem] (_: String) throws(BundleProblem) -> Confinement? in throw problem }
        try withProcessBench(confine: confine) { bench in
            let program = "\(bench.process.bundle.path)/run"
            try Data().write(to: URL(filePath: program))
            chmod(program, 0o755)
            #expect(bench.process.isUpToDate)
            bench.call("a")
            #expect(bench.failures.map(\.reason) == [.cannotStart(problem.description)])
            #expect(bench.process.faults == 0 && !bench.process.isUpToDate)
        }
    }

    @Test("An extension whose process ends while nobody needs it is at rest, and that is no fault")
    func unneededEnd() throws {
        try withProcessBench { bench in
            try bench.start("exit 3")
            bench.reap()
            #expect(bench.process.state == "idle" && bench.process.faults == 0)
            #expect(bench.process.deadline == nil && bench.process.isAtRest)
        }
    }

    @Test(
        "The end of a process is explained where its status says too little",
        arguments: [
            ("kill -\(SIGXFSZ) $$", true, "MiB, which its sandbox does not allow"),
            ("exit 0", false, "it ended before it answered activate"), ("exit 0", true, nil), ("exit 3", false, nil),
            ("exit 127", false, nil),
        ] as [(String, Bool, String?)]
    )
    func end(script: String, isReady: Bool, explanation: String?) throws {
        try withProcessBench { bench in
            let script = "ulimit -c 0; \(script)"
            if isReady { try bench.start(script) } else { try bench.activate(script) }
            bench.call("a")
            bench.reap()
            guard case .exited(_, _, let text)? = bench.failures.first?.reason else {
                Issue.record("\(bench.results)")
                return
            }
            #expect(explanation.map { text?.contains($0) == true } ?? (text == nil))
            #expect(bench.process.history.ends.count == 1 && bench.process.pid == nil)
        }
    }
}
