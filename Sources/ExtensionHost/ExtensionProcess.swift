public import JSON
public import JSONRPC
public import Localization
public import Logging
internal import Platform

/// Receives the messages of an ``ExtensionProcess``, replies too, to handle them now or later.
///
/// So a reply takes effect after what the extension sent before it. Only a destination's reply is handled as it is read.
public protocol MessageReceiver: AnyObject {
    /// Receives a message.
    func receive(_ message: Incoming)

    /// Whether messages, perhaps an answer, wait to be handled.
    var hasBacklog: Bool { get }

    /// Whether those messages wait for the extension itself, because it does not read the answers to its own calls.
    var isStuck: Bool { get }
}

/// What happened to an extension's process.
public enum ExtensionEvent {
    /// A JSON-RPC notification that the extension sent failed.
    case notificationFailed(params: JSON?, RPCError)
    /// The process ended or will be killed, and with it end its presentations.
    case ended(ExtensionFailure.Reason)
    /// A signal had stopped the process and it was continued; the description is a sentence.
    case continued(String)
    /// The process wrote a line on its stderr; it is passed before everything that the process sent after it.
    case wroteError(String)
}

/// One extension: its process while one runs, and the calls that go to it.
///
/// It exists without a process too; ``ProcessRun`` is one of the processes that it has in its life.
///
/// The process starts with the first call. The extension works on as many calls at a time as its limits allow, usually
/// one; the others wait in order.
///
/// The owner polls the descriptors that ``forEachDescriptor(_:)`` names and calls ``ready(_:buffer:)`` for each that is
/// ready, ``expire()`` at ``deadline``, ``reap(buffer:)`` when any child ended, and ``write()`` in each iteration.
///
/// - Important: Not thread-safe; owned by the thread of the event loop.
public final class ExtensionProcess {
    /// What the extension is.
    public let bundle: ExtensionBundle
    /// What its processes did so far.
    public let history: ExtensionHistory
    /// The receiver of messages, not retained; without one, they are handled at once, and calls are refused.
    public weak var receiver: (any MessageReceiver)?
    /// Called whenever the process may have something to do again; see ``isAtRest``.
    public var onActivity: () -> Void = {}
    /// The bundle's localized texts.
    public private(set) lazy var localizedStrings = LocalizedStrings(folder: bundle.path)
    /// The number of presentations that it shows; an extension without any stops after a while.
    public var presentations = 0 {
        didSet {
            // The idle time begins when the last one ends.
            if presentations == 0, oldValue > 0, idleSince != nil { idleSince = now() }
            onActivity()
        }
    }

    let hostFolder: String
    let environment: [String: String]
    let limits: ExtensionLimits
    let family: ProcessFamily
    let activation: () -> JSON
    let confine: (_ executable: String) throws(BundleProblem) -> Confinement?
    let makeTap: () -> (any ExtensionTap)?
    let observe: (ExtensionProcess, ExtensionEvent) -> Void
    let now: () -> Int64
    let logger: Logger

    /// The state of the process; only ``perform(_:)`` changes it.
    var lifecycle: Lifecycle
    private(set) var calls: CallQueue
    /// The running process, or the last one.
    var lastRun: ProcessRun?
    /// The files of the bundle when its process was started, or could not be started, last; nil before.
    var startedFiles: BundleFingerprint?
    /// Whether the last start failed for a reason that is not the extension's, and passes.
    var wasStartImpossible = false
    /// When the extension became idle: without an outstanding call.
    var idleSince: Int64?

