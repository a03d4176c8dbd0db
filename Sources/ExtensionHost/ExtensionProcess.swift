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
        let completion: (Result<JSON, ExtensionFailure>) -> Void
    }

    /// What the extension is.
    public let bundle: ExtensionBundle
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

    /// Takes the failure of a notification of the extension, with the notification's params.
    public var onNotificationFailure: (JSON?, RPCError) -> Void = { _, _ in }
    /// Takes the news that the process is lost, and with it all it showed.
    public var onEnd: (ExtensionFailure.Reason) -> Void = { _ in }

    private let hostFolder: String
    private let environment: [String: String]
    let limits: ExtensionLimits
    private let activation: () -> JSON
    let now: () -> Int64
    private(set) var logger: Logger

    private(set) var lifecycle: Lifecycle
    var child: ChildProcess?
    var standardError = StandardErrorTail()
    private var waiting: [Outgoing] = []
    private(set) var outstanding: (call: Outgoing, id: Int64, deadline: Int64)?
    var idleSince: Int64?
    /// When the process closed its stdout without ending.
    var outputClosed: Int64?
    /// How many lines on the last process's stdout were no messages.
    public private(set) var strayLines = 0
    private var activationStart: Int64 = 0
    /// How long the last process took to answer `activate`, in milliseconds, once it did.
    public private(set) var activationTime: Int64?

    /// The connection to the running process.
    public internal(set) var session: Session?
    /// How often a process was started.
    public private(set) var starts = 0
    /// How the last process ended, or why it was killed.
    public private(set) var lastFault: ExtensionFailure.Reason?

    /// An extension without a process.
    ///
    /// - Parameters:
    ///   - bundle: What to run.
    ///   - hostFolder: The folder of the host's own executable, links resolved.
    ///   - environment: All that the process may know of its surroundings.
    ///   - limits: The times and sizes that it must keep to.
    ///   - activation: Makes the params of `activate`.
    ///   - now: The monotonic clock in milliseconds.
    ///   - logger: Where what it says and does wrong is told.
    public init(
        bundle: ExtensionBundle,
        hostFolder: String,
        environment: [String: String],
        limits: ExtensionLimits,
        activation: @escaping () -> JSON,
        now: @escaping () -> Int64,
        logger: Logger
    ) {
        self.bundle = bundle
        self.hostFolder = hostFolder
        self.environment = environment
        self.limits = limits
        self.activation = activation
        self.now = now
        self.logger = logger
        self.logger[metadataKey: "extension"] = "\(bundle.identifier)"
        lifecycle = Lifecycle(limits: limits)
    }

    // MARK: Calls

    /// Sends a call when its turn comes; the completion is called exactly once.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: Its params.
    ///   - outlivesProcess: Whether it goes to the next process where this one dies before its turn.
    ///   - willSend: Called when its turn has come, unless it fails before.
    ///   - completion: Takes the result or the failure.
    public func call(
        _ method: String,
        params: JSON,
        outlivesProcess: Bool = false,
        willSend: @escaping () -> Void = {},
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
                completion: completion
            )
        )
        perform(.callQueued)
    }

    /// Asks the process to leave; calls that wait are failed.
    public func stop() {
        fail(.stopping)
        perform(.stopRequested(now: now()))
    }

    /// The state of the process in a word.
    public var state: String {
        switch lifecycle.state {
        case .idle: "idle"
        case .activating: "activating"
        case .ready: "ready"
        case .stopping: "stopping"
        }
    }

    /// The running process's number.
    public var pid: Int32? { child?.pid }

    /// The number of calls that wait or are outstanding.
    public var callsInFlight: Int { waiting.count + (outstanding == nil ? 0 : 1) }

    func perform(_ event: Lifecycle.Event) {
        let wasReady = lifecycle.state == .ready
        for action in lifecycle.event(event) {
            switch action {
            case .spawn: spawn()
            case .sendNext: sendNext()
            case .failCalls(let reason):
                lastFault = reason
                logger.warning("\(bundle.identifier) \(reason)")
                onEnd(reason)
                // A process that was never ready would fail the others too.
                fail(reason, keepsOthers: wasReady)
            case .closeInput:
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
        for call in calls { call.completion(.failure(failure)) }
        if !kept.isEmpty { perform(.callQueued) }
    }

    private func sendNext() {
        idleSince = nil
        guard outstanding == nil, lifecycle.state == .ready, let session else { return }
        guard !waiting.isEmpty else {
            idleSince = now()
            return
        }
        let call = waiting.removeFirst()
        call.willSend()
        let start = standardError.count
        let id = session.request(call.method, params: call.params) { [weak self] result in
            guard let self else { return }
            outstanding = nil
            call.completion(result.mapError { failure($0, since: start) })
            sendNext()
        }
        // The owner writes at the end of its turn, after the commit that the call may depend on.
        outstanding = (call, id, now() + limits.call)
    }

    // MARK: The process

    private func spawn() {
        do throws(BundleProblem) {
            let path = try bundle.executablePath(hostFolder: hostFolder)
            child = try ChildProcess(path: path, directory: bundle.path, environment: environment)
        } catch {
            return perform(.spawnFailed(.cannotStart(error.description)))
        }
        starts += 1
        strayLines = 0
        activationStart = now()
        activationTime = nil
        standardError = StandardErrorTail()
        let session = Session(lineLimit: limits.line, answersInvalidLines: false)
        session.onCall = { [weak self] in self?.onCall($0) }
        session.report = { [weak self] in self?.report($0) }
        self.session = session
        session.request("activate", params: activation()) { [weak self] in self?.activated($0) }
        perform(.spawned(now: now()))
        write()
    }

    private func activated(_ result: Result<JSON, ResponseError>) {
        switch result {
        case .success(let value) where value["version"]?.string != nil:
            activationTime = now() - activationStart
            perform(.activated)
        case .success: perform(.activationFailed(.badReply("activate must be answered with a version")))
        case .failure(let error): perform(.activationFailed(failure(error, since: 0).reason))
        }
    }

    /// Why an answer is no result, with what the extension wrote on its stderr from a byte up to it.
    private func failure(_ error: ResponseError, since start: Int) -> ExtensionFailure {
        withUnsafeTemporaryAllocation(byteCount: StandardErrorTail.limit, alignment: 1) { readError($0) }
        let reason: ExtensionFailure.Reason =
            switch error {
            case .error(let error): .refused(error)
            case .malformed(let text): .badReply(text)
            }
        return ExtensionFailure(reason: reason, standardErrorTail: standardError.text(since: start))
    }

    private func report(_ report: Session.Report) {
        switch report {
        case .failedNotification(let call, let error):
            logger.warning("\(call.method) failed: \(error.message)")
            onNotificationFailure(call.params, error)
        case .strayResponse(let id): logger.warning("it answered \(id), which nobody waits for")
        case .invalidMessage(let error, let line):
            strayLines += 1
            // The first few tell the author; a flood of them only costs.
            guard strayLines <= 20 else { return }
            logger.warning("a line on its stdout is no message and was skipped: \(line ?? error.message)")
        }
    }
}
