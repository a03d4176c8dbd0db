internal import Dispatch
internal import JSON
internal import Synchronization

/// The completion handler of one response; any thread may call it.
final class Completion: Sendable {
    private struct State {
        var option: NotificationContentExtensionResponseOption?
        var count = 0
        var isMissing = false
    }

    private let action: String
    private let state = Mutex(State())
    private let called = DispatchSemaphore(value: 0)

    /// A completion handler for the response with that action identifier.
    init(action: String) { self.action = action }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        state.withLock { state in
            state.count += 1
            if state.option == nil && !state.isMissing { state.option = option }
        }
        called.signal()
    }

    /// Waits for the call and returns its option, or `doNotDismiss` if it is not called in time.
    func wait(seconds: Double) -> NotificationContentExtensionResponseOption {
        _ = called.wait(timeout: .now() + seconds)
        return state.withLock { state in
            state.isMissing = state.option == nil
            return state.option ?? .doNotDismiss
        }
    }

    /// A diagnostic of the author's mistakes since the last call; each mistake is reported once.
    func removeDiagnostic() -> JSON? {
        state.withLock { state in
            defer {
                state.isMissing = false
                state.count = min(state.count, 1)
            }
            if state.isMissing {
                return diagnostic("completionMissing", "was not called in time, so the notification stays")
            }
            return state.count > 1
                ? diagnostic("completionTwice", "was called \(state.count) times; the first counts") : nil
        }
    }

    private func diagnostic(_ reason: String, _ text: String) -> JSON {
        ["reason": .string(reason), "message": .string("the completion handler for \(action) \(text)")]
    }
}