    /// An extension without a process.
    ///
    /// - Parameters:
    ///   - bundle: What to run.
    ///   - history: What earlier processes of the extension did.
    ///   - hostFolder: The folder of the host's own executable, links resolved.
    ///   - environment: All variables of the process's environment.
    ///   - limits: The times and sizes that it must keep to.
    ///   - family: The processes of the host, which its own join.
    ///   - random: The source of the jitter of restarts.
    ///   - activation: Makes the params of `activate`, when a process has been started.
    ///   - confine: Makes the sandbox of a process that is starting, from the path of its executable; `nil` for none.
    ///   - tap: Makes the recorder of a process that is starting; `nil` if nothing is recorded.
    ///   - observe: Called with what happens to its processes.
    ///   - now: The monotonic clock in milliseconds.
    ///   - logger: The log for its output and its faults.
    public init(
        bundle: ExtensionBundle,
        history: ExtensionHistory,
        hostFolder: String,
        environment: [String: String],
        limits: ExtensionLimits,
        family: ProcessFamily,
        random: any RandomNumberGenerator,
        activation: @escaping () -> JSON,
        confine: @escaping (_ executable: String) throws(BundleProblem) -> Confinement? = { _ throws(BundleProblem) in
            nil
        },
        tap: @escaping () -> (any ExtensionTap)? = { nil },
        observe: @escaping (ExtensionProcess, ExtensionEvent) -> Void = { _, _ in },
        now: @escaping () -> Int64,
        logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "extension"] = "\(bundle.identifier)"
        self.bundle = bundle
        self.history = history
        self.hostFolder = hostFolder
        self.environment = environment
        self.limits = limits
        self.family = family
        self.activation = activation
        self.confine = confine
        makeTap = tap
        self.observe = observe
        self.now = now
        self.logger = logger
        lifecycle = Lifecycle(limits: limits, random: random)
        calls = CallQueue(limits: limits)
    }

    /// The running process.
    var running: ProcessRun? { lastRun.flatMap { $0.isOver ? nil : $0 } }

    // MARK: Stopping

    /// Asks the process to stop; calls that wait are failed.
    ///
    /// Outstanding calls are failed too, except those of a destination: it may finish what it began to deliver, and its
    /// answers count until it is gone.
    ///
    /// - Parameter reason: Why, for ``ExtensionHistory/ends``.
    public func stop(because reason: StopReason) {
        if bundle.point.deliversRecords {
            fail(calls.removeWaiting(), .stopping, wasSent: false)
        } else {
            failCalls(.stopping, keepingTransferable: false)
        }
        requestStop(reason)
    }

    /// Kills the process at once, even if it was already asked to stop.
    public func kill() { running?.child.signal(SIGKILL) }

    /// Forgets its faults, so that it can be started again at once, because the bundles were reloaded.
    public func resetRestartBudget() { perform(.restartBudgetReset) }

    // MARK: The event loop

    /// Names the descriptors to poll.
    ///
    /// - Parameter body: Receives each, with whether it is written.
    public func forEachDescriptor(_ body: (_ descriptor: Int32, _ isWritten: Bool) -> Void) {
        // While messages of the extension wait, more of them are not read, because they would only accumulate.
        running?.pipes.forEachDescriptor(readsOutput: !hasBacklog, body)
    }

    /// Reads or writes a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of those that ``forEachDescriptor(_:)`` names.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        onActivity()
        guard let run = running else { return }
        if descriptor == run.child.input { return write() }
        run.pipes.read(descriptor, buffer: buffer, now: now)
    }

    /// Whether nothing is left to do until the process writes or ends, ``deadline`` passes, or a method of this object is
    /// called.
    ///
    /// The descriptors and the deadline stay the same until then. The owner's own answers to calls of the extension count as
    /// something to do.
    public var isAtRest: Bool {
        guard calls.count == 0, !hasBacklog else { return false }
        guard let run = running else { return lifecycle.deadline == nil }
        return lifecycle.state == .ready && run.session.output.isEmpty && run.pipes.outputClosed == nil
    }

    /// Writes as much as the pipe accepts.
    public func write() {
        running?.pipes.write()
        checkUnreadBytes()
    }

    // MARK: Files

    /// Whether the bundle has the files that it had when its process was started, or could not be started, last.
    ///
    /// It is `true` if that was never tried. A process may have ended by a mistake in a file that is repaired since. It is
    /// `false` if the last start failed for a reason that passes, such as an executable that was being written.
    public var isUpToDate: Bool { !wasStartImpossible && startedFiles.map { $0 == currentFiles } ?? true }

    /// Detects that files of the bundle changed since its process was started, which still runs the old ones.
    ///
    /// A change is detected within 50 ms, later only in bundles of many thousand files.
    ///
    /// - Returns: A sentence for the bundle's author; `nil` if no process runs or nothing changed.
    public func noticeChangedFiles() -> String? {
        guard let file = running?.watch.changedFile(now: now) else { return nil }
        return "\(file) changed since the process of \(bundle.identifier) started, which still runs the old files; "
            + "reload the extensions to start the new ones"
    }

    // MARK: Status

    /// The number of calls that wait or are outstanding.
    public var callsInFlight: Int { calls.count }

    /// The number of calls that wait to be sent.
    public var callsWaiting: Int { calls.waiting.count }

    /// The process identifier of the running process.
    public var pid: Int32? { running?.child.pid }

    /// The connection to the running process.
    public var session: Session? { running?.session }

    /// Whether a signal stopped the running process.
    private var isSuspended: Bool { running?.isSuspended ?? false }

    /// The state of the process in a word: `idle`, `backingOff`, `activating`, `ready`, `suspended` or `stopping`.
    public var state: String { isSuspended ? "suspended" : lifecycle.state.word }

    /// The state of the process in a sentence.
    public var stateSentence: String {
        isSuspended ? "a signal stopped the process; it is continued when it is needed" : lifecycle.state.sentence
    }

    /// The number of its faults that count now.
    public var faults: Int { lifecycle.faults(now: now()) }

    /// Milliseconds until it may be started again, if it failed too often.
    public var retryAfter: Int64? {
        guard lifecycle.state == .backingOff, let deadline = lifecycle.deadline else { return nil }
        return max(0, deadline - now())
    }

    /// What the running process and its descendants use now.
    public func currentUsage() -> ResourceUsage? {
        guard let run = running else { return nil }
        let usage = run.monitor.report(family.processes(of: run.child), now: now())
        history.note(usage, during: calls.outstanding.first?.call.method)
        return usage
    }

    /// The number of lines on the last process's stdout that were not messages.
    public var strayLines: Int { lastRun?.strayLines ?? 0 }

    /// How long the last process took to answer `activate`, in milliseconds, once it did.
    public var activationTime: Int64? { lastRun?.activationTime }

    /// The last lines that the running process, or the last one, wrote on its stderr.
    public var standardErrorTail: String { lastRun?.pipes.standardError.text ?? "" }
}

