internal import Foundation
public import JSON
public import JSONRPC
public import Localization
public import Logging

/// One extension: its process while there is one, and the calls that go to it.
///
/// The process starts with the first call. One call is outstanding at a time;
/// the others wait in order. The owner polls ``descriptors``, tells what is
/// ready, tells the time of ``deadline`` and the death of children.
///
/// - Important: Not thread-safe; owned by the thread of the loop.
public final class ExtensionProcess {
    /// A call that waits or is outstanding.
    struct Outgoing {
        let method: String
        let params: JSON
        /// Whether it depends on nothing that is lost with a process.
        let outlivesProcess: Bool
        let willSend: () -> Void
        let timeWillExpire: (() -> Void)?
        let completion: (Result<JSON, ExtensionFailure>) -> Void
    }

    /// The call that the extension works on.
    struct Outstanding {
        let call: Outgoing
        let id: Int64
        let deadline: Int64
        /// When the extension is to be warned that the deadline comes; nothing once it was.
        var warning: Int64?
        /// The number of bytes of its message.
        let length: Int
        /// When it was sent, in microseconds of the monotonic clock.
        let start: Int64
    }

    /// What the extension is.
    public let bundle: ExtensionBundle
    /// What its processes did so far.
    public let history: ExtensionHistory
    /// The bundle's texts for people.
    public private(set) lazy var localizedStrings = LocalizedStrings(folder: bundle.path)
    /// The number of presentations that it shows; an extension without any stops after a while.
    public var presentations = 0 {
        didSet { if presentations == 0 && oldValue > 0 && idleSince != nil { idleSince = now() } }
    }
    /// Takes each call of the extension to the host.
    public var onCall: (Call) -> Void = { _ in }
    /// Takes each message instead of having it carried out at once, for an owner that may hold it back.
    public var onMessage: (Session, Message) -> Void = { $0.receive($1) }

    /// Whether messages of the extension wait to be carried out, its answer perhaps among them.
    public var hasBacklog: () -> Bool = { false }
    /// Whether they wait for the extension itself, which leaves the answers to its own calls unread.
    public var isStuck: () -> Bool = { false }

    /// Takes the failure of a notification of the extension, with the notification's params.
    public var onNotificationFailure: (JSON?, RPCError) -> Void = { _, _ in }
    /// Takes the news that the process is lost, and with it all it showed.
    public var onEnd: (ExtensionFailure.Reason) -> Void = { _ in }

    /// Takes the news that the process had been stopped by a signal and was let go on, in a sentence.
    public var onContinue: (String) -> Void = { _ in }

    let hostFolder: String
    let environment: [String: String]
    let limits: ExtensionLimits
    let family: ProcessFamily
    let activation: () -> JSON
    let now: () -> Int64
    private(set) var logger: Logger

    private(set) var lifecycle: Lifecycle
    var child: ChildProcess?
    var standardError = StandardErrorTail()
    private var waiting: [Outgoing] = []
    private(set) var outstanding: Outstanding?
    var idleSince: Int64?
    /// When the process closed its stdout without ending.
    var outputClosed: Int64?
    /// How many lines on the last process's stdout were no messages.
    public internal(set) var strayLines = 0
    /// When `activate` was written, on the monotonic clock.
    var activationStart: Int64 = 0
    /// How long the last process took to answer `activate`, in milliseconds, once it did.
    public internal(set) var activationTime: Int64?
    /// How many bytes of its stdout were read, of all its processes.
    var outputRead = 0
    /// How many of them have to be read before an answer that is late by the clock may be judged late.
    var outputInTime: Int?
    /// What was odd about its stdout since the last call was sent.
    var lastStrayLine: String?
    /// Why the process is asked to leave or was killed, until it is gone.
    var endReason: String?
    /// What was found of its use of the machine, since it was started.
    var usage = ResourceUsage(now: 0)
    /// What the bundle's files looked like when the process was started.
    var fingerprint: BundleFingerprint?
    /// Whether a signal stopped the process, and how often that was undone during this call.
    var suspension: (isStopped: Bool, continued: Int) = (false, 0)

    /// The connection to the running process.
    public internal(set) var session: Session?
    /// An extension without a process.
    ///
    /// - Parameters:
    ///   - bundle: What to run.
    ///   - history: What earlier processes of the extension did.
    ///   - hostFolder: The folder of the host's own executable, links resolved.
    ///   - environment: All that the process may know of its surroundings.
    ///   - limits: The times and sizes that it must keep to.
    ///   - family: Whom its processes belong to.
    ///   - random: Where the jitter of restarts comes from.
    ///   - activation: Makes the params of `activate`.
    ///   - now: The monotonic clock in milliseconds.
    ///   - logger: Where what it says and does wrong is told.
    public init(
        bundle: ExtensionBundle,
        history: ExtensionHistory,
        hostFolder: String,
        environment: [String: String],
        limits: ExtensionLimits,
        family: ProcessFamily,
        random: any RandomNumberGenerator,
        activation: @escaping () -> JSON,
        now: @escaping () -> Int64,
        logger: Logger
    ) {
        self.bundle = bundle
        self.history = history
        self.hostFolder = hostFolder
        self.environment = environment
        self.limits = limits
        self.family = family
        self.activation = activation
        self.now = now
        self.logger = logger
        self.logger[metadataKey: "extension"] = "\(bundle.identifier)"
        lifecycle = Lifecycle(limits: limits, random: random)
    }

