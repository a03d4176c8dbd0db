internal import Calls
internal import Configuration
internal import JSONRPC
internal import Logging
internal import Platform
internal import Recording

/// The client on the process's stdin and stdout: reads its lines and writes what its session has for it.
///
/// ``Engine/connectClient()`` connects its session to its peer.
final class ClientPipe {
    private let engine: Engine
    private let logger: Logger
    private let peer: Peer
    private let session: Session
    private let output: OutputDescriptor?

    /// Bytes that were read and not handled yet: in lock-step lines are handled one by one, so that a recording has
    /// each line before its reply.
    private var pausedInput = ByteQueue()
    /// Whether nobody reads stdout any more, or it cannot be written.
    private var isGone = false
    /// Whether stdin could not be read, or stdout not be written for another reason than that the reader is gone.
    private(set) var hasFailed = false

    /// Connects the client to the engine.
    init(_ engine: Engine, _ logger: Logger) {
        self.engine = engine
        self.logger = logger
        (peer, session) = engine.connectClient()
        output = OutputDescriptor(1)
    }

    // MARK: Input

    /// Whether more input may be read: everything that was read is handled, its replies are on their way, and replies do
    /// not pile up.
    ///
    /// While replies wait for a commit, parsing ahead would gain less time than it costs to keep the messages.
    var mayRead: Bool {
        engine.gate.ending.state == .serving && !engine.awaitsCommit(session) && !peer.hasBacklog && pausedInput.isEmpty
            && session.output.count <= engine.configuration.outputLimit
    }

    /// Whether there is input that was read and may be handled now.
    var mayHandlePausedInput: Bool { (peer.hasBacklog || !pausedInput.isEmpty) && engine.gate.admitsMessage(of: peer) }

    /// Reads once from stdin, and handles what was read unless the connection is in lock-step.
    func read(into buffer: UnsafeMutableRawBufferPointer) {
        let count = Platform.read(0, buffer.baseAddress, buffer.count)
        if count > 0 {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard engine.recorder != nil && engine.gate.isLockStep else { return session.consume(bytes) }
            pausedInput.append { $0.append(contentsOf: bytes) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            if count < 0 {
                hasFailed = true
                logger.error("reading stdin failed: \(String(cString: strerror(errno)))")
            }
            engine.gate.end(.inputEnded)
            session.finish()
        }
    }

    /// Handles as many of the paused lines as are allowed now.
    func handlePausedInput() {
        guard !pausedInput.isEmpty else { return }
        pausedInput.drain { bytes in
            var handled = 0
            while handled < bytes.count, !peer.hasBacklog, engine.gate.admitsMessage(of: peer) {
                let rest = bytes[handled...]
                let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
                session.consume(UnsafeRawBufferPointer(rebasing: bytes[handled..<end]))
                handled = end
            }
            return handled
        }
    }

    // MARK: Output

    /// Whether output waits for a client that is there.
    var hasOutput: Bool { !session.output.isEmpty && !isGone }

    /// The descriptor to poll for writing; nil if nothing waits to be written.
    var outputDescriptor: Int32? { session.output.isEmpty ? nil : output?.descriptor }

    /// Writes as much of the output as possible without blocking.
    func write() {
        guard !session.output.isEmpty else { return }
        guard let output else { return session.output.removeAll() }
        // A line is in the recording before it leaves.
        engine.recorder?.flush()
        session.output.drain { bytes in
            guard !isGone else { return bytes.count }
            var written = 0
            while written < bytes.count {
                switch output.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
                case .wrote(0): return written
                case .wrote(let count): written += count
                case .gone: return stop(bytes.count, "the client is gone")
                case .failed(let number):
                    hasFailed = true
                    return stop(bytes.count, "writing stdout failed: \(String(cString: strerror(number)))")
                }
            }
            return written
        }
    }

    /// Stops the host because its output cannot be written: changes are committed, and no further line is handled.
    ///
    /// - Returns: The number of bytes that are dropped.
    private func stop(_ count: Int, _ reason: String) -> Int {
        logger.info("\(reason); stopping")
        isGone = true
        engine.gate.end(.clientLost)
        return count
    }
}

/// The socket on which the host accepts control connections, and these connections.
///
/// They are served like extensions: the client comes first. In each iteration of the event loop a connection is accepted or
/// a few bytes of each are read, and at most one line of each is handled. No connection keeps the host running, and the
/// end of one does not end it.
final class ControlSocket {
    /// The greatest number of connections.
    private static let limit = 8
    /// After a connection could not be accepted, the next attempt is made after this time in milliseconds.
    private static let pause: Int64 = 1_000

    private let engine: Engine
    private let logger: Logger
    private let listener: Int32
    private let path: String
    /// In the order in which they were accepted.
    private var connections: [ControlConnection] = []
    /// When a connection may be accepted again; nil for now.
    private var nextAttempt: Int64?

    private init(_ engine: Engine, _ logger: Logger, _ listener: Int32, _ path: String) {
        self.engine = engine
        self.logger = logger
        self.listener = listener
        self.path = path
    }

