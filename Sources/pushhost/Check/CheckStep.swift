internal import ArgumentParser

/// What a check tries besides reading the files of the bundle; the word is the place of its findings.
enum CheckStep: String, CaseIterable, ExpressibleByArgument {
    // MARK: In a host

    /// Shows the notification.
    case notification
    /// Touches every element, twice, with and without a value.
    case interact
    /// Presses every action twice, and the notification itself.
    case response
    /// Plays and pauses media.
    case media
    /// Shows a notification of another thread, and dismisses it.
    case secondNotification = "second-notification"
    /// Shows further notifications of the same thread.
    case sameThread = "same-thread"
    /// Shows the notification in locales for which there are no texts.
    case locale
    /// Shows a payload of the greatest size.
    case largePayload = "large-payload"
    /// Shows the same notification in another process, with the same clock and seed.
    case repeatable
    /// Replaces the values of the payload by others, and leaves them out.
    case wrongPayload = "wrong-payload"
    /// Enters what nobody expects: other types, no value, too long a text.
    case wrongInput = "wrong-input"
    /// Refuses to store anything.
    case refusedSaves = "refused-saves"
    /// Stops the extension.
    case stop

    // MARK: On the extension's own pipes

    /// Calls under ids of every kind.
    case ids
    /// Calls a method that the contract does not have.
    case unknownMethod = "unknown-method"
    /// Sends a notification that the contract does not have.
    case unknownNotification = "unknown-notification"
    /// Adds members to the params that the contract does not have.
    case unknownMembers = "unknown-members"
    /// Touches and presses what is not shown.
    case unknownTargets = "unknown-targets"
    /// Sends a line in pieces.
    case pieces
    /// Sends two lines at once.
    case twoLines = "two-lines"
    /// Dismisses a presentation, and calls about it.
    case dismissed
    /// Starts it without a reader of its stderr.
    case noStderr = "no-stderr"
    /// Closes its stdin.
    case endOfInput = "end-of-input"
    /// Deactivates it, after which no process is left.
    case deactivate

    /// The steps that only a process that is started by the check itself can take.
    static let ofWire: [CheckStep] = [
        .unknownMembers, .ids, .unknownMethod, .unknownNotification, .unknownTargets, .pieces, .twoLines, .dismissed,
        .media, .endOfInput, .noStderr, .deactivate,
    ]
}
