internal import FlyingFox
internal import Foundation
internal import Synchronization

/// A browser window that shows the preview: the frames that wait to be sent to it.
///
/// FlyingFox asks for the next frame after it has written the one before, so a window that reads slowly lets frames wait
/// here, and nowhere else.
final class Window: Sendable {
    /// A window that lets more frames wait is dropped.
    private static let limit = 256

    private struct State {
        var frames: [WSFrame] = []
        var receiver: CheckedContinuation<WSFrame?, Never>?
        /// Whether no frame may follow those that wait.
        var isFinished = false
    }

    let id: Int
    private let state = Mutex(State())

    init(id: Int) { self.id = id }

    /// Sends a message.
    func send(_ text: String) { add(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))) }

    /// Sends a frame after those that wait.
    func add(_ frame: WSFrame) {
        let receiver = state.withLock { state -> CheckedContinuation<WSFrame?, Never>? in
            guard !state.isFinished else { return nil }
            if let receiver = state.receiver {
                state.receiver = nil
                return receiver
            }
            state.frames.append(frame)
            if state.frames.count > Self.limit {
                let reason = "this window did not keep up"
                state.frames = [.close(code: WSCloseCode(1013, reason: reason))]
                state.isFinished = true
            }
            return nil
        }
        receiver?.resume(returning: frame)
    }

    /// Sends a last frame.
    func close(_ code: WSCloseCode) {
        add(.close(code: code))
        finish()
    }

    /// Ends the connection after the frames that wait.
    func finish() {
        let receiver = state.withLock { state in
            state.isFinished = true
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?.resume(returning: nil)
    }

    /// The next frame to write; nil at the end.
    func next() async -> WSFrame? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let frame = state.withLock { state -> WSFrame?? in
                    if !state.frames.isEmpty { return state.frames.removeFirst() }
                    if state.isFinished { return .some(nil) }
                    state.receiver = continuation
                    return nil
                }
                if let frame { continuation.resume(returning: frame) }
            }
        } onCancel: {
            finish()
        }
    }
}
