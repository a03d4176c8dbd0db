import Foundation
import JSON
import TestSupport

/// Documents as an XML parser reads them.
struct XMLDocuments {
    struct Document {
        /// The names of the elements, without namespaces.
        let elements: Set<String>
        /// The names of the attributes, and what they have as values.
        let attributes: [String: Set<String>]
        /// Each text between two tags, in the order of the document.
        let texts: [String]
    }

    private static let parser = """
        import json, sys, xml.etree.ElementTree as tree
        found = []
        for text in json.load(sys.stdin):
            try:
                root = tree.fromstring(text)
            except tree.ParseError as error:
                found.append({"error": str(error)})
                continue
            elements, attributes, texts = set(), {}, []
            for node in root.iter():
                elements.add(node.tag.split("}")[-1])
                for name, value in node.attrib.items():
                    attributes.setdefault(name, set()).add(value)
                texts += [text for text in (node.text, node.tail) if text]
            found.append({"elements": sorted(elements), "texts": texts,
                          "attributes": {name: sorted(values) for name, values in attributes.items()}})
        json.dump(found, sys.stdout)
        """

    let documents: [Document]

    /// Parses documents with Python's parser, which refuses what is not well-formed.
    ///
    /// - Throws: Which document is not well-formed and why, or that python3 (Debian: `python3`) is missing.
    init(_ texts: [String]) throws {
        let process = try ChildProcess("/usr/bin/env", ["python3", "-c", Self.parser])
        let bodies = texts.map { $0.replacing("<!DOCTYPE html>\n", with: "") }
        try process.write(JSON(bodies.map(JSON.string)).description.utf8)
        process.closeInput()
        let output = try process.readToEnd()
        guard try process.wait() == .code(0) else {
            throw TestFailure("python3 failed (Debian: python3): \(process.standardError)")
        }
        let found = try JSON(parsing: Array(output.utf8))
        documents = try zip(found.array.map { Array($0) } ?? [], texts).map { value, text in
            if let error = value["error"]?.string {
                throw TestFailure("not well-formed: \(error)\n\(text.prefix(9_000))")
            }
            let names = { (value: JSON?) in Set(value?.array?.compactMap(\.string) ?? []) }
            let attributes = value["attributes"]?.object?.map { ($0.name, names($0.value)) } ?? []
            return Document(
                elements: names(value["elements"]),
                attributes: Dictionary(attributes) { $1 },
                texts: value["texts"]?.array?.compactMap(\.string) ?? []
            )
        }
        guard documents.count == texts.count else { throw TestFailure("python3 read \(documents.count) documents") }
    }
}
