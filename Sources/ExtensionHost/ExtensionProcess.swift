internal import Foundation
public import JSON
public import JSONRPC
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
    private struct Outgoing {
        let method: String
        let params: JSON
        let willSend: () -> Void
        let completion: (Result<JSON, ExtensionFailure>) -> Void
    }

    /// What the extension is.
    public let bundle: ExtensionBundle
    /// The number of presentations that it shows; an extension without any stops after a while.
    public var presentations = 0
    /// Takes each call of the extension to the host.
    public var onCall: (Call) -> Void = { _ in }
    /// Takes each message instead of having it carried out at once, for an owner that may hold it back.
    public var onMessage: (Session, Message) -> Void = { $0.receive($1) }

    /// Takes the failure of a notification of the extension, with the notification's params.
    public var onNotificationFailure: (JSON?, RPCError) -> Void = { _, _ in }
    /// Takes the news that the process is lost, and with it all it showed.
    public var onEnd: (ExtensionFailure.Reason) -> Void = { _ in }

    private let hostFolder: String
    private let environment: [String: String]
    private let limits: ExtensionLimits
    private let activation: () -> JSON
    private let now: () -> Int64
    private var logger: Logger

    private var lifecycle: Lifecycle
    private var child: ChildProcess?
    private var standardError = StandardErrorTail()
    private var waiting: [Outgoing] = []
    private var outstanding: (call: Outgoing, id: Int64, deadline: Int64)?
    private var idleSince: Int64?
    /// When the process closed its stdout without ending.
    private var outputClosed: Int64?
    private var strayLines = 0

    /// The connection to the running process.
    public private(set) var session: Session?
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
    ///   - willSend: Called when its turn has come, unless it fails before.
    ///   - completion: Takes the result or the failure.
    public func call(
        _ method: String,
        params: JSON,
        willSend: @escaping () -> Void = {},
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        guard waiting.count < limits.waitingCalls else {
            return completion(.failure(ExtensionFailure(reason: .busy(waiting: waiting.count))))
        }
        waiting.append(Outgoing(method: method, params: params, willSend: willSend, completion: completion))
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

    private func perform(_ event: Lifecycle.Event) {
        for action in lifecycle.event(event) {
            switch action {
            case .spawn: spawn()
            case .sendNext: sendNext()
            case .failCalls(let reason):
                lastFault = reason
                logger.warning("\(bundle.identifier) \(reason)")
                onEnd(reason)
                fail(reason)
            case .closeInput:
                session?.notify("deactivate", params: [:])
                write()
                child?.closeInput()
            case .terminate: child?.signal(SIGTERM)
            case .kill: child?.signal(SIGKILL)
            }
        }
    }

    private func fail(_ reason: ExtensionFailure.Reason) {
        let calls = (outstanding.map { [$0.call] } ?? []) + waiting
        if let outstanding { session?.forget(outstanding.id) }
        outstanding = nil
        waiting = []
        let failure = ExtensionFailure(reason: reason, standardErrorTail: standardError.text)
        for call in calls { call.completion(.failure(failure)) }
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
        let id = session.request(call.method, params: call.params) { [weak self] result in
            guard let self else { return }
            outstanding = nil
            call.completion(result.mapError { ExtensionFailure(reason: .refused($0), standardErrorTail: "") })
            sendNext()
        }
        outstanding = (call, id, now() + limits.call)
        write()
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
        standardError = StandardErrorTail()
        let session = Session(lineLimit: limits.line, answersInvalidLines: false)
        session.onCall = { [weak self] in self?.onCall($0) }
        session.report = { [weak self] in self?.report($0) }
        self.session = session
        session.request("activate", params: activation()) { [weak self] in self?.activated($0) }
        perform(.spawned(now: now()))
        write()
    }

    private func activated(_ result: Result<JSON, RPCError>) {
        switch result {
        case .success(let value) where value["version"]?.string != nil: perform(.activated)
        case .success: perform(.activationFailed(.badReply("activate must be answered with a version")))
        case .failure(let error): perform(.activationFailed(.refused(error)))
        }
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

    // MARK: Events of the loop

    /// The descriptors to poll: each with whether it is read or written.
    public var descriptors: [(descriptor: Int32, isWritten: Bool)] {
        guard let child else { return [] }
        var result: [(descriptor: Int32, isWritten: Bool)] = []
        if child.output >= 0 { result.append((child.output, false)) }
        if child.error >= 0 { result.append((child.error, false)) }
        if child.input >= 0, session?.output.isEmpty == false { result.append((child.input, true)) }
        return result
    }

    /// Reads or writes a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of ``descriptors``.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        guard let child else { return }
        if descriptor == child.input { return write() }
        if descriptor == child.output, readOutput(child, buffer) == .end {
            child.closeOutput()
            outputClosed = now()
        }
        if descriptor == child.error, readError(child, buffer) == .end { child.closeError() }
    }

    private enum ReadResult {
        case bytes
        case nothing
        case end
    }

    private func readOutput(_ child: ChildProcess, _ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        read(child.output, buffer) { bytes in
            guard let session else { return }
            session.consume(bytes) { self.onMessage(session, $0) }
        }
    }

    private func readError(_ child: ChildProcess, _ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        read(child.error, buffer) { standardError.append($0) { logger.info("stderr: \($0)") } }
    }

    private func read(
        _ descriptor: CInt,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> ReadResult {
        guard descriptor >= 0 else { return .end }
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end }
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .bytes
    }

    /// Writes what the pipe takes.
    public func write() {
        guard let child, child.input >= 0, let session else { return }
        session.output.drain { bytes in
            guard !bytes.isEmpty else { return 0 }
            let count = Foundation.write(child.input, bytes.baseAddress, bytes.count)
            // A reader that is gone shows as its exit; nothing more can be said to it.
            return count >= 0 ? count : errno == EPIPE ? bytes.count : 0
        }
        if session.output.count > limits.unreadBytes {
            perform(.misbehaved(.misbehaved("left more than \(limits.unreadBytes) bytes unread and was stopped")))
        }
    }

    /// Looks whether the process ended; to be called when any child did.
    ///
    /// - Parameter buffer: Room for the last reads.
    public func reap(buffer: UnsafeMutableRawBufferPointer) {
        guard let child, let reason = child.reap() else { return }
        // What it wrote before it died counts: saves are kept, an answer is an answer.
        // A descendant that left the group may hold the pipes and write for ever, hence the bound.
        for _ in 0..<256 where readOutput(child, buffer) != .bytes { break }
        if let session { session.finish { self.onMessage(session, $0) } }
        for _ in 0..<256 where readError(child, buffer) != .bytes { break }
        standardError.finish { logger.info("stderr: \($0)") }
        self.child = nil
        session = nil
        idleSince = nil
        outputClosed = nil
        perform(.exited(reason))
    }

    // MARK: Time

    /// How long a process without stdout may take to end by itself, which tells more than a kill, in milliseconds.
    private static let closedOutputGrace: Int64 = 500

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? {
        let idle = presentations == 0 && callsInFlight == 0 ? idleSince.map { $0 + limits.idle } : nil
        let closed = outputClosed.map { $0 + Self.closedOutputGrace }
        return [lifecycle.deadline, outstanding?.deadline, idle, closed].compactMap { $0 }.min()
    }

    /// Does what is due by now.
    ///
    /// - Important: To be called after everything readable was read, so that an
    ///   answer which lies in the pipe already is never judged late.
    public func expire() {
        let now = now()
        if let outstanding, outstanding.deadline <= now {
            perform(.misbehaved(.timedOut(method: outstanding.call.method, milliseconds: limits.call)))
        }
        if let deadline = lifecycle.deadline, deadline <= now { perform(.deadlinePassed(now: now)) }
        if let outputClosed, outputClosed + Self.closedOutputGrace <= now {
            self.outputClosed = nil
            perform(.misbehaved(.misbehaved("closed its stdout without ending and was stopped")))
        }
        if let idleSince, presentations == 0, callsInFlight == 0, idleSince + limits.idle <= now {
            self.idleSince = nil
            perform(.stopRequested(now: now))
        }
    }
}
