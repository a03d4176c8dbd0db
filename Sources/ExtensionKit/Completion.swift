internal import Foundation
internal import JSON

/// The completion handler of one response; any thread may call it.
final class Completion: @unchecked Sendable {
    private let action: String
    // Guarded by the condition.
    private let condition = NSCondition()
    private var option: NotificationContentExtensionResponseOption?
    private var count = 0
    private var isMissing = false

    /// A completion handler for the response with that action identifier.
    init(action: String) { self.action = action }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        condition.withLock {
            count += 1
            if self.option == nil && !isMissing { self.option = option }
            condition.signal()
        }
    }

    /// Waits for the call and returns its option, or `doNotDismiss` if it is not called in time.
    func wait(seconds: Double) -> NotificationContentExtensionResponseOption {
        let end = Date().addingTimeInterval(seconds)
        return condition.withLock {
            while option == nil && condition.wait(until: end) {}
            isMissing = option == nil
            return option ?? .doNotDismiss
        }
    }

    /// A diagnostic of the author's mistakes since the last call; each mistake is reported once.
    func removeDiagnostic() -> JSON? {
        condition.withLock {
            defer {
                isMissing = false
                count = min(count, 1)
            }
            if isMissing { return diagnostic("completionMissing", "was not called in time, so the notification stays") }
            return count > 1 ? diagnostic("completionTwice", "was called \(count) times; the first counts") : nil
        }
    }

    private func diagnostic(_ reason: String, _ text: String) -> JSON {
        ["reason": .string(reason), "message": .string("the completion handler for \(action) \(text)")]
    }
}
