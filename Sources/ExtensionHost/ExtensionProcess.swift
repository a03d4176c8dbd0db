public import JSON
public import JSONRPC
public import Localization
public import Logging
internal import Platform

/// Receives the messages of an ``ExtensionProcess``, to handle them now or later.
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

/// One extension: its process while it runs, and the calls that go to it.
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

    /// Makes the recorder of a process that is starting.
    let makeTap: () -> (any ExtensionTap)?
    /// Is told what happened.
    let observe: (ExtensionProcess, ExtensionEvent) -> Void
    private let launcher: ExtensionLauncher
    private let now: () -> Int64
    private let calls: CallSender
    private lazy var supervisor = ProcessSupervisor(of: self, launcher, calls: calls, now: now)

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
    ///   - activation: Makes the params of `activate`.
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
        tap: @escaping () -> (any ExtensionTap)? = { nil },
        observe: @escaping (ExtensionProcess, ExtensionEvent) -> Void = { _, _ in },
        now: @escaping () -> Int64,
        logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "extension"] = "\(bundle.identifier)"
        self.bundle = bundle
        self.history = history
        makeTap = tap
        self.observe = observe
        self.now = now
        launcher = ExtensionLauncher(
            bundle: bundle,
            history: history,
            hostFolder: hostFolder,
            environment: environment,
            limits: limits,
            family: family,
            logger: logger,
            random: random,
            activation: activation
        )
        calls = CallSender(limits: limits, history: history)
    }

    // MARK: Calls

    /// Sends a call when its turn comes; the completion is called exactly once.
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
                capability: nil,
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
                outlivesProcess: false,
                willSend: {},
                timeWillExpire: nil,
                completion: completion
            )
        )
    }

    private func enqueue(_ call: ExtensionCall) {
        onActivity()
        if calls.append(call) { supervisor.perform(.callQueued) }
    }

    // MARK: Stopping

    /// Asks the process to stop; calls that wait are failed.
    ///
    /// Outstanding calls are failed too, except those of a destination: it may finish what it began to deliver, and its
    /// answers count until it is gone.
    ///
    /// - Parameter reason: Why, for ``ExtensionHistory/ends``.
    public func stop(because reason: StopReason) {
        onActivity()
        supervisor.stop(because: reason)
    }

    /// Kills the process at once, even if it was already asked to stop.
    public func kill() {
        onActivity()
        supervisor.kill()
    }

    /// Forgets its faults, so that it can be started again at once, because the bundles were reloaded.
    public func resetRestartBudget() {
        onActivity()
        supervisor.perform(.restartBudgetReset)
    }

    // MARK: The event loop

    /// Names the descriptors to poll.
    ///
    /// - Parameter body: Receives each, with whether it is written.
    public func forEachDescriptor(_ body: (_ descriptor: Int32, _ isWritten: Bool) -> Void) {
        // While messages of the extension wait, more of them are not read, because they would only accumulate.
        supervisor.running?.pipes.forEachDescriptor(readsOutput: !supervisor.hasBacklog, body)
    }

    /// Reads or writes a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of those that ``forEachDescriptor(_:)`` names.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        onActivity()
        supervisor.ready(descriptor, buffer: buffer)
    }

    /// Whether nothing is left to do until the process writes or ends, ``deadline`` passes, or a method of this object is
    /// called.
    ///
    /// The descriptors and the deadline stay the same until then. The owner's own answers to calls of the extension count as
    /// something to do.
    public var isAtRest: Bool { supervisor.isAtRest }

    /// Writes as much as the pipe accepts.
    public func write() { supervisor.write() }

    /// Handles the end or the suspension of the process; to be called when any child ended or was stopped.
    ///
    /// - Parameter buffer: Room for the last reads.
    public func reap(buffer: UnsafeMutableRawBufferPointer) {
        onActivity()
        supervisor.reap(buffer: buffer)
    }

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? { supervisor.deadline }

    /// Handles the deadlines that have passed.
    ///
    /// - Important: To be called after everything readable was read: an answer that is in the pipe is never late.
    public func expire() {
        supervisor.expire()
        // A sample of what an idle process uses is no activity.
        if !supervisor.isAtRest { onActivity() }
    }

    // MARK: Files

    /// Whether the bundle has the files that it had when its process was started, or could not be started, last.
    ///
    /// It is `true` if that was never tried. A process may have ended by a mistake in a file that is repaired since.
    public var isUpToDate: Bool { supervisor.startedFiles.map { $0 == launcher.files } ?? true }

    /// Detects that files of the bundle changed since its process was started, which still runs the old ones.
    ///
    /// A change is detected within 50 ms, later only in bundles of many thousand files.
    ///
    /// - Returns: A sentence for the bundle's author; `nil` if no process runs or nothing changed.
    public func noticeChangedFiles() -> String? {
        guard let file = supervisor.running?.watch.changedFile(now: now) else { return nil }
        return "\(file) changed since the process of \(bundle.identifier) started, which still runs the old files; "
            + "reload the extensions to start the new ones"
    }

    // MARK: Status

    /// The number of presentations that it shows; an extension without any stops after a while.
    public var presentations: Int {
        get { supervisor.presentations }
        set {
            onActivity()
            supervisor.setPresentations(newValue)
        }
    }

    /// The number of calls that wait or are outstanding.
    public var callsInFlight: Int { calls.queue.count }

    /// The number of calls that wait to be sent.
    public var callsWaiting: Int { calls.queue.waiting.count }

    /// The process identifier of the running process.
    public var pid: Int32? { supervisor.running?.child.pid }

    /// The connection to the running process.
    public var session: Session? { supervisor.running?.session }

    /// Whether a signal stopped the running process.
    public var isSuspended: Bool { supervisor.running?.isSuspended ?? false }

    /// The state of the process in a word: `idle`, `backingOff`, `activating`, `ready`, `suspended` or `stopping`.
    public var state: String { isSuspended ? "suspended" : supervisor.lifecycle.state.word }

    /// The state of the process in a sentence.
    public var stateSentence: String {
        isSuspended
            ? "a signal stopped the process; it is continued when it is needed" : supervisor.lifecycle.state.sentence
    }

    /// The number of its faults that count now.
    public var faults: Int { supervisor.lifecycle.faults(now: now()) }

    /// Milliseconds until it may be started again, if it failed too often.
    public var retryAfter: Int64? {
        guard supervisor.lifecycle.state == .backingOff, let deadline = supervisor.lifecycle.deadline else {
            return nil
        }
        return max(0, deadline - now())
    }

    /// What the running process and its descendants use now.
    public func currentUsage() -> ResourceUsage? {
        supervisor.running.map { $0.monitor.report(launcher.processes(of: $0), now: now()) }
    }

    /// The number of lines on the last process's stdout that were not messages.
    public var strayLines: Int { supervisor.run?.strayOutput.count ?? 0 }

    /// How long the last process took to answer `activate`, in milliseconds, once it did.
    public var activationTime: Int64? { supervisor.run?.activationTime }

    /// The last lines that the running process, or the last one, wrote on its stderr.
    public var standardErrorTail: String { supervisor.run?.pipes.standardError.text ?? "" }
}
