internal import FlyingFox
internal import JSON
internal import Platform
internal import Synchronization

/// All windows, and what they show; each change is sent to all of them.
final class Windows: Sendable {
    /// More windows than this are refused.
    private static let limit = 16

    private struct State {
        var windows: [Window] = []
        var lastID = 0
        /// The last message of each type, in the order in which the types were first sent.
        var sections: [(type: String, text: String)] = []
        var timeline: [String] = []
    }

    private let state = Mutex(State())

    /// Opens a window, which gets everything that is shown now; nil if there are too many.
    func open() -> Window? {
        state.withLock { state in
            guard state.windows.count < Self.limit else { return nil }
            state.lastID += 1
            let window = Window(id: state.lastID)
            state.windows.append(window)
            let welcome: JSON = ["type": "welcome", "window": JSON(window.id)]
            window.send(welcome.description)
            for section in state.sections { window.send(section.text) }
            window.send(Self.timeline(state.timeline, isWhole: true))
            return window
        }
    }

    /// Forgets a window that was closed.
    func remove(_ window: Window) { state.withLock { $0.windows.removeAll { $0 === window } } }

    /// Shows a message of a type in place of the last one, in all windows.
    func publish(_ type: String, _ members: [(String, JSON)]) {
        let text = JSON.object(JSON.Object([("type", .string(type))] + members)).description
        state.withLock { state in
            if let place = state.sections.firstIndex(where: { $0.type == type }) {
                guard state.sections[place].text != text else { return }
                state.sections[place].text = text
            } else {
                state.sections.append((type, text))
            }
            for window in state.windows { window.send(text) }
        }
    }

    /// Adds entries to the timeline.
    func append(_ entries: [JSON]) {
        guard !entries.isEmpty else { return }
        let texts = entries.suffix(Timeline.entryLimit).map(\.description)
        state.withLock { state in
            state.timeline.append(contentsOf: texts)
            state.timeline.removeFirst(max(0, state.timeline.count - Timeline.entryLimit))
            let text = Self.timeline(texts, isWhole: false)
            for window in state.windows { window.send(text) }
        }
    }

    /// Sends a message to one window.
    func send(_ message: JSON, to id: Int) {
        state.withLock { $0.windows.first { $0.id == id } }?.send(message.description)
    }

    private static func timeline(_ entries: [String], isWhole: Bool) -> String {
        #"{"type":"timeline","whole":\#(isWhole),"limit":\#(Timeline.entryLimit),"entries":[\#(entries.joined(separator: ","))]}"#
    }
}

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

/// The WebSocket of a window: its messages go to the mailbox, and what waits for the window goes to it.
///
/// FlyingFox's own handler of messages keeps any number of frames for a slow reader, so this one works on frames.
struct WindowSocket: WSHandler {
    /// The greatest message of a window in bytes: a payload and a profile with room to spare.
    private static let messageLimit = 256 << 10

    let window: Window
    let windows: Windows
    let mailbox: WindowMailbox

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
            guard mailbox.add(WindowMailbox.Letter(window: window.id, message: json)) else {
                return window.close(.tryAgainLater)
            }
        }
    }
}

/// What the windows ask for, on its way to the thread that owns the host.
final class WindowMailbox: Sendable {
    /// A message of a window.
    struct Letter: Sendable {
        let window: Int
        let message: JSON
    }

    /// More than this means that the host hangs; what comes then is refused.
    private static let limit = 256

    private let letters = Mutex<[Letter]>([])
    private let wakeup: Wakeup

    init() throws(SystemError) { wakeup = try Wakeup() }

    /// Readable while there are letters.
    var descriptor: Int32 { wakeup.descriptor }

    /// Adds a letter; false if there are too many.
    func add(_ letter: Letter) -> Bool {
        let isAccepted = letters.withLock { letters in
            guard letters.count < Self.limit else { return false }
            letters.append(letter)
            return true
        }
        if isAccepted { wakeup.signal() }
        return isAccepted
    }

    /// Takes all letters, the oldest first.
    func take() -> [Letter] {
        _ = wakeup.take()
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