    /// Creates the socket.
    ///
    /// - Returns: Nil without a folder, or if it cannot be created, which is logged. A session that is recorded or in lock-step
    ///   has none either, as only the lines of its client may determine it.
    static func open(_ engine: Engine, _ logger: Logger) -> ControlSocket? {
        guard let folder = engine.configuration.controlFolder, engine.recorder == nil, !engine.gate.isLockStep else {
            return nil
        }
        do throws(ControlFolder.Problem) {
            let (listener, path) = try ControlFolder(path: folder).listen()
            return ControlSocket(engine, logger, listener, path)
        } catch {
            logger.notice("the host accepts no control connections: \(error)")
            return nil
        }
    }

    // MARK: Poll

    /// Names the descriptors to poll, each once.
    func forEachDescriptor(_ body: (Int32, PollSet.Interest) -> Void) {
        if let time = nextAttempt, time <= Clock.monotonic() { nextAttempt = nil }
        if nextAttempt == nil { body(listener, .reading) }
        for connection in connections {
            if let interest = connection.interest { body(connection.descriptor, interest) }
        }
    }

    /// Whether input that was read may be handled now.
    var mayHandleInput: Bool { connections.contains { $0.mayHandleInput } }

    /// When the listening descriptor must be polled again, in milliseconds of the monotonic clock.
    var deadline: Int64? { nextAttempt }

    // MARK: Events

    /// Reads a descriptor that is ready, or accepts a connection.
    func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        if descriptor == listener { return accept() }
        connections.first { $0.descriptor == descriptor }?.read(into: buffer)
    }

    private func accept() {
        do throws(SystemError) {
            guard let descriptor = try ControlFolder.accept(listener) else { return }
            connections.append(ControlConnection(descriptor, engine))
        } catch {
            // Too few descriptors, for example; the listening descriptor stays ready.
            nextAttempt = Clock.monotonic() + Self.pause
            return logger.notice("a control connection cannot be accepted: \(error)")
        }
        guard connections.count > Self.limit else { return }
        // Connections that somebody forgot must not keep others away.
        let index = connections.firstIndex { !$0.isBusy } ?? connections.endIndex - 1
        connections.remove(at: index).close()
    }

    /// Handles at most one line of each connection.
    func handleInput() { for connection in connections { connection.handleInput() } }

    /// Writes what the connections accept, and closes those that have ended.
    func write() {
        guard !connections.isEmpty else { return }
        for connection in connections { connection.write() }
        for connection in connections where connection.hasEnded { connection.close() }
        connections.removeAll(where: \.hasEnded)
    }

    /// Closes everything and removes the socket.
    func close() {
        Platform.close(listener)
        unlink(path)
        for connection in connections { connection.close() }
        connections = []
    }
}

/// A control connection: reads its lines one by one and writes the replies.
private final class ControlConnection {
    /// The greatest length of a line in bytes, which also limits the calls of a batch.
    private static let lineLimit = 4 << 10

    let descriptor: Int32
    private let engine: Engine
    private let peer: Peer
    private let session: Session
    /// Bytes that were read and not handled yet.
    private var pausedInput = ByteQueue()
    private var inputEnded = false
    private var isGone = false

    /// Connects the program at the other end to the engine.
    init(_ descriptor: Int32, _ engine: Engine) {
        self.descriptor = descriptor
        self.engine = engine
        (peer, session) = engine.connectControl(lineLimit: Self.lineLimit)
    }

    // MARK: State

    /// The event to poll for; nil while the connection waits for an answer of the host.
    ///
    /// Nothing is read before the replies to earlier lines were read.
    var interest: PollSet.Interest? {
        if !session.output.isEmpty { return .writing }
        return !inputEnded && pausedInput.isEmpty && engine.gate.admitsReading(from: peer) ? .reading : nil
    }

    /// Whether a line that was read may be handled now.
    var mayHandleInput: Bool { !pausedInput.isEmpty && !peer.hasBacklog && engine.gate.admitsReading(from: peer) }

    /// Whether a line waits, is being answered, or its answer was not read.
    var isBusy: Bool {
        !pausedInput.isEmpty || peer.hasBacklog || session.trackedCount > 0 || !session.output.isEmpty
            || engine.owesAnswer(to: session)
    }

    /// Whether nothing can be read or written any more.
    var hasEnded: Bool { isGone || inputEnded && !isBusy }

    // MARK: Events

    /// Reads once.
    func read(into buffer: UnsafeMutableRawBufferPointer) {
        guard pausedInput.isEmpty, !inputEnded else { return }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Self.lineLimit))
        switch Descriptors.read(descriptor, into: part) {
        case .bytes(let count): pausedInput.append { $0.append(contentsOf: part.prefix(count)) }
        case .nothing: break
        case .end:
            inputEnded = true
            session.finish()
        }
    }

    /// Handles at most one line.
    func handleInput() {
        guard mayHandleInput else { return }
        pausedInput.drain { bytes in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let count = min(line.count + 1, bytes.count)
            session.consume(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
    }

    /// Writes as much of the output as possible.
    func write() {
        guard !session.output.isEmpty, !isGone else { return }
        session.output.drain { bytes in
            let count = Platform.write(descriptor, bytes.baseAddress, bytes.count)
            if count < 0 { isGone = errno != EAGAIN && errno != EINTR }
            return max(0, count)
        }
    }

    /// Closes the connection; what it began is carried out.
    func close() {
        engine.disconnect(peer)
        Platform.close(descriptor)
        isGone = true
    }
}
