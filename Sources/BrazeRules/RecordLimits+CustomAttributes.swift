public import JSON

extension RecordLimits {
    private static let place = RecordPlace("value")

    /// Checks a custom attribute.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - value: Its value, or a change of it; see ``AttributeChange``.
    /// - Throws: The first rule that it breaks.
    public func checkAttribute(key: String, value: JSON) throws(RecordError) {
        try check(attributeKey: key)
        switch value {
        case .null, .bool, .integer, .real: return
        case .string(let text): try check(text: text, "a text", "value")
        case .array(let array):
            // Braze limits the elements of an array of texts and numbers; of objects only the size.
            if !array.allSatisfy(isPlainObject) {
                try check(count: array.count, of: "an array attribute")
                try checkElements(of: array)
            }
            try check(value, in: .attribute, depth: depth)
        case .object(let object): try check(attribute: object, value)
        }
    }

    private func check(attributeKey key: String) throws(RecordError) {
        let place = RecordPlace("key")
        guard !key.isEmpty else { throw RecordError("a key must not be empty", place) }
        try check(text: key, "a key", "key")
        guard ReservedNames.ofAttributes.contains(key) else { return }
        if let member = ControlMember(rawValue: key) { throw RecordError(member.advice, place) }
        let advice = "save it with saveUserAttribute or pushhost save field"
        let text = "Braze treats the key \(key) as its standard field; \(advice)"
        throw RecordError(text, place)
    }

    /// Checks that an array holds texts, numbers, booleans and dates: Braze's arrays are flat, and not mixed with objects.
    private func checkElements(of array: JSON.Array) throws(RecordError) {
        guard let index = array.firstIndex(where: { $0.array != nil || isPlainObject($0) }) else { return }
        let text = "an array holds texts and numbers, or objects alone, not \(array[index].excerpt(80))"
        throw RecordError(text, Self.place).within(String(index))
    }

    /// Whether a value is an object other than a date.
    private func isPlainObject(_ value: JSON) -> Bool { value.object.map { $0["$time"] == nil } ?? false }

    private func check(count: Int, of what: String) throws(RecordError) {
        guard count > arrayElements else { return }
        throw RecordError("\(what) has at most \(arrayElements) elements, this one \(count)", Self.place)
    }

    // MARK: Objects

    private func check(attribute object: JSON.Object, _ value: JSON) throws(RecordError) {
        switch AttributeChange(value) {
        case .increment(let amount):
            try inside("inc") { () throws(RecordError) in try check(increment: amount) }
        case .elements:
            for (name, elements) in object {
                try inside(name) { () throws(RecordError) in try check(elements, of: name) }
            }
        case .objects: try check(changes: object)
        case .merge(let members):
            try inside("$merge") { () throws(RecordError) in try check(merged: members) }
        case .removal, nil:
            guard object["inc"] == nil || !object.allSatisfy({ Self.operators.contains($0.name) }) else {
                throw RecordError("inc must not stand beside add and remove", Self.place).within("inc")
            }
            try checkNested(object, depth: depth)
        }
    }

    private static let operators = ["inc"] + AttributeChange.elementOperators

    private func check(merged value: JSON) throws(RecordError) {
        guard let members = value.object, isPlainObject(value), AttributeChange(value) == nil else {
            throw RecordError("$merge takes an object of members, not \(value.excerpt(80))", Self.place)
        }
        try checkNested(members, depth: depth - 1)
    }

    private func check(increment value: JSON) throws(RecordError) {
        guard value.integer == nil else { return }
        throw RecordError("inc takes an integer, not \(value.excerpt(80))", Self.place)
    }

    private func check(_ elements: JSON, of change: String) throws(RecordError) {
        guard let array = elements.array, (1...arrayElements).contains(array.count) else {
            let found = elements.array.map { "this one has \($0.count)" } ?? "not \(elements.excerpt(80))"
            throw RecordError("\(change) takes an array of 1 to \(arrayElements) elements, \(found)", Self.place)
        }
        for (index, element) in array.enumerated() {
            try inside(String(index)) { () throws(RecordError) in
                switch element {
                case .string(let text): try check(text: text, "a text", "value")
                case .bool, .integer, .real: return
                case .null, .array, .object:
                    throw RecordError("\(change) takes texts and numbers, not \(element.excerpt(80))", Self.place)
                }
            }
        }
    }

