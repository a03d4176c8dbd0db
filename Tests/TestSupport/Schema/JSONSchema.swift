import Foundation
public import JSON

/// A JSON Schema, checked by Debian's `python3-jsonschema`.
///
/// Unlike the drafts, it does not ignore unknown keywords and formats: they are
/// errors when the schema is read.
public final class JSONSchema: Sendable {
    private let document: SchemaDocument
    private let pointer: String
    /// The pointer as JSON.
    private let name: String

    /// Reads a schema.
    ///
    /// - Throws: What is wrong with the schema, or that the Python package is missing.
    public convenience init(_ schema: JSON) throws { try self.init(SchemaDocument(schema), at: "") }

    /// Reads the schema at a JSON Pointer in a document, to which `#/…` in the schema refers.
    init(_ document: SchemaDocument, at pointer: String) throws {
        (self.document, self.pointer, name) = (document, pointer, JSON.string(pointer).description)
        let answer = try SchemaValidator.shared.get().answer(#"{"read":\#(document.number),"at":\#(name)}"#)
        if let problem = answer.string { throw TestFailure("the schema at \(pointer) \(problem)") }
    }

    /// Every violation of the schema by a value; empty if the value is valid.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isClosed: Whether an object may only have members that the schema names, wherever it has
    ///     `properties` without `additionalProperties`. All schemas that apply to one object count together.
    /// - Returns: One finding for each location and keyword.
    public func findings(in value: JSON, isClosed: Bool = false) -> [SchemaFinding] {
        let question = #"{"check":\#(document.number),"at":\#(name),"closed":\#(isClosed),"value":\#(value)}"#
        if let batch = SchemaBatch.current {
            batch.add(question)
            return []
        }
        do {
            let found = try SchemaValidator.shared.get().answer(question).array.map(Array.init) ?? []
            return found.map {
                SchemaFinding(instance: $0[0]?.string ?? "", schema: $0[1]?.string ?? "", sentence: $0[2]?.string ?? "")
            }
        } catch {
            return [SchemaFinding(instance: "", schema: pointer, sentence: "cannot be checked: \(error)")]
        }
    }
}

/// A document that contains schemas.
final class SchemaDocument: Sendable {
    let json: JSON
    /// How the validator calls it.
    fileprivate let number: JSON

    init(_ json: JSON) throws {
        self.json = json
        number = try SchemaValidator.shared.get().answer(#"{"document":\#(json)}"#)
    }
}

/// One violation of a schema by a value.
public struct SchemaFinding: Equatable, Sendable, CustomStringConvertible {
    /// A JSON Pointer to the part of the value.
    public let instance: String
    /// The way to the keyword of the schema, as a JSON Pointer.
    public let schema: String
    /// What is wrong with the part.
    public let sentence: String

    /// The path, the sentence and the keyword.
    public var description: String { "\(instance.isEmpty ? "it" : instance): \(sentence) (\(schema))" }
}

/// The steps of a JSON Pointer.
enum JSONPointer {
    /// A step with the escapes of a pointer.
    static func escape(_ step: String) -> String { step.replacing("~", with: "~0").replacing("/", with: "~1") }

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
