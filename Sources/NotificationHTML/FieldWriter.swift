/// Writes text fields.
struct FieldWriter {
    /// What the text of a field is for.
    enum Purpose {
        /// The value of an element.
        case element(String)
        /// The text of an action.
        case action(String)
    }

    private let type: Typesetter

    init(_ type: Typesetter) { self.type = type }

    /// A field, which is a control if it has a purpose.
    func field(_ value: String, _ placeholder: String, _ purpose: Purpose?) -> Block {
        Block(
            markup: purpose.map { control(value, placeholder, $0) } ?? picture(value, placeholder),
            height: type.line(.body) + 2 * Metrics.controlPadding
        )
    }

    private func control(_ value: String, _ placeholder: String, _ purpose: Purpose) -> Markup {
        let (element, action): (String?, String?) =
            switch purpose {
            case .element(let id): (id, nil)
            case .action(let identifier): (nil, identifier)
            }
        return .element(
            "input",
            [
                "type": "text", "class": "pn-field", "dir": "auto", "autocomplete": "off", "value": value,
                "placeholder": placeholder, "aria-label": placeholder.isEmpty ? "Text" : placeholder,
                "data-element": element, "data-text-of": action,
            ]
        )
    }

    private func picture(_ value: String, _ placeholder: String) -> Markup {
        let text = value.isEmpty ? placeholder : value
        return .element(
            "p",
            ["class": value.isEmpty ? "pn-field pn-dim" : "pn-field", "dir": "auto"],
            [.spoken(value.isEmpty ? "Empty text field: " : "Text field: "), .text(text)]
        )
    }
}
