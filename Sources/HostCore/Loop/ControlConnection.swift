internal import Calls
internal import Foundation
internal import JSONRPC
internal import Platform

/// A control connection: reads its lines one by one and writes the replies.
final class ControlConnection {
    /// The greatest length of a line in bytes, which also limits the calls of a batch.
    private static let lineLimit = 4 << 10

    let descriptor: Int32
    private let engine: Engine
    private let peer: Peer
    private let session: Session
    /// Bytes that were read and not handled yet.
    private var held = ByteQueue()
    private var inputEnded = false
    private var isGone = false

    /// Connects the program at the other end to the engine.
    init(_ descriptor: Int32, _ engine: Engine) {
        self.descriptor = descriptor
        self.engine = engine
        (peer, session) = engine.connectControl(lineLimit: Self.lineLimit)
    }

    // MARK: State

    /// What to poll for; nil while the connection waits for an answer of the host.
    ///
    /// Nothing is read before the replies to earlier lines were read.
    var interest: PollSet.Interest? {
        if !session.output.isEmpty { return .writing }
        return !inputEnded && held.isEmpty && engine.gate.admitsReading(from: peer) ? .reading : nil
    }

    /// Whether a line that was read may be handled now.
    var mayHandleInput: Bool { !held.isEmpty && !peer.hasBacklog && engine.gate.admitsReading(from: peer) }

    /// Whether a line waits, is being answered, or its answer was not read.
    var isBusy: Bool { !held.isEmpty || peer.hasBacklog || session.trackedCount > 0 || !session.output.isEmpty }

    /// Whether nothing can be read or written any more.
    var hasEnded: Bool { isGone || inputEnded && !isBusy }

    // MARK: Events

    /// Reads once.
    func read(into buffer: UnsafeMutableRawBufferPointer) {
        guard held.isEmpty, !inputEnded else { return }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Self.lineLimit))
        switch Descriptors.read(descriptor, into: part) {
        case .bytes(let count): held.append { $0.append(contentsOf: part.prefix(count)) }
        case .nothing: break
        case .end:
            inputEnded = true
            session.finish()
        }
    }

    /// Handles at most one line.
    func handleInput() {
        guard mayHandleInput else { return }
        held.drain { bytes in
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
            let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
            if count < 0 { isGone = errno != EAGAIN && errno != EINTR }
            return max(0, count)
        }
    }

    /// Closes the connection; what it began is carried out.
    func close() {
        engine.disconnect(peer)
        Foundation.close(descriptor)
        isGone = true
    }
}
