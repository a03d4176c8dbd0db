import Foundation
import JSON
import TestSupport
import Testing

@testable import ExtensionKit

@Suite struct ContractTests {
    private let host: JSON
    private let `extension`: JSON
    private let destination: JSON
    private let source: JSON

    init() throws {
        func read(_ file: String) throws -> JSON {
            try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(repositoryRoot)/protocol/\(file)"))))
        }
        host = try read("openrpc.json")
        `extension` = try read("extension.openrpc.json")
        destination = try read("destination.openrpc.json")
        source = try read("source.openrpc.json")
    }

    private func elements(_ json: JSON?) -> [JSON] { json?.array.map(Array.init) ?? [] }
    private func words(_ json: JSON?) -> [String] { elements(json).compactMap(\.string) }

    /// The differences between the document and a table, in which the names of optional parameters end in `?`.
    private func differences(_ document: JSON, _ table: [String: [String]]) -> [String] {
        var documented: [String: [String]] = [:]
        for method in elements(document["methods"]) {
            documented[method["name"]?.string ?? ""] = elements(method["params"]).map { parameter in
                (parameter["name"]?.string ?? "") + (parameter["required"]?.bool == true ? "" : "?")
            }
        }
        return Set(documented.keys).union(table.keys).sorted().filter { documented[$0] != table[$0] }
    }

    /// Whether a host of the document's version serves the kit: the same major version, and no older.
    private static func serves(_ document: JSON) -> Bool {
        let parts = [document["info"]?["version"]?.string, ExtensionMethod.contractVersion].map { version in
            (version ?? "").split(separator: ".").compactMap { Int($0) }
        }
        return parts.allSatisfy { $0.count == 2 } && parts[0][0] == parts[1][0] && parts[0][1] >= parts[1][1]
    }

    private var table: [String: [String]] {
        Dictionary(uniqueKeysWithValues: ExtensionMethod.allCases.map { ($0.rawValue, $0.parameters) })
    }

    @Test("The kit's methods and their parameters are those of the document")
    func methods() {
        #expect(differences(`extension`, table) == [])
        #expect(Self.serves(`extension`))
    }

    @Test("The kit's methods of a destination are those of the document")
    func destinationMethods() {
        let table = DestinationMethod.allCases.map { ($0.rawValue, $0.parameters) }
        #expect(differences(destination, Dictionary(uniqueKeysWithValues: table)) == [])
        #expect(Self.serves(destination))
    }

    @Test("The kit's methods of a source are those of the document")
    func sourceMethods() {
        let table = SourceMethod.allCases.map { ($0.rawValue, $0.parameters) }
        #expect(differences(source, Dictionary(uniqueKeysWithValues: table)) == [])
        #expect(Self.serves(source))
    }

    @Test("A deliberate difference is found")
    func planted() {
        for (name, parameters) in [
            ("activate", ["version", "bundle", "locale", "seed?", "clock?", "suites", "attachments?"]),
            ("deactivate", nil),
            ("didDismiss", ["notification?"]), ("didExpire", []),
        ] {
            var drifted = table
            drifted[name] = parameters
            #expect(differences(`extension`, drifted) == [name])
        }
    }

    @Test("In the document, the calls that the kit answers have a result, and its notifications have none")
    func results() {
        let without = elements(`extension`["methods"]).filter { $0["result"] == nil }.compactMap { $0["name"]?.string }
        #expect(without == ["serviceExtensionTimeWillExpire", "didDismiss", "deactivate"])
    }

    @Test("The kit's views have the types and members of the document")
    func views() throws {
        let nodes: [View] = [
            .stack([], id: "a"), .grid([], columns: 2, id: "b"), .row([]), .carousel([.text("t")], id: "j", page: 0),
            .text("t", id: "c", style: .caption, alignment: .end), .image("u", id: "d", alt: "a"),
            .card(id: "e", face: "f", isMatched: true), .button("t", id: "g"), .field(id: "h", value: "v"),
            .progress(value: 1, total: 2, id: "i"),
        ]
        let properties = try #require(host["components"]?["schemas"]?["View"]?["properties"]?.object)
        #expect(nodes.compactMap { $0.json["type"]?.string }.sorted() == words(properties["type"]?["enum"]))
        for (name, values) in [
            ("style", [View.TextStyle.title, .body, .caption].map(\.rawValue)),
            ("alignment", [View.TextAlignment.start, .center, .end].map(\.rawValue)),
        ] { #expect(words(properties[name]?["enum"]) == values) }
        let members = Set(nodes.flatMap { $0.json.object.map(Array.init) ?? [] }.map(\.name))
        #expect(members == Set(properties.map(\.name)))
    }

    @Test("The kit's options of a response and of a button are in the document")
    func options() {
        let conclusion = elements(`extension`["methods"]).first { $0["name"] == "didReceiveResponse" }?["result"]
        let responses = words(conclusion?["schema"]?["properties"]?["option"]?["enum"])
        let options: [NotificationContentExtensionResponseOption] = [.doNotDismiss, .dismiss, .dismissAndForwardAction]
        #expect(Set(options.map(\.rawValue)).isSubset(of: responses))

        let action = NotificationAction(
            identifier: "a",
            title: "A",
            options: [.authenticationRequired, .destructive, .foreground]
        )
        for document in [host, `extension`] {
            let properties = document["components"]?["schemas"]?["Action"]?["properties"]
            #expect(words(properties?["options"]?["items"]?["enum"]) == words(action.json["options"]))
            for (name, _) in action.json.object.map(Array.init) ?? [] { #expect(properties?[name] != nil) }
        }
    }

    @Test("The reasons of the kit's own refusals are in the document")
    func reasons() throws {
        let folder = "\(repositoryRoot)/Sources/ExtensionKit"
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        let found = texts.flatMap { $0.matches(of: /reason: "(\w+)"/).map { String($0.output.1) } }
        let row = elements(`extension`["x-errors"]).first { $0["code"] == 1 }
        #expect(Set(words(row?["reasons"])) == Set(found))
    }
}
