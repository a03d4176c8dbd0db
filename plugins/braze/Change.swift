import JSON

/// A value that changes an attribute instead of being all of it, so that its place among others counts.
enum Change: Equatable {
    /// `null`: the attribute goes.
    case removal
    /// `{"inc": 1}`
    case increment
    /// `{"add": […]}` or `{"remove": […]}`
    case elements
    /// `{"$add": […]}` and its peers, on an array of objects.
    case objects

    /// The change that a value is, or `nil` where it is the attribute's new value.
    init?(_ value: JSON, _ key: String, _ limits: ValueLimits) throws(Unsendable) {
        if value.isNull {
            self = .removal
            return
        }
        guard let object = value.object else { return nil }
        if object.contains(where: { ["$add", "$remove", "$update"].contains($0.name) }) {
            self = .objects
        } else if object.count == 1, let amount = object["inc"] {
            guard amount.integer != nil else {
                throw .rejected("inc of \(key) must be an integer, it is \(amount)")
            }
            self = .increment
        } else if object.count == 1, let elements = object["add"] ?? object["remove"], let array = elements.array {
            guard (1...limits.elements).contains(array.count) else {
                throw .rejected("a change of \(key) names 1 to \(limits.elements) elements, this one \(array.count)")
            }
            self = .elements
        } else {
            return nil
        }
    }
}