    /// Checks an object within an attribute: a date, or members that Braze can store.
    func checkNested(_ object: JSON.Object, depth: Int) throws(RecordError) {
        if let time = object["$time"] {
            return try inside("$time") { () throws(RecordError) in
                guard object.count == 1, time.string.flatMap(BrazeDate.init)?.isStored == true else {
                    let text = "a date is {\"$time\": \"2026-01-01T00:00:00Z\"} alone, of the years 0 to 3000"
                    throw RecordError(text, Self.place)
                }
            }
        }
        try check(object, in: .attribute, depth: depth) { _, key in
            let isBad = key.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") }
            return isBad ? "a key within an object must not hold a space, . or $" : nil
        }
    }

    // MARK: Arrays of objects

    private func check(changes object: JSON.Object) throws(RecordError) {
        for (name, value) in object {
            try inside(name) { () throws(RecordError) in
                guard AttributeChange.objectOperators.contains(name) else {
                    throw RecordError("\(name) must not stand beside $add, $remove and $update", Self.place)
                }
                guard let array = value.array, !array.isEmpty else {
                    throw RecordError("\(name) takes an array of objects, not \(value.excerpt(80))", Self.place)
                }
                for (index, element) in array.enumerated() {
                    try inside(String(index)) { () throws(RecordError) in try check(element, ofOperator: name) }
                }
            }
        }
    }

    private func check(_ element: JSON, ofOperator name: String) throws(RecordError) {
        guard let object = element.object else {
            throw RecordError("\(name) takes objects, not \(element.excerpt(80))", Self.place)
        }
        guard name != "$add" else { return try checkNested(object, depth: depth - 2) }
        let members = ["$identifier_key", "$identifier_value"] + (name == "$update" ? ["$new_object"] : [])
        guard object.count == members.count, members.allSatisfy({ object[$0] != nil }) else {
            let text = "an element of \(name) has the members \(members.joined(separator: ", ")) and no other"
            throw RecordError(text, Self.place)
        }
        for (name, value) in object {
            try inside(name) { () throws(RecordError) in
                switch (name, value) {
                case ("$identifier_key", .string(let key)) where !key.isEmpty:
                    try check(text: key, "a key", "value")
                case ("$identifier_value", .string(let text)): try check(text: text, "a text", "value")
                case ("$identifier_value", .bool), ("$identifier_value", .integer), ("$identifier_value", .real): return
                case ("$new_object", .object(let new)): try checkNested(new, depth: depth - 3)
                default: throw RecordError("\(name) must not be \(value.excerpt(80))", Self.place)
                }
            }
        }
    }

    /// Runs a check of a member's value, and adds the member's name to the path of an error.
    func inside(_ step: String, _ body: () throws(RecordError) -> Void) throws(RecordError) {
        do throws(RecordError) {
            try body()
        } catch {
            throw error.within(step)
        }
    }
}

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

/// A set of reserved names, optimized for the lookup that every save of a custom attribute makes.
private struct ReservedNames {
    /// The names that no custom attribute may have.
    static let ofAttributes = ReservedNames(StandardField.names.union(ControlMember.allCases.map(\.rawValue)))

    private let names: Set<String>
    /// For each length in bytes, a bit set of the first bytes of the names, modulo 64; it rules out most keys without
    /// hashing them.
    private let firstBytes: [UInt64]

    init(_ names: Set<String>) {
        self.names = names
        var firstBytes = [UInt64](repeating: 0, count: (names.map(\.utf8.count).max() ?? 0) + 1)
        for name in names { firstBytes[name.utf8.count] |= Self.bit(of: name) }
        self.firstBytes = firstBytes
    }

    func contains(_ name: String) -> Bool {
        let count = name.utf8.count
        return count < firstBytes.count && firstBytes[count] & Self.bit(of: name) != 0 && names.contains(name)
    }

    private static func bit(of name: String) -> UInt64 { 1 << UInt64((name.utf8.first ?? 0) & 63) }
}
