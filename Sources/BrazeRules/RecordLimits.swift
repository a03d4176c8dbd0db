public import JSON

/// Braze's limits on the size of records (braze.com, "User attributes object", "Event object", "Nested custom
/// attributes").
///
/// The defaults are the strict values where Braze's documents or contracts differ. The checks are methods of this
/// value, so every rule is applied with the caller's limits: the host uses its options when a record is
/// captured, the bundle `braze` with ``widest`` before it sends one.
public struct RecordLimits: Equatable, Sendable {
    /// The maximum length of names, keys and texts, in Unicode scalars, which Braze counts as characters.
    public var characters = 255
    /// The maximum number of properties of an event.
    public var properties = 256
    /// The maximum size of an event's properties, or of an attribute's value, in bytes of JSON.
    ///
    /// The suite measures it when it stores the value.
    public var valueBytes = 50 << 10
    /// The maximum number of elements of an array attribute, and of a change of one.
    public var arrayElements = 25
    /// The maximum nesting depth of values; a limit of this program.
    public var depth = 512

    /// The strict limits.
    public init() {}

    // MARK: Options

    /// The allowed range of ``valueBytes``: older documents say 50 KB, newer ones 100 KB.
    public static let valueBytesRange = 1...(1 << 20)
    /// The allowed range of ``arrayElements``: older documents say 25, newer ones 500.
    public static let arrayElementsRange = 1...500

    /// The widest limits that can be chosen.
    ///
    /// A record that was captured under any limits also satisfies these.
    public static let widest: RecordLimits = {
        var limits = RecordLimits()
        limits.valueBytes = valueBytesRange.upperBound
        limits.arrayElements = arrayElementsRange.upperBound
        return limits
    }()
}

/// The place of an error in a record: a parameter of the method that saves it, or a member of its value at any depth.
public struct RecordPlace: Equatable, Sendable {
    /// The parameter: `name`, `properties`, `key`, `value`, `field` or `user`.
    public let parameter: String
    /// The names and indices that lead from the parameter's value to the member.
    public internal(set) var steps: [String]

    /// A place.
    public init(_ parameter: String, _ steps: String...) {
        self.parameter = parameter
        self.steps = steps
    }
}

/// Why Braze would reject a record.
public struct RecordError: Error, Equatable {
    /// A sentence without a full stop.
    public let text: String
    /// The place of the error.
    public private(set) var place: RecordPlace
    /// Whether the error concerns the parameter as a whole, so that ``within(_:)`` must not add a step.
    private let isPinned: Bool

    /// An error.
    public init(_ text: String, _ place: RecordPlace) { self.init(text, place, isPinned: false) }

    init(_ text: String, _ place: RecordPlace, isPinned: Bool) {
        self.text = text
        self.place = place
        self.isPinned = isPinned
    }

    /// The same error, with a step put before the steps of its place.
    ///
    /// The steps are collected only while an error propagates, so they cost nothing for a valid record.
    func within(_ step: String) -> RecordError {
        var error = self
        if !isPinned { error.place.steps.insert(step, at: 0) }
        return error
    }
}

// Every save runs these checks. For speed they visit each value once, check texts without copying them, and build the
// path to a member only if the member is invalid.

extension RecordLimits {
    /// Checks an event.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: Its properties, if it has any.
    /// - Throws: The first rule that it breaks.
    public func checkEvent(name: String, properties: JSON.Object?) throws(RecordError) {
        guard !name.isEmpty else { throw RecordError("the event's name must not be empty", RecordPlace("name")) }
        try check(text: name, "the event's name", "name")
        guard let properties else { return }
        guard properties.count <= self.properties else {
            let text = "an event has at most \(self.properties) properties, this one \(properties.count)"
            throw RecordError(text, RecordPlace("properties"))
        }
        try check(properties, in: .properties, depth: depth) { member, key in
            if let problem = Self.problem(ofKey: key) { return problem }
            guard !member.isNamed("time"), !member.isNamed("event_name") else {
                return "the property name \(member.name) is reserved by Braze; use another one"
            }
            return nil
        }
    }

    /// What is wrong with a key of an event's properties, at any depth.
    private static func problem(ofKey key: UnsafeRawBufferPointer) -> String? {
        key.first == UInt8(ascii: "$") ? "a key must not begin with $" : nil
    }

    // MARK: Texts

