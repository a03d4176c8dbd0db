package import JSON
package import Notifications

/// What a call of the user does, in words for people.
package enum StepText {
    /// The words for a call, such as `Press “Register”`; the method itself if it is no step of a user.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: Its params, by name.
    ///   - shown: What the notification showed before; it has the titles of elements and actions.
    /// - Returns: The words.
    package static func of(_ method: String, _ params: JSON, _ shown: ShownNotification?) -> String {
        let text = { (name: String) in params[name]?.string ?? "" }
        switch method {
        case "didReceive": return params["expand"] == false ? "A banner arrives" : "A notification arrives"
        case "expand": return "Open the notification"
        case "interact": return touch(text("element"), params["value"], shown)
        case "didReceiveResponse": return response(text("actionIdentifier"), params["userText"]?.string, shown)
        case "mediaPlay": return "Play"
        case "mediaPause": return "Pause"
        case "dismiss": return "Dismiss the notification"
        case "advanceClock":
            let milliseconds = params["milliseconds"]?.integer ?? 0
            return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s later" : "\(milliseconds) ms later"
        default: return method
        }
    }

    private static func touch(_ element: String, _ value: JSON?, _ shown: ShownNotification?) -> String {
        let node = shown?.node(element)
        let name = node?["title"]?.string ?? node?["placeholder"]?.string ?? ""
        let title = name.isEmpty ? element : "“\(name)”"
        switch node?["type"]?.string {
        case "card": return "Turn a card"
        case "carousel" where (value?.integer ?? .max) < .max: return "Turn to page \((value?.integer ?? 0) + 1)"
        default: return value.map { "Enter \(quoted($0)) in \(title)" } ?? "Press \(title)"
        }
    }

    private static func response(_ identifier: String, _ text: String?, _ shown: ShownNotification?) -> String {
        switch identifier {
        case OfferedAction.defaultIdentifier: return "Tap the notification"
        case OfferedAction.dismissIdentifier: return "Close the notification"
        default:
            let action = shown?.actions.first { $0["identifier"]?.string == identifier }
            let title = action?["title"]?.string ?? identifier
            return "Press “\(title)”" + (text.map { " with \(quoted(.string($0)))" } ?? "")
        }
    }

    private static func quoted(_ value: JSON) -> String { value.string.map { "“\($0)”" } ?? value.description }
}
