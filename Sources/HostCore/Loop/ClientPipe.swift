internal import Calls
internal import Configuration
internal import Foundation
internal import JSONRPC
internal import Logging
internal import Platform
internal import Recording

/// The client on the process's stdin and stdout: reads its lines and writes what its session has for it.
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
        let count = Foundation.read(0, buffer.baseAddress, buffer.count)
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
