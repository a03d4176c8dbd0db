internal import JSONRPC
internal import Platform

/// A connection to the monitoring server: one request, one answer, the end.
final class MonitoringConnection {
    private enum State {
        case reading
        case writing
        /// The answer is sent. What else the client sends is read and dropped, because closing the socket with unread
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

    /// What to poll for.
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