// MARK: Calls

extension ExtensionProcess {
    /// Sends a call when its turn comes; the completion is called exactly once, and before this returns if the call is refused.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: Its params.
    ///   - outlivesProcess: Whether the next process answers it if this one ends before the call is sent.
    ///   - willSend: Called before it is sent, unless it fails before.
    ///   - timeWillExpire: Called when nine tenths of its time are over, to warn the extension.
    ///   - completion: Receives the result or the failure.
    public func call(
        _ method: String,
        params: JSON,
        outlivesProcess: Bool = false,
        willSend: @escaping () -> Void = {},
        timeWillExpire: (() -> Void)? = nil,
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        enqueue(
            ExtensionCall(
                method: method,
                writeParams: { params.write(to: &$0) },
                outlivesProcess: outlivesProcess,
                willSend: willSend,
                timeWillExpire: timeWillExpire,
                completion: completion
            )
        )
    }

    /// Sends a call whose params are JSON text already when its turn comes; the completion is called exactly once.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - writtenParams: An object or an array as JSON text.
    ///   - capability: What the process must have declared; the call fails if it has not.
    ///   - completion: Receives the result or the failure.
    public func call(
        _ method: String,
        writtenParams: [UInt8],
        needing capability: ExtensionCapability? = nil,
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        enqueue(
            ExtensionCall(
                method: method,
                writeParams: { $0 += writtenParams },
                capability: capability,
                completion: completion
            )
        )
    }

