internal import JSON

/// A button of the notification.
public struct NotificationAction: Equatable, Sendable {
    /// The options of a button.
    public enum Option: String, Sendable {
        /// The phone must be unlocked.
        case authenticationRequired
        /// The button is shown as destructive.
        case destructive
        /// The button opens the app.
        case foreground
    }

    /// The text input of a button, as in Apple's `UNTextInputNotificationAction`.
    public struct TextInput: Equatable, Sendable {
        /// The title of the button that sends the text.
        public let buttonTitle: String
        /// The placeholder of the empty field.
        public let placeholder: String

        /// A field.
        public init(buttonTitle: String = "", placeholder: String = "") {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// The identifier that the response names.
    public let identifier: String
    /// The visible title.
    public let title: String
    /// The options.
    public let options: [Option]
    /// The text input, if the button has one; the response has the text as `userText`.
    public let textInput: TextInput?

    /// A button.
    public init(identifier: String, title: String, options: [Option] = [], textInput: TextInput? = nil) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
    }

    /// Reads a button from its form on the wire; unknown options are left out.
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
        JSON(present: [
            "identifier": .string(identifier),
            "title": .string(title),
            "options": JSON(options.map { .string($0.rawValue) }),
            "textInput": textInput.map {
                ["buttonTitle": .string($0.buttonTitle), "placeholder": .string($0.placeholder)]
            },
        ])
    }
}
