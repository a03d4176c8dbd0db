internal import JSONRPC
internal import Logging
internal import Platform

/// A service that can be watched.
protocol MonitoredService: AnyObject {
    /// The metrics, in the order in which they are listed.
    var metrics: [Metric] { get }

    /// Why the service does no work now; nil if it does.
    var notReadyReason: String? { get }
}

/// Answers HTTP requests for metrics and for the state of a service, at a port of the loopback interface.
///
/// It is a part of the event loop: its descriptors are polled with all others, and it never blocks. A client that is slow
/// is cut off at its deadline; if there are too many connections, the oldest is closed.
final class MonitoringServer {
    /// The greatest number of connections.
    static let limit = 16
    /// How long a connection may last, in milliseconds.
    static let patience: Int64 = 5_000
    /// After a connection could not be accepted, the next attempt is made after this time in milliseconds.
    private static let pause: Int64 = 1_000

    private let listener: LoopbackListener
    private let logger: Logger
    private unowned let service: any MonitoredService
    /// In the order in which they were accepted, and so of their deadlines.
    private var connections: [MonitoringConnection] = []
    /// When a connection may be accepted again; nil for now.
    private var nextAttempt: Int64?

    /// Answers those who connect to a listener.
    init(_ listener: LoopbackListener, _ service: any MonitoredService, _ logger: Logger) {
        (self.listener, self.service, self.logger) = (listener, service, logger)
    }

    /// The port in use.
    var port: UInt16 { listener.port }

    /// The number of connections.
    var connectionCount: Int { connections.count }

    // MARK: Poll

    /// Names the descriptors to poll, each once.
    func forEachDescriptor(_ body: (Int32, PollSet.Interest) -> Void) {
        if nextAttempt == nil { body(listener.descriptor, .reading) }
        for connection in connections { body(connection.descriptor, connection.interest) }
    }

    /// When ``expire(now:)`` is due, in milliseconds of the monotonic clock.
    var deadline: Int64? { [nextAttempt, connections.first?.deadline].compactMap(\.self).min() }

    // MARK: Events

    /// Handles that a descriptor of ``forEachDescriptor(_:)`` is ready; any other is ignored.
    func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        if descriptor == listener.descriptor { return accept() }
        guard let index = connections.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        connections[index].ready(buffer: buffer)
        if connections[index].hasEnded { connections.remove(at: index).close() }
    }

    private func accept() {
        do throws(SystemError) {
            guard let descriptor = try listener.accept() else { return }
            let deadline = Clock.monotonic() + Self.patience
            connections.append(MonitoringConnection(descriptor, deadline: deadline) { [unowned self] in answer($0) })
        } catch {
            // Too few descriptors, for example; the listening descriptor stays ready.
            nextAttempt = Clock.monotonic() + Self.pause
            return logger.notice("a connection for metrics cannot be accepted: \(error)")
        }
        // Connections that somebody forgot must not keep others away.
        if connections.count > Self.limit { connections.removeFirst().close() }
    }

    /// Closes the connections whose time is over.
    func expire(now: Int64) {
        if let time = nextAttempt, time <= now { nextAttempt = nil }
        while let first = connections.first, first.deadline <= now { connections.removeFirst().close() }
    }

    /// Closes everything.
    func close() {
        listener.close()
        for connection in connections { connection.close() }
        connections = []
    }

    private func answer(_ head: HTTPRequestHead) -> HTTPAnswer {
        switch head.path {
        case "/metrics": HTTPAnswer(200, MetricsText.format(service.metrics), contentType: MetricsText.contentType)
        // That this is answered shows that the event loop runs.
        case "/healthz": HTTPAnswer(200, "ok\n")
        case "/readyz":
            service.notReadyReason.map { HTTPAnswer(503, "not ready: \($0)\n") } ?? HTTPAnswer(200, "ready\n")
        default: HTTPAnswer(404, "There are /metrics, /healthz and /readyz.\n")
        }
    }
}

/// A connection to the monitoring server: one request, one answer, the end.
private final class MonitoringConnection {
    private enum State {
        case reading
        case writing
        /// The answer is sent. Anything more from the client is read and dropped, because closing the socket with unread
        /// bytes could destroy the answer on its way.
        case draining
        case ended
    }

    let descriptor: Int32
    /// When the connection is closed at the latest, in milliseconds of the monotonic clock.
    let deadline: Int64
    private let answer: (HTTPRequestHead) -> HTTPAnswer
    private var state = State.reading
    private var input: [UInt8] = []
    private var output = ByteQueue()

    /// Takes over a connection, and closes it at the deadline at the latest.
    init(_ descriptor: Int32, deadline: Int64, answer: @escaping (HTTPRequestHead) -> HTTPAnswer) {
        (self.descriptor, self.deadline, self.answer) = (descriptor, deadline, answer)
    }

    /// The event to poll for.
    var interest: PollSet.Interest { state == .writing ? .writing : .reading }

    /// Whether the connection is over.
    var hasEnded: Bool { state == .ended }

    /// Reads or writes, whatever the connection waits for.
    func ready(buffer: UnsafeMutableRawBufferPointer) {
        switch state {
        case .reading: read(into: buffer)
        case .writing: write()
        case .draining: if Descriptors.read(descriptor, into: buffer) == .end { state = .ended }
        case .ended: break
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) {
        switch Descriptors.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4_096))) {
        case .bytes(let count): input += buffer.prefix(count)
        case .nothing: return
        case .end: return state = .ended
        }
        do throws(HTTPRequestHead.Refusal) {
            guard let head = try HTTPRequestHead.read(input) else { return }
            send(answer(head), isHead: head.isHead)
        } catch {
            send(HTTPAnswer(error), isHead: false)
        }
    }

    private func send(_ answer: HTTPAnswer, isHead: Bool) {
        input = []
        output.append { $0 += answer.bytes(isHead: isHead, time: Clock.systemTime()) }
        state = .writing
        write()
    }

    private func write() {
        var isGone = false
        output.drain { bytes in
            let count = LoopbackListener.send(bytes, to: descriptor)
            isGone = count == nil
            return count ?? 0
        }
        if isGone { return state = .ended }
        guard output.isEmpty else { return }
        LoopbackListener.endOutput(of: descriptor)
        state = .draining
    }

    /// Closes the connection.
    func close() {
        state = .ended
        Platform.close(descriptor)
    }
}
