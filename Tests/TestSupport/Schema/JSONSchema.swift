public import JSON

/// A parsed JSON Schema: draft 7, and the part of draft 2020-12 that is the same.
///
/// Unlike the drafts, it does not ignore unknown keywords and formats: they are
/// errors when the schema is parsed.
public final class JSONSchema: Sendable {
    let rule: SchemaRule

    /// Reads the schema at a location in a document.
    ///
    /// - Parameters:
    ///   - document: The document to which `#/…` references in the schema refer.
    ///   - pointer: A JSON Pointer to the schema; the document itself by default.
    ///   - others: Further documents, by the URIs that references use.
    /// - Throws: A ``SchemaError`` for a schema that cannot be checked.
    public init(_ document: JSON, at pointer: String = "", others: [String: JSON] = [:]) throws {
        rule = try SchemaReader(document, others: others).rule(at: pointer)
    }

    /// Reads a schema with the reader of its document, which caches what it has read.
    init(_ reader: SchemaReader, at pointer: String) throws { rule = try reader.rule(at: pointer) }

    /// Every violation of the schema by a value; empty if the value is valid.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isClosed: Whether an object may only have members that the schema names, wherever it has
    ///     `properties` without `additionalProperties`. All schemas that apply to one object count together.
    /// - Returns: One finding for each location and keyword.
    public func findings(in value: JSON, isClosed: Bool = false) -> [SchemaFinding] {
        var check = SchemaCheck(isClosed: isClosed)
        check.check(value, rule)
        return check.findings
    }
}

/// One violation of a schema by a value.
public struct SchemaFinding: Equatable, Sendable, CustomStringConvertible {
    /// A JSON Pointer to the part of the value.
    public let instance: String
    /// A JSON Pointer to the keyword of the schema.
    public let schema: String
    /// What is wrong with the part.
    public let sentence: String

    /// The path, the sentence and the keyword.
    public var description: String { "\(instance.isEmpty ? "it" : instance) \(sentence) (\(schema))" }
}

/// Why and where a schema cannot be read.
public struct SchemaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A JSON Pointer to the invalid part, preceded by the document's URI if it is another document.
    public let location: String
    /// What is wrong.
    public let sentence: String

    /// The location and the sentence.
    public var description: String { "the schema at \(location.isEmpty ? "the root" : location) \(sentence)" }
}

/// The steps of a JSON Pointer.
enum JSONPointer {
    /// A step with the escapes of a pointer.
    static func escape(_ step: String) -> String {
        guard step.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return step }
        return step.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The value to which a pointer refers.
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
