internal import FlyingFox
internal import Foundation
internal import JSON

/// The WebSocket of a window: its messages go to the mailbox, and what waits for the window goes to it.
///
/// FlyingFox's own handler of messages keeps any number of frames for a slow reader, so this one works on frames.
struct WindowSocket: WSHandler {
    /// The greatest message of a window in bytes: a payload and a profile with room to spare.
    private static let messageLimit = 256 << 10

    let window: Window
    let windows: Windows
    let mailbox: Mailbox

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let reading = Task {
            do {
                try await read(client)
            } catch {
                window.close(.protocolError)
            }
            windows.remove(window)
            window.finish()
        }
        return AsyncStream(
            unfolding: { [windows, window] in
                if let frame = await window.next() { return frame }
                reading.cancel()
                windows.remove(window)
                return nil
            },
            onCancel: { reading.cancel() }
        )
    }

    private func read(_ client: AsyncThrowingStream<WSFrame, any Error>) async throws {
        var message: Data?
        for try await frame in client {
            switch frame.opcode {
            case .text where message == nil: message = frame.payload
            case .continuation where message != nil: message?.append(frame.payload)
            case .ping:
                window.add(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
                continue
            case .pong: continue
            case .close: return window.close(.normalClosure)
            default: return window.close(.unsupportedData)
            }
            if message?.count ?? 0 > Self.messageLimit { return window.close(.messageTooBig) }
            guard frame.fin, let bytes = message else { continue }
            message = nil
            guard let json = try? JSON(parsing: Array(bytes)), json["type"]?.string != nil else {
                return window.close(WSCloseCode(1007, reason: "a message must be a JSON object with a type"))
            }
            guard mailbox.add(Mailbox.Letter(window: window.id, message: json)) else {
                return window.close(.tryAgainLater)
            }
        }
    }
}
