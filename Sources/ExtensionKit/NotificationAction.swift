internal import JSON

/// A button of the notification.
public struct NotificationAction: Equatable, Sendable {
    /// What a button does besides being pressed.
    public enum Option: String, Sendable {
        /// Needs an unlocked phone.
        case authenticationRequired
        /// Is shown as something that destroys.
        case destructive
        /// Opens the app.
        case foreground
    }

    /// The field of a button that takes text, as of Apple's `UNTextInputNotificationAction`.
    public struct TextInput: Equatable, Sendable {
        /// What the button that sends the text says.
        public let buttonTitle: String
        /// What the empty field says.
        public let placeholder: String

        /// A field.
        public init(buttonTitle: String = "", placeholder: String = "") {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// What the response will name.
    public let identifier: String
    /// What people read.
    public let title: String
    /// What it does besides.
    public let options: [Option]
    /// The field, where the button takes text: the response then has it as `userText`.
    public let textInput: TextInput?

    /// A button.
    public init(identifier: String, title: String, options: [Option] = [], textInput: TextInput? = nil) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
    }

    /// A button as it came from the host; options that this kit does not know are left out.
    init(_ json: JSON) {
        identifier = json["identifier"]?.string ?? ""
        title = json["title"]?.string ?? ""
        options = json["options"]?.array?.compactMap { $0.string.flatMap(Option.init) } ?? []
        textInput = json["textInput"].map { json in
            TextInput(
                buttonTitle: json["buttonTitle"]?.string ?? "",
                placeholder: json["placeholder"]?.string ?? ""
            )
        }
    }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("identifier", .string(identifier)),
            ("title", .string(title)),
            ("options", JSON(options.map { .string($0.rawValue) })),
        ]
        if let textInput {
            let field: JSON = [
                "buttonTitle": .string(textInput.buttonTitle), "placeholder": .string(textInput.placeholder),
            ]
            members.append(("textInput", field))
        }
        return .object(JSON.Object(members))
    }
}
