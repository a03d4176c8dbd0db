import Foundation
import PhoneRuntime
import Synchronization
import UserNotificationsUI

/// The completion handler of one response; any thread may call it.
final class Completion: Sendable {
    private struct State {
        var option: UNNotificationContentExtensionResponseOption?
        var count = 0
        /// Called with the option, or when the time is over.
        var done: (@MainActor @Sendable (UNNotificationContentExtensionResponseOption) -> Void)?
    }

    private let action: String
    private let state = Mutex(State())

    init(action: String) { self.action = action }

    /// What the extension calls.
    func complete(_ option: UNNotificationContentExtensionResponseOption) {
        let (isFirst, done) = state.withLock { state in
            state.count += 1
            guard state.count == 1 else {
                return (false, nil as (@MainActor @Sendable (UNNotificationContentExtensionResponseOption) -> Void)?)
            }
            state.option = option
            return (true, state.done.take())
        }
        guard isFirst else {
            let text = "the completion handler for \(action) was called again; the first call counts"
            return CurrentPresentation.addDiagnostic(reason: "completionTwice", text)
        }
        if let done { DispatchQueue.main.async { done(option) } }
    }

    /// Ends the waiting, because the notification is gone; the handler may still be called.
    func abandon() {
        let done = state.withLock { state in
            if state.option == nil { state.option = .doNotDismiss }
            return state.done.take()
        }
        if let done { DispatchQueue.main.async { done(.doNotDismiss) } }
    }

    private var isComplete: Bool { state.withLock { $0.option != nil } }

    /// Calls the closure with the option when the extension gave it, or with `doNotDismiss` when the time is over.
    ///
    /// A fixed clock is moved forward meanwhile, as time passes on a phone too. With a real one, the other closure is
    /// called before the waiting begins, so that what the extension shows meanwhile is seen.
    @MainActor
    func wait(
        seconds: Double,
        beforeWaiting: @escaping @MainActor @Sendable () -> Void,
        _ done: @escaping @MainActor @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        MainQueue.settle { [self] in
            let clock = MainClock.shared
            guard clock.isVirtual, !isComplete, clock.nextDue != nil else {
                if !isComplete { beforeWaiting() }
                return waitReally(seconds, done)
            }
            clock.advance(to: clock.now + seconds, until: { self.isComplete }) { self.waitReally(seconds, done) }
        }
    }

    @MainActor
    private func waitReally(
        _ seconds: Double,
        _ done: @escaping @MainActor @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        let known = state.withLock { state in
            if state.option == nil { state.done = done }
            return state.option
        }
        if let known { return done(known) }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [self] in
            guard let done = state.withLock({ $0.done.take() }) else { return }
            let text = "the completion handler for \(action) was not called in time, so the notification stays"
            CurrentPresentation.addDiagnostic(reason: "completionMissing", text)
            done(.doNotDismiss)
        }
    }
}
