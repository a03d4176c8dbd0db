public import JSON

/// A value that changes a custom attribute instead of replacing it, so that the order of several changes matters.
public enum AttributeChange: Equatable, Sendable {
    /// `null`, which removes the attribute.
    case removal
    /// `{"inc": 1}`
    case increment(by: JSON)
    /// `{"add": […]}`
    case add(JSON)
    /// `{"remove": […]}`
    case remove(JSON)
    /// `{"$add": […]}`, `{"$remove": […]}` and `{"$update": […]}`, which change an array of objects.
    case objects

    /// The members that change an array of objects.
    static let objectOperators = ["$add", "$remove", "$update"]

    /// Reads a value as a change; `nil` if it is the attribute's new value.
    public init?(_ value: JSON) {
        if value.isNull {
            self = .removal
            return
        }
        guard let object = value.object else { return nil }
        if object.count == 1 {
            if let amount = object["inc"] {
                self = .increment(by: amount)
                return
            }
            if let elements = object["add"] {
                self = .add(elements)
                return
            }
            if let elements = object["remove"] {
                self = .remove(elements)
                return
            }
        }
        guard Self.objectOperators.contains(where: { object[$0] != nil }) else { return nil }
        self = .objects
    }
}