    private func enqueue(_ call: ExtensionCall) {
        guard !calls.isFull else {
            // A call that is refused before it is sent does not count as a failure of the extension.
            let failure = ExtensionFailure(reason: .busy(waiting: calls.waiting.count), wasSent: false)
            return call.completion(.failure(failure))
        }
        calls.append(call)
        perform(.callQueued)
    }

    /// Sends waiting calls until the extension works on as many as it may.
    func sendNext() {
        idleSince = nil
        while calls.canSend, lifecycle.state == .ready, let run = running {
            guard !calls.waiting.isEmpty else {
                if calls.outstanding.isEmpty { idleSince = now() }
                return
            }
            if run.monitor.isOld(now: now()) { checkUsage() }
            guard lifecycle.state == .ready else { return }
            send(calls.removeFirst(), to: run)
        }
    }

    /// Sends a call, or fails it if the process did not declare the capability that it needs.
    private func send(_ call: ExtensionCall, to run: ProcessRun) {
        if let capability = call.capability, !run.capabilities.contains(capability) {
            return call.completion(.failure(ExtensionFailure(reason: .incapable(capability), wasSent: false)))
        }
        run.prepareForCall(isFirst: calls.outstanding.isEmpty)
        call.willSend()
        continueIfStopped()
        let sent = Clock.monotonicNanoseconds()
        let errorStart = run.pipes.standardError.count
        let unread = run.session.output.count
        // Only queued: the owner writes at the end of its iteration, after the commit that the call may depend on.
        var id: Int64 = 0
        id = run.session.request(call.method, writtenParams: call.writeParams) { [weak self, weak run] result in
            guard let self, let run else { return }
            // A process that took too much does not answer on a phone. This fails the call.
            if limits.heap > 0 { checkUsage() }
            guard let wasOldest = calls.removeOutstanding(id: id) else { return }
            if wasOldest { run.pipes.resetDeadline() }
            history.noteAnswer(to: call.method, microseconds: (Clock.monotonicNanoseconds() - sent) / 1_000)
            call.completion(result.mapError { run.failure($0, since: errorStart) })
            sendNext()
        }
        let now = now()
        calls.noteSent(
            OutstandingCall(
                call: call,
                id: id,
                start: now,
                deadline: now + limits.call,
                warning: call.timeWillExpire == nil ? nil : now + limits.call * 9 / 10,
                length: run.session.output.count - unread,
                processorTime: run.monitor.usage.processorTime
            )
        )
    }

    /// Warns the extension of each call whose time is nearly over, once for each call.
    func sendDueWarnings(now: Int64) { for warn in calls.removeDueWarnings(now: now) { warn() } }

    /// Fails the outstanding calls and those that wait.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - keeps: Whether calls that the next process can answer stay in the queue.
    func failCalls(_ reason: ExtensionFailure.Reason, keepingTransferable keeps: Bool) {
        // Removed first, because a completion may cause waiting calls to be sent.
        let lost = calls.removeWaiting(keepingTransferable: keeps)
        let hasKept = !calls.waiting.isEmpty
        failOutstandingCalls(reason)
        fail(lost, reason, wasSent: false)
        if hasKept { perform(.callQueued) }
    }

    func failOutstandingCalls(_ reason: ExtensionFailure.Reason) {
        let lost = calls.removeOutstanding()
        for call in lost { lastRun?.session.forget(call.id) }
        fail(lost.map(\.call), reason, wasSent: true)
    }

    private func fail(_ calls: [ExtensionCall], _ reason: ExtensionFailure.Reason, wasSent: Bool) {
        let failure = ExtensionFailure(reason: reason, standardErrorTail: standardErrorTail, wasSent: wasSent)
        for call in calls {
            history.statistics.noteFailure()
            call.completion(.failure(failure))
        }
    }
}
