import Foundation
import JSON

/// Reads the schemas of a document into rules, each location once, so that a schema may refer to itself.
final class SchemaReader {
    /// A document, or a part of one with a URI of its own, to which `#/…` is relative.
    struct Resource {
        let uri: String
        let root: JSON
    }

    /// Keywords that do not constrain a value.
    private static let annotations: Set<String> = [
        "$comment", "$defs", "$id", "$schema", "contentEncoding", "contentMediaType", "default", "definitions",
        "deprecated", "description", "examples", "readOnly", "title", "writeOnly",
    ]

    private var resources: [String: Resource] = [:]
    private var rules: [String: SchemaRule] = [:]
    private let home: Resource

    /// The document.
    var document: JSON { home.root }

    /// Creates a reader for a document, whose references may name the other documents by their URIs.
    init(_ document: JSON, others: [String: JSON] = [:]) throws {
        home = Resource(uri: Self.normalized(document["$id"]?.string ?? ""), root: document)
        resources[home.uri] = home
        for (uri, other) in others {
            resources[Self.normalized(uri)] = Resource(uri: Self.normalized(uri), root: other)
        }
        for resource in resources.values { try findResources(resource.root, in: resource.uri) }
    }

    /// The rule at a location in the document.
    func rule(at pointer: String) throws -> SchemaRule { try rule(at: pointer, of: home) }

    private func rule(at pointer: String, of resource: Resource) throws -> SchemaRule {
        let location = resource.uri == home.uri ? pointer : "\(resource.uri)#\(pointer)"
        if let known = rules[location] { return known }
        guard let schema = JSONPointer.value(at: pointer, in: resource.root) else {
            throw SchemaError(location: location, sentence: "does not exist")
        }
        let rule = SchemaRule(location: location)
        rules[location] = rule
        if let own = schema["$id"]?.string, !pointer.isEmpty, !own.hasPrefix("#") {
            let uri = Self.resolve(own, in: resource.uri)
            guard let own = resources[uri] else {
                throw SchemaError(location: location, sentence: "has an $id that was not registered")
            }
            rule.keywords = [.reference(try self.rule(at: "", of: own))]
        } else {
            let node = SchemaNode(schema: schema, location: location) { step in
                try self.rule(at: "\(pointer)/\(step)", of: resource)
            } target: { reference in
                try self.target(reference, from: resource, at: location)
            }
            rule.keywords = try read(node)
        }
        return rule
    }

    private func read(_ node: SchemaNode) throws -> [SchemaKeyword] {
        switch node.schema {
        case .bool(let isValid): return isValid ? [] : [.nothing]
        case .object(let members):
            for (name, _) in members where !Self.annotations.contains(name) && !name.hasPrefix("x-") {
                guard SchemaNode.keywords.contains(name) else { throw node.error("has the unknown keyword \(name)") }
            }
            for group in ["definitions", "$defs"] { _ = try node.rules(in: group) }
            let reference = try node.text("$ref").map { SchemaKeyword.reference(try node.target($0)) }
            // Draft 7 ignores keywords next to a reference; 2019-09 and later apply them.
            let dialect = home.root["$schema"]?.string ?? ""
            if let reference, !dialect.contains("/draft/20") { return [reference] }
            return try node.keywords() + (reference.map { [$0] } ?? [])
        default: throw node.error("is neither an object nor a boolean")
        }
    }

    // MARK: References

    private func target(_ reference: String, from resource: Resource, at location: String) throws -> SchemaRule {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let uri = parts[0].isEmpty ? resource.uri : Self.resolve(parts[0], in: resource.uri)
        let fragment = parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : ""
        if let named = resources["\(uri)#\(fragment)"] { return try rule(at: "", of: named) }
        guard let found = resources[uri], JSONPointer.value(at: fragment, in: found.root) != nil else {
            throw SchemaError(location: location, sentence: "refers to \(reference), which does not exist")
        }
        return try rule(at: fragment, of: found)
    }

    /// Registers every part that has an `$id`; the contents of `enum` and `const` are not schemas.
    private func findResources(_ value: JSON, in uri: String) throws {
        var uri = uri
        if let id = value["$id"]?.string {
            let own = Self.resolve(id, in: uri)
            if resources[own] == nil { resources[own] = Resource(uri: own, root: value) }
            if !id.hasPrefix("#") { uri = own }
        }
        for element in value.array.map(Array.init) ?? [] { try findResources(element, in: uri) }
        for (name, member) in value.object.map(Array.init) ?? [] where name != "enum" && name != "const" {
            try findResources(member, in: uri)
        }
    }

    private static func resolve(_ reference: String, in base: String) -> String {
        if reference.hasPrefix("#") { return base + reference }
        guard let base = URL(string: base), let url = URL(string: reference, relativeTo: base) else {
            return normalized(reference)
        }
        return normalized(url.absoluteString)
    }

    /// A URI without an empty fragment and a trailing slash, which do not matter in an identifier.
    private static func normalized(_ uri: String) -> String {
        var uri = uri[...]
        if uri.hasSuffix("#") { uri = uri.dropLast() }
        if uri.hasSuffix("/") { uri = uri.dropLast() }
        return String(uri)
    }
}
