public import JSON

/// A value that changes a custom attribute instead of replacing it, so that the order of several changes matters.
public enum AttributeChange: Equatable, Sendable {
    /// `null`, which removes the attribute.
    case removal
    /// `{"inc": 1}`
    case increment(by: JSON)
    /// `{"add": […]}`, `{"remove": […]}` or both, which change an array of texts and numbers.
    case elements
    /// `{"$add": […]}`, `{"$remove": […]}` and `{"$update": […]}`, which change an array of objects.
    case objects
    /// `{"$merge": {…}}`: the object is merged into the current one.
    ///
    /// Braze has no such operator, but asks for it beside the attribute, with `_merge_objects`.
    case merge(JSON)

    /// The members that change an array of texts and numbers.
    static let elementOperators = ["add", "remove"]
    /// The members that change an array of objects.
    static let objectOperators = ["$add", "$remove", "$update"]

    /// Reads a value as a change; `nil` if it is the attribute's new value.
    public init?(_ value: JSON) {
        if value.isNull {
            self = .removal
            return
        }
        guard let object = value.object, !object.isEmpty else { return nil }
        if object.count == 1, let amount = object["inc"] {
            self = .increment(by: amount)
        } else if object.count == 1, let members = object["$merge"] {
            self = .merge(members)
        } else if object.allSatisfy({ Self.elementOperators.contains($0.name) }) {
            self = .elements
        } else if Self.objectOperators.contains(where: { object[$0] != nil }) {
            self = .objects
        } else {
            return nil
        }
    }
}
