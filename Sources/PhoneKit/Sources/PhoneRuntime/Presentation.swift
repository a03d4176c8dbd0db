package import Foundation
package import JSON
import Synchronization

/// What the runtime knows of the notification that the code at hand works for.
///
/// A phone has one process for each presentation. Here one process shows several, so what belongs to one of them, such
/// as the right to save, is found through the current presentation: that of the host's call or of the timer that runs.
package enum CurrentPresentation {
    private struct State {
        var notification: String?
        var diagnostics: [(notification: String?, JSON)] = []
        /// Values of suites in a process that has no host, or no presentation, as a service extension.
        var localValues: [String: JSON] = [:]
        var suites: [String] = []
    }

    private static let state = Mutex(State())

    /// The id of the current presentation.
    package static var notification: String? {
        get { state.withLock { $0.notification } }
        set { state.withLock { $0.notification = newValue } }
    }

    /// The App Groups of the extension.
    package static var suites: [String] {
        get { state.withLock { $0.suites } }
        set { state.withLock { $0.suites = newValue } }
    }

    /// A value of a suite that only this process knows.
    package static func localValue(_ key: String) -> JSON? { state.withLock { $0.localValues[key] } }

    /// Sets a value of a suite that only this process knows.
    package static func setLocalValue(_ value: JSON?, _ key: String) { state.withLock { $0.localValues[key] = value } }

    /// The keys of the values that begin like this.
    package static func localKeys(prefix: String) -> [String] {
        state.withLock { $0.localValues.keys.filter { $0.hasPrefix(prefix) } }
    }

    /// Reports a mistake of the extension: on stderr, and in the reply to the current or the next call.
    package static func addDiagnostic(reason: String, _ message: String) {
        FileHandle.standardError.write(Data("\(reason): \(message)\n".utf8))
        let diagnostic: JSON = ["reason": .string(reason), "message": .string(message)]
        state.withLock { $0.diagnostics.append(($0.notification, diagnostic)) }
    }

    /// Removes and returns the diagnostics of a presentation, and those that belong to none.
    package static func takeDiagnostics(of notification: String) -> [JSON] {
        state.withLock { state in
            let taken = state.diagnostics.filter { $0.notification == notification || $0.notification == nil }
            state.diagnostics.removeAll { $0.notification == notification || $0.notification == nil }
            return taken.map(\.1)
        }
    }
}

extension MainClock {
    /// Like ``schedule(after:_:)``, for the presentation that is current now.
    @discardableResult
    package func scheduleForPresentation(
        after seconds: TimeInterval,
        _ body: @escaping @MainActor @Sendable () -> Void
    ) -> Entry {
        let notification = CurrentPresentation.notification
        return schedule(after: seconds) {
            if let notification { CurrentPresentation.notification = notification }
            body()
            ViewChanges.note()
        }
    }
}

/// Tells the runtime that what is shown may have changed, so that it is drawn after the current turn of the main loop.
@MainActor
package enum ViewChanges {
    /// Draws what changed and sends it; set while a host is served.
    package static var send: (@MainActor () -> Void)?
    private static var isScheduled = false
    /// Whether a view is drawn at the moment: cells and headers that are made for it are no change.
    private static var isDrawing = false

    /// Runs a body that draws.
    package static func drawing<Result>(_ body: () -> Result) -> Result {
        let outer = isDrawing
        isDrawing = true
        defer { isDrawing = outer }
        return body()
    }

    /// Lets what is shown be drawn after this turn.
    package static func note() {
        // Swift 5 lets code on any thread change a view, as Objective-C does; a phone warns of it or crashes.
        guard MainQueue.isCurrent else { return noteFromOtherThread() }
        guard send != nil, !isScheduled, !isDrawing else { return }
        isScheduled = true
        DispatchQueue.main.async {
            isScheduled = false
            send?()
        }
    }

    private nonisolated static func noteFromOtherThread() {
        let text =
            "UI API called on a background thread: use DispatchQueue.main.async, as the completion handlers of URLSession "
            + "and others run on another thread"
        if hasWarned.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
            CurrentPresentation.addDiagnostic(reason: "backgroundThread", text)
        }
        DispatchQueue.main.async { note() }
    }

    private nonisolated static let hasWarned = Atomic(false)
}
