public import JSON

/// Reads the members of one JSON object and says which of them is wrong, and where.
///
/// Strict reading throws: `optional`, `required`, `objects`. Lenient reading, with
/// `valid`, ignores a wrong value and reports it. What a wrong value becomes, the
/// error of a call or of an extension's reply, is decided when the reader is made.
public struct MemberReader<Failure: Error> {
    /// The object.
    public let object: JSON.Object
    /// A JSON Pointer from where the reading began to the object; empty if it began here.
    public let pointer: String
    private let failure: (MemberError) -> Failure

    /// Reads a value as an object.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - pointer: A JSON Pointer to it, from where the reading began.
    ///   - failure: Makes the error that the reader throws.
    /// - Throws: The error for a value that is not an object.
    public init(
        _ value: JSON,
        pointer: String = "",
        failure: @escaping (MemberError) -> Failure
    ) throws(Failure) {
        guard let object = value.object else {
            throw failure(MemberError(pointer, ExpectedValue.object.problem(value)))
        }
        self.init(object, pointer: pointer, failure: failure)
    }

    /// Reads an object.
    public init(_ object: JSON.Object, pointer: String = "", failure: @escaping (MemberError) -> Failure) {
        self.object = object
        self.pointer = pointer
        self.failure = failure
    }

    /// A JSON Pointer to a member, from where the reading began.
    public func pointer(_ name: String) -> String { "\(pointer)/\(JSONPointer.escape(name))" }

    // MARK: Strict

    /// A member that may be absent.
    ///
    /// - Throws: The error for a member of another type, also for `null`.
    public func optional<Value>(_ name: String, _ expected: ExpectedValue<Value>) throws(Failure) -> Value? {
        guard let value = object[name] else { return nil }
        guard let result = expected.read(value) else {
            throw failure(error(name, expected, value))
        }
        return result
    }

    /// A member that must be present.
    ///
    /// - Throws: The error for a member that is absent or of another type.
    public func required<Value>(_ name: String, _ expected: ExpectedValue<Value>) throws(Failure) -> Value {
        guard let value = try optional(name, expected) else {
            throw failure(error(name, expected, nil))
        }
        return value
    }

    /// A reader of a member that is an object; nil if it is absent.
    public func member(_ name: String) throws(Failure) -> MemberReader? {
        guard let value = object[name] else { return nil }
        return try MemberReader(value, pointer: pointer(name), failure: failure)
    }

    /// A reader for each element of a member that is an array of objects and may be absent.
    public func objects(_ name: String) throws(Failure) -> [MemberReader]? {
        guard let array = try optional(name, .array) else { return nil }
        return try Self.list(array, pointer: pointer(name), failure: failure)
    }

    /// A reader for each element of an array of objects.
    ///
    /// - Parameters:
    ///   - array: The array.
    ///   - pointer: A JSON Pointer to it, from where the reading began.
    ///   - failure: Makes the error that the readers throw.
    /// - Returns: The readers in the array's order.
    /// - Throws: The error for an element that is not an object.
    public static func list(
        _ array: JSON.Array,
        pointer: String = "",
        failure: @escaping (MemberError) -> Failure
    ) throws(Failure) -> [MemberReader] {
        var readers: [MemberReader] = []
        for (index, value) in array.enumerated() {
            readers.append(try MemberReader(value, pointer: "\(pointer)/\(index)", failure: failure))
        }
        return readers
    }

    /// The error for a rule about the object as a whole.
    public func error(_ problem: String) -> Failure { failure(MemberError(pointer, problem)) }

    // MARK: Lenient

    /// A member of an expected type; one of another type is reported and ignored.
    ///
    /// - Parameters:
    ///   - name: The member.
    ///   - expected: What it must be.
    ///   - report: Called with the error for a wrong value.
    /// - Returns: The value, or nil.
    public func valid<Value>(
        _ name: String,
        _ expected: ExpectedValue<Value>,
        report: (MemberError) -> Void
    ) -> Value? {
        guard let value = object[name] else { return nil }
        guard let result = expected.read(value) else {
            report(error(name, expected, value))
            return nil
        }
        return result
    }

    private func error<Value>(_ name: String, _ expected: ExpectedValue<Value>, _ found: JSON?) -> MemberError {
        MemberError(pointer(name), name: name, expected.problem(found))
    }
}

/// What is wrong with a value that a ``MemberReader`` read.
public struct MemberError: Error, Equatable {
    /// A JSON Pointer to the value, from where the reading began; empty for the value that was read as a whole.
    public let pointer: String
    /// The name of the member; nil for an element, and for the value that was read as a whole.
    public let name: String?
    /// What is wrong, as the end of a sentence, such as `must be a string, it is 7`.
    public let problem: String

    /// An error.
    public init(_ pointer: String, name: String? = nil, _ problem: String) {
        self.pointer = pointer
        self.name = name
        self.problem = problem
    }

    /// The sentence with the place of the value, for a message that stands alone.
    ///
    /// - Parameter whole: What to call the value that was read as a whole.
    /// - Returns: For example `actions/0/title must be a non-empty string, it is 7`.
    public func text(whole: String) -> String {
        "\(pointer.isEmpty ? whole : String(pointer.dropFirst())) \(problem)"
    }

    /// The sentence with the name of the member, for a message whose path is beside it.
    ///
    /// - Parameter whole: What to call the value that was read as a whole.
    /// - Returns: For example `title must be a non-empty string, it is 7`.
    public func shortText(whole: String) -> String {
        name.map { "\($0) \(problem)" } ?? text(whole: whole)
    }

    /// What is wrong with a value, as the end of a sentence; `found` is nil if it is absent.
    static func problem(mustBe expected: String, _ found: JSON?) -> String {
        let found =
            switch found {
            case nil: "is absent"
            // A container may have megabytes.
            case .some(.array), .some(.object), .some(.null): "is \(found?.typeName ?? "")"
            case .some(let scalar): "is \(scalar.excerpt())"
            }
        return "must be \(expected), it \(found)"
    }
}

extension MemberReader<RPCError> {
    /// Reads a value of a call's params as an object.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: A JSON Pointer to it in the request.
    ///   - name: What to call the value, with its article.
    /// - Throws: -32602 for a value that is no object; the reader throws it too, with the path of the wrong value.
    public init(param value: JSON, path: String, whole name: String) throws(RPCError) {
        try self.init(value) { .invalidParams(path: path + $0.pointer, $0.shortText(whole: name)) }
    }
}

extension MemberReader<MemberError> {
    /// Reads an object leniently, or with the errors as they are.
    public init(_ object: JSON.Object, pointer: String = "") {
        self.init(object, pointer: pointer) { $0 }
    }
}

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
