public import JSON

/// A type that a JSON value must have: how to read it, and how to describe it in an error.
public struct ExpectedValue<Value>: Sendable {
    /// What the value must be, with its article, such as `a string`.
    ///
    /// Built only when an error needs it.
    public var description: String { describe() }
    private let describe: @Sendable () -> String
    /// The value read, or nil if the JSON is something else.
    public let read: @Sendable (JSON) -> Value?
    /// `array` or `object` if the description is about the content of such a container; nil for other values.
    ///
    /// An error about the content does not repeat the type, which is right.
    private let container: String?

    /// An expectation.
    ///
    /// - Parameters:
    ///   - description: What the value must be, with its article.
    ///   - container: `array` or `object` if the description is about the content of such a container.
    ///   - read: Reads the value; nil if the JSON is something else.
    public init(
        _ description: @autoclosure @escaping @Sendable () -> String,
        of container: String? = nil,
        _ read: @escaping @Sendable (JSON) -> Value?
    ) {
        describe = description
        self.container = container
        self.read = read
    }

    /// What is wrong with a value that could not be read, as the end of a sentence.
    ///
    /// - Parameter found: The value; nil if it is absent.
    /// - Returns: For example `must be a string, it is 7`.
    func problem(_ found: JSON?) -> String {
        // The type is right and the content is wrong: "must be an array of strings, it is array" would mislead.
        if let found, found.typeName == container { return "must be \(description)" }
        return MemberError.problem(mustBe: description, found)
    }
}

extension ExpectedValue where Value == JSON {
    /// A value of any type for which a condition holds.
    public static func any(
        _ description: @autoclosure @escaping @Sendable () -> String,
        of container: String? = nil,
        where isValid: @escaping @Sendable (JSON) -> Bool
    ) -> Self {
        Self(description(), of: container) { isValid($0) ? $0 : nil }
    }
}

extension ExpectedValue where Value == String {
    /// A string.
    public static var string: Self { Self("a string") { $0.string } }

    /// A non-empty string.
    public static var nonEmptyString: Self {
        Self("a non-empty string") { value in value.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// A string that serves as a name: not empty and without U+0000.
    public static var name: Self {
        Self("a non-empty string without U+0000") { value in
            guard var text = value.string, !text.isEmpty, !text.withUTF8({ $0.contains(0) }) else { return nil }
            return text
        }
    }
}

extension ExpectedValue where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the cases of an enumeration, by its raw value.
    public static var choice: Self {
        let known = Dictionary(uniqueKeysWithValues: Value.allCases.map { ($0.rawValue, $0) })
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return Self("one of \(words)") { $0.string.flatMap { known[$0] } }
    }
}

extension ExpectedValue where Value == [String] {
    /// An array of strings.
    public static var strings: Self {
        Self("an array of strings", of: "array") { value in
            guard let array = value.array else { return nil }
            let texts = array.compactMap(\.string)
            return texts.count == array.count ? texts : nil
        }
    }

    /// An array whose elements are all among the given words; repetitions are allowed.
    public static func words(_ known: [String]) -> Self {
        Self("an array of these words: \(known.joined(separator: ", "))", of: "array") { value in
            guard let words = strings.read(value), words.allSatisfy(known.contains) else { return nil }
            return words
        }
    }
}

extension ExpectedValue where Value == Bool {
    /// A boolean.
    public static var bool: Self { Self("a boolean") { $0.bool } }
}

extension ExpectedValue where Value == Int64 {
    /// An integer within bounds.
    public static func integer(in range: ClosedRange<Int64>) -> Self {
        Self("an integer from \(range.lowerBound) to \(range.upperBound)") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ExpectedValue where Value == JSON.Object {
    /// An object.
    public static var object: Self { Self("an object") { $0.object } }
}

extension ExpectedValue where Value == JSON.Array {
    /// An array.
    public static var array: Self { Self("an array") { $0.array } }
}
