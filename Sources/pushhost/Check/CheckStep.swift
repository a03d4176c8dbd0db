internal import ArgumentParser

/// A step of the dry run; the raw value is the place of its findings.
enum CheckStep: String, CaseIterable, ExpressibleByArgument {
    // MARK: In a host

    /// Shows the notification.
    case notification
    /// Touches every element twice, with and without a value.
    case interact
    /// Presses every action twice, taps the notification itself and dismisses it.
    case response
    /// Plays and pauses media.
    case media
    /// Shows a notification of another thread, and dismisses it.
    case secondNotification = "second-notification"
    /// Shows further notifications of the same thread.
    case sameThread = "same-thread"
    /// Shows the notification in locales for which the bundle has no texts.
    case locale
    /// Shows a payload of the maximum size.
    case largePayload = "large-payload"
    /// Shows the same notification in another process, with the same clock and seed.
    case repeatable
    /// Replaces values of the payload by wrong ones, and omits them.
    case wrongPayload = "wrong-payload"
    /// Enters wrong values: other types, no value, a text that is too long.
    case wrongInput = "wrong-input"
    /// Lets the host refuse everything that the extension saves.
    case refusedSaves = "refused-saves"
    /// Stops the extension.
    case stop

    // MARK: On the extension's own pipes

    /// Sends calls with ids of every kind.
    case ids
    /// Calls a method that the contract does not define.
    case unknownMethod = "unknown-method"
    /// Sends a notification that the contract does not define.
    case unknownNotification = "unknown-notification"
    /// Adds members to params that the contract does not define.
    case unknownMembers = "unknown-members"
    /// Touches elements and presses actions that are not shown.
    case unknownTargets = "unknown-targets"
    /// Sends a line in pieces.
    case pieces
    /// Sends two lines at once.
    case twoLines = "two-lines"
    /// Dismisses a presentation, and then sends calls about it.
    case dismissed
    /// Starts the process with stderr on /dev/null.
    case noStderr = "no-stderr"
    /// Closes its stdin.
    case endOfInput = "end-of-input"
    /// Deactivates the extension, after which no process may be left.
    case deactivate

    /// The steps that ``WireProbes`` performs in a process that the check starts itself.
    static let ofWireProbes: [CheckStep] = [
        .unknownMembers, .ids, .unknownMethod, .unknownNotification, .unknownTargets, .pieces, .twoLines, .dismissed,
        .media, .endOfInput, .noStderr, .deactivate,
    ]
}
