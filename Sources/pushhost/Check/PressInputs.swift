internal import JSON
internal import Notifications

/// What `extensions check` enters for each element and action; an input is a value, or nil for none.
struct PressInputs {
    /// The types of nodes that people expect to touch.
    static let touchable: Set = ["button", "card", "carousel", "field"]
    /// A tap on the notification, and its dismissal.
    static let systemActions = [NotificationAction.defaultIdentifier, NotificationAction.dismissIdentifier]
    /// A text that a person may enter: letters beyond ASCII, a line separator and a character outside the Basic Multilingual Plane.
    static let text: JSON = "Grüße \u{2028} 👋"
    /// Answers to usual questions of forms; the correct one leads to the next page.
    private static let plausible: [JSON?] = ["Ada", "ada@example.com", "+12125550100", "1990-01-31", "US"]
    /// Longer than any text that Braze accepts.
    static let longText = JSON.string(String(repeating: "x", count: 100_000))

    /// Whether elements are touched, which the bundle must enable.
    let pressesElements: Bool
    private let kind: Kind

    private enum Kind {
        case all
        case once
        case wrong
    }

    /// Every input twice; where a value is possible, with and without it.
    static func all(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .all)
    }

    /// One plausible input for each element and action.
    static func once(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .once)
    }

    /// Wrong inputs: values of other types, a text that is too long, and no value.
    static func wrong(pressesElements: Bool) -> PressInputs {
        PressInputs(pressesElements: pressesElements, kind: .wrong)
    }

    private init(pressesElements: Bool, kind: Kind) {
        self.pressesElements = pressesElements
        self.kind = kind
    }

    /// The inputs for a tap on the notification, and for its dismissal.
    var forNotification: [JSON?] {
        switch kind {
        case .all: [nil, nil]
        case .once: [nil]
        case .wrong: []
        }
    }

    /// Whether a target is a tap on the notification, or its dismissal.
    static func isSystemAction(_ target: PressRun.Target) -> Bool {
        if case .action(let identifier) = target { systemActions.contains(identifier) } else { false }
    }

    /// The inputs for an element.
    func forElement(_ node: JSON) -> [JSON?] {
        let pages = node["children"]?.array?.count ?? 0
        let usual: JSON? =
            switch node["type"] {
            case "field": Self.text
            case "carousel": JSON(max(0, pages - 1))
            default: nil
            }
        switch kind {
        case .once: return [node["type"] == "field" ? Self.plausible[1] : usual]
        case .all:
            let unusual: JSON? =
                switch node["type"] {
                case "field": nil
                case "carousel": 0
                default: Self.text
                }
            return [usual, unusual, usual, unusual] + (node["type"] == "field" ? Self.plausible : [])
        case .wrong:
            return [nil, .null, true, -1, 1e300, "", Self.longText, ["a", [[]]], ["a": .null]]
        }
    }

    /// The inputs for an action.
    func forAction(_ action: JSON) -> [JSON?] {
        let takesText = action["textInput"] != nil
        return switch kind {
        case .once: [takesText ? Self.text : nil]
        case .all: takesText ? [Self.text, "", Self.text, ""] : [nil, nil]
        case .wrong: takesText ? [Self.longText] : []
        }
    }
}
