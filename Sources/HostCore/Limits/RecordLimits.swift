internal import JSON

/// Braze's limits on what may be saved (braze.com, "User attributes object", "Event
/// object", "Nested custom attributes"); the strict value where its documents differ.
///
/// Every save passes here, so a record is walked once, its texts are judged where they
/// lie, and the path to a member is made only where the member is wrong.
public struct RecordLimits: Sendable {
    /// The greatest length of names, keys and texts in characters, as Braze counts.
    public var characters = 255
    /// The greatest number of properties of an event.
    public var properties = 256
    /// The greatest size of an event's properties, or of an attribute, in bytes; judged when they are stored.
    public var bytes = 50 << 10
    /// The greatest number of elements of an array attribute.
    public var elements = 25
    /// How deep values may nest.
    public var depth = 512

    /// The strict limits.
    public init() {}

    func checkEvent(name: String, properties: JSON.Object?) throws(RecordProblem) {
        try check(text: name, "the event's name", "name")
        guard let properties else { return }
        guard properties.count <= self.properties else {
            let text = "an event has at most \(self.properties) properties, this one \(properties.count)"
            throw RecordProblem(text, RecordPlace("properties"))
        }
        try check(properties, in: .properties("properties"), depth: depth) { member, key in
            guard key.first != UInt8(ascii: "$") else { return "a key must not begin with $" }
            guard !member.isNamed("time"), !member.isNamed("event_name") else {
                return "the property name \(member.name) is reserved by Braze; use another one"
            }
            return nil
        }
    }

    // MARK: Texts

    func check(text: String, _ what: String, _ parameter: String) throws(RecordProblem) {
        // Characters are never more than bytes, so most texts are not counted.
        guard text.utf8.count > characters, text.unicodeScalars.count > characters else { return }
        throw tooLong(what, text.unicodeScalars.count, parameter)
    }

    private func check(text: UnsafeRawBufferPointer, _ what: String, _ parameter: String) throws(RecordProblem) {
        guard text.count > characters else { return }
        try check(text: String(decoding: text, as: UTF8.self), what, parameter)
    }

    private func tooLong(_ what: String, _ count: Int, _ parameter: String) -> RecordProblem {
        RecordProblem("\(what) has at most \(characters) characters, this one \(count)", RecordPlace(parameter))
    }

    // MARK: Trees

    /// What a tree of values belongs to, with the parameter that holds it.
    enum Tree {
        /// An event's properties.
        case properties(String)
        /// A custom attribute, where Braze is stricter: one wrong member drops the whole update.
        case attribute(String)

        var parameter: String {
            switch self {
            case .properties(let parameter), .attribute(let parameter): parameter
            }
        }
    }

    /// Judges the members of an object, and all below them; `judgeKey` says what else is wrong with a key.
    func check(
        _ object: JSON.Object,
        in tree: Tree,
        depth: Int,
        judgeKey: (JSON.Object.Member, UnsafeRawBufferPointer) -> String?
    ) throws(RecordProblem) {
        guard depth > 0 else { throw tooDeep(tree) }
        var found: RecordProblem?
        object.visit { member in
            guard found == nil else { return }
            do throws(RecordProblem) {
                let key = member.nameBytes
                guard !key.isEmpty else { throw RecordProblem("a key must not be empty", RecordPlace(tree.parameter)) }
                if let text = judgeKey(member, key) { throw RecordProblem(text, RecordPlace(tree.parameter)) }
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
    ) throws(RecordProblem) {
        guard let text = member.textBytes else { return try check(member.value, in: tree, depth: depth) }
        try check(text: text, "a text", tree.parameter)
        if isNested, case .properties = tree { try checkDate(text, in: tree) }
    }

    /// Judges a value that stands in an array or an object, and all below it.
    func check(_ value: JSON, in tree: Tree, depth: Int) throws(RecordProblem) {
        switch value {
        case .bool, .integer, .real: return
        case .null:
            guard case .attribute(let parameter) = tree else { return }
            let text = "a value within an attribute must not be null; Braze drops the whole update"
            throw RecordProblem(text, RecordPlace(parameter))
        case .string(let text): try check(text: text, "a text", tree.parameter)
        case .array(let array):
            guard depth > 0 else { throw tooDeep(tree) }
            for (index, element) in array.enumerated() {
                do throws(RecordProblem) {
                    try check(element, in: tree, depth: depth - 1)
                } catch {
                    throw error.within(String(index))
                }
            }
        case .object(let object):
            switch tree {
            case .properties: try check(object, in: tree, depth: depth) { _, _ in nil }
            case .attribute: try checkNested(object, in: tree, depth: depth)
            }
        }
    }

    /// Braze does not store a nested date of another year; what is no date is a text like any other.
    private func checkDate(_ text: UnsafeRawBufferPointer, in tree: Tree) throws(RecordProblem) {
        let text = String(decoding: text, as: UTF8.self)
        guard let date = LooseDate(text), !date.isStored else { return }
        throw RecordProblem("Braze stores dates of the years 0 to 3000, not \(text)", RecordPlace(tree.parameter))
    }

    private func tooDeep(_ tree: Tree) -> RecordProblem {
        RecordProblem("a value nests at most \(depth) deep", RecordPlace(tree.parameter), isPinned: true)
    }
}
