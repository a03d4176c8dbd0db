public import JSON

/// A JSON Schema that was read: draft 7, and what draft 2020-12 shares with it.
///
/// It is strict where the drafts are lenient: a keyword or a format that it does
/// not know is an error when it is read, never something that always holds.
public final class JSONSchema: Sendable {
    let rule: SchemaRule

    /// Reads the schema at a place of a document.
    ///
    /// - Parameters:
    ///   - document: What a `#/…` of the schema leads into.
    ///   - pointer: A JSON Pointer to the schema; the document itself is one where absent.
    ///   - others: Documents that references name by URI, by that.
    /// - Throws: What cannot be checked, as a ``SchemaError``.
    public init(_ document: JSON, at pointer: String = "", others: [String: JSON] = [:]) throws {
        rule = try SchemaReader(document, others: others).rule(at: pointer)
    }

    /// Reads a schema with the reader of its document, which remembers what it has read.
    init(_ reader: SchemaReader, at pointer: String) throws { rule = try reader.rule(at: pointer) }

    /// Everything in which a value does not fit; nothing where it fits.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isClosed: Whether an object may have only members that the schema names, wherever that has
    ///     `properties` without saying `additionalProperties`. All schemas that hold of one object count together.
    /// - Returns: One finding a place and keyword.
    public func findings(in value: JSON, isClosed: Bool = false) -> [SchemaFinding] {
        var check = SchemaCheck(isClosed: isClosed)
        check.check(value, rule)
        return check.findings
    }
}

/// One thing in which a value does not fit a schema.
public struct SchemaFinding: Equatable, Sendable, CustomStringConvertible {
    /// A JSON Pointer to the part of the value.
    public let instance: String
    /// A JSON Pointer to the keyword of the schema.
    public let schema: String
    /// What is wrong with the part.
    public let sentence: String

    /// All three, for people.
    public var description: String { "\(instance.isEmpty ? "it" : instance) \(sentence) (\(schema))" }
}

/// Why a schema cannot be read: where, and what is wrong there.
public struct SchemaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A JSON Pointer to what cannot be read, behind the document's URI where that is another.
    public let location: String
    /// What is wrong.
    public let sentence: String

    /// Both, for people.
    public var description: String { "the schema at \(location.isEmpty ? "the root" : location) \(sentence)" }
}

/// A JSON Pointer's steps.
enum JSONPointer {
    /// A step as a pointer spells it.
    static func escape(_ step: String) -> String {
        guard step.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return step }
        return step.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The value that a pointer leads to.
    static func value(at pointer: String, in document: JSON) -> JSON? {
        guard !pointer.isEmpty else { return document }
        guard pointer.hasPrefix("/") else { return nil }
        var value = document
        for step in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = String(step.replacing("~1", with: "/").replacing("~0", with: "~"))
            guard let next = value[name] ?? Int(name).flatMap({ (index: Int) in value[index] }) else { return nil }
            value = next
        }
        return value
    }
}
