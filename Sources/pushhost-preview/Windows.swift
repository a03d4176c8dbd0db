internal import JSON
internal import Synchronization

/// All windows, and what they show; each change is sent to all of them.
final class Windows: Sendable {
    /// More windows than this are refused.
    private static let limit = 16
    /// The number of the newest entries of the timeline that are kept.
    private static let timelineLimit = 300

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
        let texts = entries.suffix(Self.timelineLimit).map(\.description)
        state.withLock { state in
            state.timeline.append(contentsOf: texts)
            state.timeline.removeFirst(max(0, state.timeline.count - Self.timelineLimit))
            let text = Self.timeline(texts, isWhole: false)
            for window in state.windows { window.send(text) }
        }
    }

    /// Sends a message to one window.
    func send(_ message: JSON, to id: Int) {
        state.withLock { $0.windows.first { $0.id == id } }?.send(message.description)
    }

    private static func timeline(_ entries: [String], isWhole: Bool) -> String {
        #"{"type":"timeline","whole":\#(isWhole),"limit":\#(timelineLimit),"entries":[\#(entries.joined(separator: ","))]}"#
    }
}