    // MARK: Calls

    /// Sends a call when its turn comes; the completion is called exactly once.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: Its params.
    ///   - outlivesProcess: Whether it goes to the next process where this one dies before its turn.
    ///   - willSend: Called when its turn has come, unless it fails before.
    ///   - timeWillExpire: Called when nine tenths of its time are over, to warn the extension.
    ///   - completion: Takes the result or the failure.
    public func call(
        _ method: String,
        params: JSON,
        outlivesProcess: Bool = false,
        willSend: @escaping () -> Void = {},
        timeWillExpire: (() -> Void)? = nil,
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        guard waiting.count < limits.waitingCalls else {
            return completion(.failure(ExtensionFailure(reason: .busy(waiting: waiting.count))))
        }
        waiting.append(
            Outgoing(
                method: method,
                params: params,
                outlivesProcess: outlivesProcess,
                willSend: willSend,
                timeWillExpire: timeWillExpire,
                completion: completion
            )
        )
        perform(.callQueued)
    }

    /// Asks the process to leave; calls that wait are failed.
    ///
    /// - Parameter reason: Why, for ``ends``.
    public func stop(because reason: String) {
        fail(.stopping)
        stopNow(because: reason)
    }

    func stopNow(because reason: String) {
        if child != nil { endReason = endReason ?? reason }
        perform(.stopRequested)
    }

    /// Ends the process at once, whatever it was asked before.
    public func kill() { child?.signal(SIGKILL) }

    /// Forgives its faults: the bundles were loaded anew.
    public func forgive() { perform(.forgiven) }

    /// The running process's number.
    public var pid: Int32? { child?.pid }

    /// The number of calls that wait or are outstanding.
    public var callsInFlight: Int { waiting.count + (outstanding == nil ? 0 : 1) }

    /// The number of calls that wait behind the outstanding one.
    public var callsWaiting: Int { waiting.count }

    func perform(_ event: Lifecycle.Event) {
        let wasReady = lifecycle.state == .ready
        for action in lifecycle.event(event, now: now()) {
            switch action {
            case .spawn: spawn()
            case .sendNext: sendNext()
            case .failCalls(let reason):
                let reason = reason.told(hindrance)
                endReason = endReason ?? "\(reason)"
                logger.warning("\(bundle.identifier) \(reason)")
                onEnd(reason)
                // A process that was never ready would fail the others too.
                fail(reason, keepsOthers: wasReady)
            case .refuseCalls(let reason): fail(reason)
            case .closeInput:
                resume()
                session?.notify("deactivate", params: [:])
                write()
                child?.closeInput()
            case .terminate: child?.signal(SIGTERM)
            case .kill: child?.signal(SIGKILL)
            }
        }
    }

    private func fail(_ reason: ExtensionFailure.Reason, keepsOthers: Bool = false) {
        let kept = keepsOthers ? waiting.filter(\.outlivesProcess) : []
        let lost = keepsOthers ? waiting.filter { !$0.outlivesProcess } : waiting
        let calls = (outstanding.map { [$0.call] } ?? []) + lost
        if let outstanding { session?.forget(outstanding.id) }
        outstanding = nil
        waiting = kept
        let failure = ExtensionFailure(reason: reason, standardErrorTail: standardError.text)
        for call in calls {
            history.statistics.fail()
            call.completion(.failure(failure))
        }
        if !kept.isEmpty { perform(.callQueued) }
    }

    private func sendNext() {
        idleSince = nil
        guard outstanding == nil, lifecycle.state == .ready, let session else { return }
        guard !waiting.isEmpty else {
            idleSince = now()
            return
        }
        if usage.isOld(now: now()) { lookAtUsage() }
        guard lifecycle.state == .ready else { return }
        let call = waiting.removeFirst()
        outputInTime = nil
        lastStrayLine = nil
        call.willSend()
        suspension.continued = 0
        resume()
        usage.beginCall(now: now())
        let sent = CallStatistics.now()
        let start = standardError.count
        let unread = session.output.count
        let id = session.request(call.method, params: call.params) { [weak self] result in
            guard let self else { return }
            outstanding = nil
            history.statistics.answer(microseconds: CallStatistics.now() - sent)
            call.completion(result.mapError { failure($0, since: start) })
            sendNext()
        }
        // The owner writes at the end of its turn, after the commit that the call may depend on.
        let now = now()
        outstanding = Outstanding(
            call: call,
            id: id,
            deadline: now + limits.call,
            warning: call.timeWillExpire == nil ? nil : now + limits.call * 9 / 10,
            length: session.output.count - unread,
            start: sent
        )
    }

    /// Warns the extension, once, where the time of its call is nearly over.
    func warn(now: Int64) {
        guard let call = outstanding?.call, let warning = outstanding?.warning, warning <= now else { return }
        outstanding?.warning = nil
        call.timeWillExpire?()
    }
}
