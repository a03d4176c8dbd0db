internal import Foundation
internal import JSON

/// The one completion of a response, which may come from any thread.
final class Completion: @unchecked Sendable {
    private let action: String
    // Guarded by the condition.
    private let condition = NSCondition()
    private var option: NotificationContentExtensionResponseOption?
    private var count = 0
    private var isMissing = false

    /// A completion that is awaited for the button of that identifier.
    init(action: String) { self.action = action }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        condition.withLock {
            count += 1
            if self.option == nil && !isMissing { self.option = option }
            condition.signal()
        }
    }

    /// The option that it was called with; the notification stays where it is not called in time.
    func wait(seconds: Double) -> NotificationContentExtensionResponseOption {
        let end = Date().addingTimeInterval(seconds)
        return condition.withLock {
            while option == nil && condition.wait(until: end) {}
            isMissing = option == nil
            return option ?? .doNotDismiss
        }
    }

    /// What the author did wrong with it since it was last asked; each mistake is told once.
    func takeRemark() -> JSON? {
        condition.withLock {
            defer {
                isMissing = false
                count = min(count, 1)
            }
            if isMissing { return remark("completionMissing", "was not called in time, so the notification stays") }
            return count > 1 ? remark("completionTwice", "was called \(count) times; the first counts") : nil
        }
    }

    private func remark(_ reason: String, _ text: String) -> JSON {
        ["reason": .string(reason), "message": .string("the completion handler for \(action) \(text)")]
    }
}
