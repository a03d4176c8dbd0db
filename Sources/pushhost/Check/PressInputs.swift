internal import JSON

/// What is entered at each thing that can be pressed.
struct PressInputs {
    /// The types of nodes that people expect to touch.
    static let touchable: Set = ["button", "card", "carousel", "field"]
    /// A tap on the notification, and its dismissal.
    static let systemActions = [
        "com.apple.UNNotificationDefaultActionIdentifier", "com.apple.UNNotificationDismissActionIdentifier",
    ]
    /// What a person may enter: several scripts, a line separator and a character outside the first plane.
    static let text: JSON = "Grüße \u{2028} 👋"
    /// What the forms of extensions ask for; the right one leads on.
    private static let plausible: [JSON?] = ["Ada", "ada@example.com", "+12125550100"]
    /// Longer than any field of Braze.
    static let longText = JSON.string(String(repeating: "x", count: 100_000))

    /// Whether touches are enabled.
    let pressesElements: Bool
    private let kind: Kind

    private enum Kind {
        case all
        case once
        case wrong
    }

    /// Everything twice, with and without a value.
    static func all(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .all)
    }

    /// Everything once, as a person would.
    static func once(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .once)
    }

    /// Everything with values of other types, too long a text and none.
    static func wrong(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .wrong)
    }

    private init(pressesElements: Bool, kind: Kind) {
        self.pressesElements = pressesElements
        self.kind = kind
    }

    /// How often the notification itself is pressed, and dismissed.
    var ofNotification: [JSON?] {
        switch kind {
        case .all: [nil, nil]
        case .once: [nil]
        case .wrong: []
        }
    }

    static func isSystem(_ target: PressRun.Target) -> Bool {
        if case .action(let identifier) = target { systemActions.contains(identifier) } else { false }
    }

    /// What is entered at an element.
    func of(_ node: JSON) -> [JSON?] {
        let pages = node["children"]?.array?.count ?? 0
        let usual: JSON? =
            switch node["type"] {
            case "field": Self.text
            case "carousel": JSON(max(0, pages - 1))
            default: nil
            }
        switch kind {
        case .once: return [node["type"] == "field" ? "ada@example.com" : usual]
        case .all:
            let other: JSON? = usual == nil ? Self.text : node["type"] == "carousel" ? 0 : nil
            return [usual, other, usual, other] + (node["type"] == "field" ? Self.plausible : [])
        case .wrong:
            return [nil, .null, true, -1, 1e300, "", Self.longText, ["a", [[]]], ["a": .null]]
        }
    }

    /// What is entered at an action.
    func of(action: JSON) -> [JSON?] {
        let takesText = action["textInput"] != nil
        return switch kind {
        case .once: [takesText ? Self.text : nil]
        case .all: takesText ? [Self.text, "", Self.text, ""] : [nil, nil]
        case .wrong: takesText ? [Self.longText] : []
        }
    }
}
