internal import JSON

/// A key-value pair that an extension reads from `userInfo`, as its bundle declares it.
package struct UserInfoKey: Equatable, Sendable {
    /// What the value must be; the values of Braze's key-value pairs are strings, also those that spell a number.
    package enum ValueType: String, CaseIterable, Sendable {
        case string
        /// A string that spells an integer of 64 bits.
        case integer
        /// A string that spells a finite number.
        case number
        /// A string that is `true` or `false`.
        case boolean
        /// A string with an absolute URL.
        case url
        case array
        case object
    }

    /// The key; a JSON Pointer if it begins with `/`; `#` stands for a number from 1 on.
    package let name: String
    package let type: ValueType
    package let isRequired: Bool
    /// A value that is right.
    package let example: String

    package init(_ name: String, _ type: ValueType, isRequired: Bool = true, example: String) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.example = example
    }

    /// Whether the example is a value of the type; that of an array or an object is its JSON.
    package var isExampleRight: Bool {
        switch type {
        case .array, .object: (try? JSON(parsing: example)).map(type.accepts) ?? false
        default: type.accepts(.string(example))
        }
    }

    /// The example as it is written in a payload.
    var writtenExample: String { [.array, .object].contains(type) ? example : JSON.string(example).description }

    /// Whether the name is a JSON Pointer to a value inside a member.
    package var isPointer: Bool { name.hasPrefix("/") }

    /// The number for which the key of a payload was written; nil if this name has no `#` or does not fit.
    func number(of key: String) -> Int? {
        guard let place = name.firstIndex(of: "#") else { return nil }
        let prefix = name[..<place], suffix = name[name.index(after: place)...]
        guard key.hasPrefix(prefix), key.hasSuffix(suffix), key.count > prefix.count + suffix.count else { return nil }
        return Self.number(key.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// The number with which the keys of a payload begin that have this name's text before its `#`.
    func numberAtPrefix(of key: String) -> Int? {
        guard let place = name.firstIndex(of: "#"), key.hasPrefix(name[..<place]) else { return nil }
        return Self.number(key.dropFirst(name[..<place].count).prefix { $0.isASCII && $0.isNumber })
    }

    /// The key for a number.
    func name(_ number: Int) -> String {
        guard let place = name.firstIndex(of: "#") else { return name }
        return name.replacingCharacters(place, with: String(number))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), !digits.hasPrefix("0") else { return nil }
        return Int(digits)
    }
}

extension UserInfoKey.ValueType {
    /// What the value must be, for people.
    var needed: String {
        switch self {
        case .string: "a string"
        case .integer: "a string that spells an integer"
        case .number: "a string that spells a number"
        case .boolean: "the string \"true\" or \"false\""
        case .url: "a string with an absolute URL"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether a value is what the type needs.
    func accepts(_ value: JSON) -> Bool {
        switch self {
        case .string: value.string != nil
        case .integer: value.string.flatMap { Int64($0) } != nil
        case .number: value.string.flatMap { Double($0) }?.isFinite == true
        case .boolean: value == "true" || value == "false"
        case .url: value.string?.wholeMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+/#) != nil
        case .array: value.array != nil
        case .object: value.object != nil
        }
    }

    /// Whether the value would be right if it were written as a string.
    func acceptsAsText(_ value: JSON) -> Bool {
        (value.number != nil || value.bool != nil) && accepts(.string(value.description))
    }
}

extension String {
    fileprivate func replacingCharacters(_ place: Index, with text: String) -> String {
        String(self[..<place]) + text + self[index(after: place)...]
    }
}
