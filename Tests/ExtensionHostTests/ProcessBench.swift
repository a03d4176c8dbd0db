import JSON
import JSONRPC
import Logging
import Platform
import TestSupport

@testable import ExtensionHost

/// An extension whose clock the test sets, and whose process only plays one: what the test writes comes out of it.
///
/// Nothing is sampled and nothing stops by itself unless the test changes the limits. Requests wait until the owner writes
/// them, which the test does not do.
final class ProcessBench {
    /// The owner of the messages.
    final class Owner: MessageReceiver {
        var hasBacklog = false
        var isStuck = false

        func receive(_ message: Incoming) {}
    }

    private final class TestClock {
        /// Milliseconds.
        var now: Int64 = 5_000
    }

    let process: ExtensionProcess
    let owner = Owner()
    /// The process; nil if the extension must start one itself.
    private var started: ProcessRun?
    private(set) var results: [Result<JSON, ExtensionFailure>] = []
    private let clock: TestClock

    var now: Int64 {
        get { clock.now }
        set { clock.now = newValue }
    }

    init(
        _ bundle: ExtensionBundle,
        _ limits: ExtensionLimits,
        confine: @escaping (String) throws(BundleProblem) -> Confinement?
    ) {
        let clock = TestClock()
        self.clock = clock
        process = ExtensionProcess(
            bundle: bundle,
            history: ExtensionHistory(),
            hostFolder: "/",
            environment: [:],
            limits: limits,
            family: ProcessFamily(),
            random: SeededGenerator(seed: 1),
            activation: { ["version": "1.0"] },
            confine: confine,
            now: { clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        process.receiver = owner
    }

    var run: ProcessRun {
        guard let started else { preconditionFailure("the extension has no process") }
        return started
    }

    /// Runs a shell script as the process, which has not answered `activate`.
    func activate(_ script: String = "exec cat") throws {
        let program = Program(path: "/bin/sh", arguments: ["-c", script], directory: "/")
        let child = try Platform.ChildProcess(program, isNonblocking: true)
        let session = Session(lineLimit: process.limits.line, answersInvalidLines: false)
        let pipes = ProcessPipes(child, session, tap: nil, history: process.history) { _ in }
        let watch = BundleWatch(process.bundle, executable: "/bin/sh")
        let run = ProcessRun(pipes, watch: watch, limits: process.limits, now: now)
        started = run
        process.lastRun = run
        process.perform(.spawned)
    }

    /// Runs it, and lets it answer `activate`.
    func start(_ script: String = "exec cat", capabilities: Set<ExtensionCapability> = []) throws {
        try activate(script)
        run.noteActivated(capabilities, now: now)
        process.perform(.activated)
    }

    func end() {
        guard let started, !started.isOver else { return }
        _ = started.child.process.reap()
    }

    // MARK: Calls

    /// Calls a method, and keeps the result.
    func call(_ method: String) { process.call(method, params: [:]) { [unowned self] in results.append($0) } }

    /// Lets the process answer the oldest call, and leaves that in the pipe.
    func writeAnswer() {
        let id = process.calls.outstanding.first?.id ?? 0
        let line = Array((#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# + "\n").utf8)
        _ = line.withUnsafeBytes { Platform.write(run.child.input, $0.baseAddress, $0.count) }
        while Descriptors.unreadCount(run.child.output) < line.count {}
    }

    /// Reads from a pipe of the process, or writes to it.
    func handle(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { process.ready(descriptor, buffer: $0) }
    }

    /// Lets the process answer the oldest call.
    func answer() {
        writeAnswer()
        handle(run.child.output)
    }

    /// Waits for the end of the process, and handles that.
    func reap() {
        while !run.child.process.hasEnded {}
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { process.reap(buffer: $0) }
    }

    /// The failures of calls.
    var failures: [ExtensionFailure] {
        results.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    }
}

/// Passes an extension with a bundle of a point to the closure, and ends its process.
func withProcessBench(
    point: ExtensionBundle.Point = .content,
    limits change: (inout ExtensionLimits) -> Void = { _ in },
    confine: @escaping (String) throws(BundleProblem) -> Confinement? = { _ throws(BundleProblem) in nil },
    _ body: (ProcessBench) throws -> Void
) throws {
    try withTemporaryDirectory { folder in
        var limits = ExtensionLimits()
        (limits.memory, limits.processorTime, limits.processes) = (0, 0, 0)
        change(&limits)
        var changes: [String: Any] = ["NSExtensionPointIdentifier": point.rawValue]
        if point == .destination { changes["PushhostDestinationName"] = "tried" }
        let bundle = try ExtensionBundle(folder: BundleFolder("\(folder)/a", changes).path)
        let bench = ProcessBench(bundle, limits, confine: confine)
        defer { bench.end() }
        try body(bench)
    }
}