    func check(text: String, _ what: String, _ parameter: String) throws(RecordError) {
        // A text never has more scalars than bytes, so most texts are not counted.
        guard text.utf8.count > characters, text.unicodeScalars.count > characters else { return }
        let count = text.unicodeScalars.count
        throw RecordError("\(what) has at most \(characters) characters, this one \(count)", RecordPlace(parameter))
    }

    private func check(text: UnsafeRawBufferPointer, _ what: String, _ parameter: String) throws(RecordError) {
        guard text.count > characters else { return }
        try check(text: String(decoding: text, as: UTF8.self), what, parameter)
    }

    // MARK: Trees

    /// The kind of record that a tree of values belongs to.
    enum Tree {
        /// An event's properties.
        case properties
        /// A custom attribute, for which Braze is stricter: one wrong member drops the whole update.
        case attribute

        /// The parameter that contains the tree.
        var parameter: String {
            switch self {
            case .properties: "properties"
            case .attribute: "value"
            }
        }
    }

    /// Checks the members of an object and their descendants; `checkKey` returns what else is wrong with a key.
    func check(
        _ object: JSON.Object,
        in tree: Tree,
        depth: Int,
        checkKey: (JSON.Object.Member, UnsafeRawBufferPointer) -> String?
    ) throws(RecordError) {
        guard depth > 0 else { throw tooDeep(tree) }
        var found: RecordError?
        object.visit { member in
            guard found == nil else { return }
            do throws(RecordError) {
                let key = member.nameBytes
                guard !key.isEmpty else { throw RecordError("a key must not be empty", RecordPlace(tree.parameter)) }
                if let text = checkKey(member, key) { throw RecordError(text, RecordPlace(tree.parameter)) }
                try check(text: key, "a key", tree.parameter)
                try check(member, in: tree, depth: depth - 1, isNested: depth < self.depth)
            } catch {
                found = error.within(member.name)
            }
        }
        if let found { throw found }
    }

    private func check(
        _ member: JSON.Object.Member,
        in tree: Tree,
        depth: Int,
        isNested: Bool
    ) throws(RecordError) {
        guard let text = member.textBytes else { return try check(member.value, in: tree, depth: depth) }
        try check(text: text, "a text", tree.parameter)
        if isNested, case .properties = tree { try checkDate(text, in: tree) }
    }

    /// Checks a value of an array or an object, and its descendants.
    func check(_ value: JSON, in tree: Tree, depth: Int) throws(RecordError) {
        switch value {
        case .bool, .integer, .real: return
        case .null:
            guard case .attribute = tree else { return }
            let text = "a value within an attribute must not be null; Braze drops the whole update"
            throw RecordError(text, RecordPlace(tree.parameter))
        case .string(let text): try check(text: text, "a text", tree.parameter)
        case .array(let array):
            guard depth > 0 else { throw tooDeep(tree) }
            for (index, element) in array.enumerated() {
                do throws(RecordError) {
                    if case .properties = tree { try checkElement(element) }
                    try check(element, in: tree, depth: depth - 1)
                } catch {
                    throw error.within(String(index))
                }
            }
        case .object(let object):
            switch tree {
            case .properties: try check(object, in: tree, depth: depth) { _, key in Self.problem(ofKey: key) }
            case .attribute: try checkNested(object, depth: depth)
            }
        }
    }

    /// Braze takes dates with a time of day as properties and in objects, but not in arrays.
    private func checkElement(_ element: JSON) throws(RecordError) {
        guard case .string(let text) = element, BrazeDate(text)?.hasTime == true else { return }
        let message = "Braze takes no time in an array of an event, such as \(text): make it a property of its own"
        throw RecordError(message, RecordPlace("properties"))
    }

    /// Braze does not store a nested date outside these years; a text that is not a date is an ordinary string.
    private func checkDate(_ text: UnsafeRawBufferPointer, in tree: Tree) throws(RecordError) {
        let text = String(decoding: text, as: UTF8.self)
        guard let date = BrazeDate(text), !date.isInStoredYears else { return }
        let range = "\(BrazeDate.years.lowerBound) to \(BrazeDate.years.upperBound)"
        throw RecordError("Braze stores dates of the years \(range), not \(text)", RecordPlace(tree.parameter))
    }

    private func tooDeep(_ tree: Tree) -> RecordError {
        RecordError("a value nests at most \(depth) deep", RecordPlace(tree.parameter), isPinned: true)
    }
}
