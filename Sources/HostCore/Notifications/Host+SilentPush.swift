internal import Contract
internal import JSON
internal import JSONRPC
internal import Notifications

extension Host {
    /// Answers a notification without an alert: nothing is shown, no extension runs, and no presentation begins.
    func showNothing(of arrival: ReceivedNotification, _ arguments: Arguments) -> JSON {
        let reason = "it has no alert"
        notifications.dismissUnshown(arrival.notification, reason: reason)
        let whereTo = arrival.payload.isContentAvailable ? "; content-available 1 hands it to the app alone" : ""
        let text =
            "the notification has no alert, that is, no text in title, subtitle or body: "
            + "a phone shows nothing of it and runs no extension" + whereTo
        let place = arguments.path("payload") + arrival.payload.alertPath
        let diagnostics = arrival.diagnostics + [Diagnostic("noAlert", text, path: place)]
        return [
            "notification": .string(arrival.notification), "extension": .null, "content": arrival.content.summary,
            "layout": .null, "view": arrival.content.defaultView, "actions": [],
            "diagnostics": JSON(diagnostics.map(\.json)),
        ]
    }
}
