import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import HostCore

/// The documents of the contract are complete; other tests check that they are correct.
@Suite struct DocumentsTests {
    private static let files = [
        "openrpc.json", "extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json",
        "source.openrpc.json",
    ]

    @Test("Every method and topic has examples with params, and with a result if the method has one", arguments: files)
    func examples(file: String) throws {
        let document = try ContractDocument(file: file)
        for method in document.methodsAndTopics {
            let name = method["name"].text
            let service = method["x-service"]?["examples"].elements ?? []
            #expect(!method["examples"].elements.isEmpty, "\(name)")
            for example in method["examples"].elements + service {
                #expect(!example["name"].text.isEmpty, "\(name)")
                let params = example["params"].elements.map { $0["name"].text }
                let known = method["params"].elements.map { $0["name"].text }
                #expect(Set(params).count == params.count && Set(params).isSubset(of: known), "\(name)")
                #expect((example["result"] != nil) == (method["result"] != nil), "\(name)")
                #expect(example["result"]?["name"] == method["result"]?["name"] || !service.isEmpty, "\(name)")
                for given in example["x-given"].elements {
                    #expect(TestedEngine.methods.client[given["method"].text] != nil)
                }
            }
        }
    }

    // The version is volatile, so no test that runs the examples compares it.
    @Test("Examples of what the host says about its version name the document's version", arguments: files)
    func exampleVersions(file: String) throws {
        let document = try ContractDocument(file: file)
        for method in document.json["methods"].elements where ["activate", "ping", "status"].contains(method["name"]) {
            for example in method["examples"].elements {
                let sent = example["params"].elements.first { $0["name"] == "version" }
                #expect(
                    (sent ?? example["result"])?["value"].map { $0["version"] ?? $0 }
                        == document.json["info"]?["version"]
                )
            }
        }
    }

    @Test("Every param, every member and every named schema has a description", arguments: files)
    func descriptions(file: String) throws {
        let document = try ContractDocument(file: file)
        for method in document.methodsAndTopics {
            for parameter in method["params"].elements {
                #expect(!parameter["description"].text.isEmpty, "\(method["name"].text): \(parameter["name"].text)")
            }
            let result = method["result"]?["schema"]
            #expect(document.undescribed(result ?? true, at: "\(method["name"].text)/result") == [])
        }
        for (name, schema) in document.schemas {
            #expect(!schema["description"].text.isEmpty, "\(name)")
            #expect(document.undescribed(schema, at: name) == [])
        }
    }

    @Test("Every error has a code, a reason and a message, and is in the document's table", arguments: files)
    func errors(file: String) throws {
        let document = try ContractDocument(file: file)
        let known = Set(document.errors)
        let tabled = document.json["x-errors"].elements
        let listed = document.json["methods"].elements.flatMap { document.errorObjects(of: $0) }
        #expect(!listed.isEmpty)
        for error in listed + tabled {
            #expect(error["code"]?.integer != nil && error["message"].text.hasSuffix("."), "\(error)")
        }
        for row in listed.flatMap(ContractDocument.rows) { #expect(known.contains(row), "\(row)") }
        // Every method with a result can fail, so one without errors is incomplete.
        for method in document.json["methods"].elements where method["result"] != nil {
            #expect(!method["errors"].elements.isEmpty, "\(method["name"].text)")
        }
    }

    @Test("Every x- member is in the page's table, and has one of the values there", arguments: files)
    func extensions(file: String) throws {
        let document = try ContractDocument(file: file)
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/documents.md", encoding: .utf8)
        var found: Set<String> = []
        document.json.forEachMember { name, value in
            guard name.hasPrefix("x-") else { return }
            found.insert(name)
            #expect(page.contains("\n| `\(name)` | "), "\(name)")
            if name == "x-volatile" { #expect(["run", "clock", "seed"].contains(value)) }
            if name == "x-match" { #expect(value == "subset") }
        }
        #expect(found.isSuperset(of: ["x-transport", "x-examples", "x-volatile", "x-errors"]))
        // A relay has no client whose calls could come before those of the source's examples.
        #expect(found.contains("x-given") == (file != "source.openrpc.json"))
    }
}

extension ContractDocument {
    fileprivate var methodsAndTopics: [JSON] { json["methods"].elements + json["x-notifications"].elements }

    fileprivate var schemas: [(String, JSON)] {
        json["components"]?["schemas"]?.object.map { members in members.map { ($0.0, $0.1) } } ?? []
    }

    /// The errors that a method lists, with references resolved.
    fileprivate func errorObjects(of method: JSON) -> [JSON] {
        method["errors"].elements.map { error in
            guard let name = error["$ref"].text.split(separator: "/").last else { return error }
            return json["components"]?["errors"]?[String(name)] ?? [:]
        }
    }

    /// The members within a schema without a description of their own or of the schema to which they refer.
    fileprivate func undescribed(_ schema: JSON, at place: String) -> [String] {
        var result: [String] = []
        for (name, member) in schema["properties"]?.object.map(Array.init) ?? [] {
            if !isDescribed(member) { result.append("\(place)/\(name)") }
            result += undescribed(member, at: "\(place)/\(name)")
        }
        if let items = schema["items"] { result += undescribed(items, at: place) }
        return result
    }

    private func isDescribed(_ schema: JSON) -> Bool {
        if schema["description"] != nil { return true }
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            return self.schema(String(reference))?["description"] != nil
        }
        // An array does not need a description if its elements have one.
        return schema["items"].map(isDescribed) == true
    }
}

extension JSON {
    /// Every member of every object within a value.
    fileprivate func forEachMember(_ body: (String, JSON) -> Void) {
        for element in (self as JSON?).elements { element.forEachMember(body) }
        for (name, member) in object.map({ $0.map { ($0.name, $0.value) } }) ?? [] {
            body(name, member)
            member.forEachMember(body)
        }
    }
}
