import BrazeRules
import Contract
import ExtensionHost
import Foundation
import JSON
import JSONRPC
import ModelContext
import TestSupport
import Testing

@testable import Calls
@testable import Configuration
@testable import HostCore
@testable import Notifications

@Suite struct ContractTests {
    private let document = ContractDocument(ContractDocuments.host)

    // MARK: The documents

    @Test("The embedded documents equal the files, and have the contract's version")
    func embedded() throws {
        let host = try ContractDocument(file: "openrpc.json").json
        let `extension` = try ContractDocument(file: "extension.openrpc.json").json
        let destination = try ContractDocument(file: "destination.openrpc.json").json
        let personalization = try ContractDocument(file: "personalization.openrpc.json").json
        let source = try ContractDocument(file: "source.openrpc.json").json
        #expect(ContractDocuments.host == host)
        #expect(ContractDocuments.host.keepsText, "it is written as often as it is asked for")
        #expect(ContractDocuments.extension == `extension`)
        #expect(ContractDocuments.destination == destination)
        #expect(ContractDocuments.personalization == personalization)
        #expect(ContractDocuments.source == source)
        #expect(ContractVersion(ContractDocuments.version) != nil)
        for document in [host, `extension`, destination, personalization, source] {
            #expect(document["info"]?["version"]?.string == ContractDocuments.version)
            #expect(document["openrpc"].text.hasPrefix("1.4."))
        }
    }

    @Test(
        "Every reference can be resolved",
        arguments: [
            "openrpc.json", "extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json",
            "source.openrpc.json",
        ]
    )
    func references(file: String) throws {
        let document = try ContractDocument(file: file).json
        func check(_ value: JSON) {
            for element in value.array.map(Array.init) ?? [] { check(element) }
            for (name, member) in value.object.map(Array.init) ?? [] {
                check(member)
                guard name == "$ref" else { continue }
                let steps = member.string?.split(separator: "/").dropFirst() ?? []
                #expect(steps.reduce(document) { $0?[String($1)] } != nil, "\(member)")
            }
        }
        check(document)
    }

    // MARK: Methods

    @Test("The methods of a client and their parameters are those of the document")
    func clientMethods() {
        #expect(document.differences(from: TestedEngine.methods.client.signatures, for: "client") == [])
    }

    @Test("The methods of an extension and their parameters are those of the document")
    func extensionMethods() {
        #expect(document.differences(from: TestedEngine.methods.content.signatures, for: "extension") == [])
    }

    @Test(
        "The methods of an extension without presentations and their parameters are those of the document",
        arguments: ["destination", "personalization", "source"]
    )
    func logAlone(caller: String) {
        #expect(document.differences(from: TestedEngine.methods.log.signatures, for: caller) == [])
    }

    @Test("Every method has its callers, a description and a result")
    func wholeMethods() {
        let methods = document.json["methods"].elements
        #expect(Set(methods.map { $0["name"].text }).count == methods.count)
        for method in methods {
            let name = method["name"].text
            let callers = method["x-callers"].words
            let parameters = method["params"].elements
            let known: Set = ["client", "extension", "destination", "personalization", "source"]
            #expect(!callers.isEmpty && known.isSuperset(of: callers), "\(name)")
            #expect(!method["summary"].text.isEmpty && method["paramStructure"] == "either", "\(name)")
            #expect(method["result"]?["schema"] != nil, "\(name)")
            for (caller, required) in method["x-required-from"]?.object.map(Array.init) ?? [] {
                let names = (required as JSON?).words
                #expect(callers.contains(caller), "\(name)")
                #expect(Set(names).isSubset(of: parameters.map { $0["name"].text }), "\(name)")
            }
            for parameter in parameters {
                #expect(!parameter["description"].text.isEmpty && parameter["schema"] != nil, "\(name): \(parameter)")
            }
        }
    }

    @Test("A deliberate difference in names, order or required parameters is found")
    func plantedMethods() {
        var table = MethodTable<Void>()
        for (name, parameters) in document.parameters(for: "client") { table.add(name, parameters, ()) }
        #expect(document.differences(from: table.signatures, for: "client") == [])

        let drifts: [(String, [String]?)] = [
            ("dismiss", ["notification?"]), ("interact", ["element", "notification", "value?"]), ("ping", ["echo?"]),
            ("pending", ["suite?", "kind?", "after?"]), ("store", ["suite?", "key", "value", "notification?"]),
            ("status", nil), ("setView", ["notification", "view"]),
        ]
        for (name, parameters) in drifts {
            var drifted = MethodTable<Void>()
            for signature in table.signatures where signature.name != name {
                drifted.add(signature.name, document.parameters(for: "client")[signature.name] ?? [], ())
            }
            if let parameters { drifted.add(name, parameters, ()) }
            let found = document.differences(from: drifted.signatures, for: "client")
            #expect(found.count == 1 && found.first?.contains(" \(name) ") == true, "\(name): \(found)")
        }
    }

    // MARK: Notifications

    @Test("The host's notifications are its topics")
    func notifications() {
        let topics = Topic.allCases.map(\.rawValue)
        #expect(document.json["x-notifications"].elements.map { $0["name"].text } == topics)
        #expect(document.schema("Topic")?["enum"].words == topics)
    }

    // MARK: Enumerations and limits

    @Test("The enumerations of the schemas are those of the program")
    func words() throws {
        let action = try #require(document.schema("Action")?["properties"])
        let category = try #require(document.schema("Category")?["properties"])
        #expect(action["options"]?["items"]?["enum"].words == OfferedAction.knownOptions)
        #expect(category["options"]?["items"]?["enum"].words == NotificationCategory.knownOptions)
        #expect(document.schema("StandardField")?["enum"].words == StandardField.names.sorted())
        for document in [document, ContractDocument(ContractDocuments.extension)] {
            let type = document.schema("View")?["properties"]?["type"]
            #expect(type?["enum"].words == ViewTree.types.sorted())
        }
        let diagnostics = document.schema("Diagnostic")?["x-reasons"].words ?? []
        #expect(Set(diagnostics) == Source.diagnostics(in: try Source.host()))
    }

    @Test("The limits of the schemas are those of the program")
    func limits() throws {
        let limits = RecordLimits()
        #expect(document.schema("Properties")?["maxProperties"]?.integer == Int64(limits.properties))
        var (maxima, lengths) = (0, 0)
        for method in document.json["methods"].elements {
            for parameter in method["params"].elements {
                let schema = parameter["schema"]
                // flushPending has a limit only if it flushes to the caller, which its schema cannot express.
                if parameter["name"] == "limit", method["name"] != "flushPending" {
                    #expect(schema?["maximum"]?.integer == ReplyLimits.records)
                    maxima += 1
                }
                if let length = schema?["maxLength"]?.integer {
                    #expect(length == Int64(limits.characters))
                    lengths += 1
                }
            }
        }
        #expect(maxima == 2, "pending, deadLetters")
        #expect(lengths == 5, "a name, a key, and three idempotency keys, which have as many characters")
    }

    // MARK: Errors

    @Test("The host's errors are those of the document, each code with its reason")
    func hostErrors() throws {
        let known = HostError.all.map { ErrorRow(code: Int64($0.code), reason: $0.reason) }
        #expect(known == known.sorted() && Set(known.map(\.code)).count == known.count)
        #expect(document.errors.filter { $0.code > 0 } == known)
        // The list contains every error.
        let declared = try Source.text("Contract").matches(of: /HostError\(code: (\d+), reason: "(\w+)"\)/)
        #expect(declared.compactMap { Int64($0.output.1) } == known.map(\.code))
    }

    @Test("The errors of JSON-RPC are those of the document: the codes, and every reason in the source")
    func protocolErrors() throws {
        let codes: [RPCError.Code] = [
            .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .requestCancelled,
            .unsupportedProtocolVersion,
        ]
        let rows = document.errors.filter { $0.code < 0 }
        #expect(Set(rows.map(\.code)) == Set(codes.map { Int64($0.rawValue) }))
        let reasons = Source.reasons(in: try Source.text("JSONRPC") + Source.host())
        #expect(Set(rows.map(\.reason)) == reasons.subtracting(HostError.all.map(\.reason)))
        // Extensions receive no cancellations, and do not use MCP.
        let ofClients: Set<Int64> = [-32800, -32022]
        let ofExtensions = ContractDocument(ContractDocuments.extension).errors.filter { $0.code < 0 }
        #expect(ofExtensions == rows.filter { !ofClients.contains($0.code) })
    }

    @Test(
        "The errors of a line that is not a valid request are in the document",
        arguments: [
            ("{", -32700, "parseError"), ("Content-Length: 2", -32700, "headerFraming"),
            ("1", -32600, "invalidRequest"),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, "version"), ("[]", -32600, "emptyBatch"),
            (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600, "invalidId"),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, -32600, "invalidParamsType"),
            ("[many]", -32600, "batchTooLong"),
        ]
    )
    func lines(line: String, code: Int64, reason: String) throws {
        let line = line.replacing("many", with: Array(repeating: "1", count: 10_001).joined(separator: ","))
        let message = Array(line.utf8).withUnsafeBytes { Message(line: $0) }
        guard case .invalid(let error, _, _) = message else {
            Issue.record("it is taken for a request")
            return
        }
        #expect(error.code.rawValue == Int(code) && error.reason == reason)
        #expect(document.errors.contains(ErrorRow(code: code, reason: reason)))
    }

    @Test(
        "Every error that a method lists is a known one and listed once, and some method lists each error of the host"
    )
    func methodErrors() {
        let known = Set(document.errors)
        var listed: Set<ErrorRow> = []
        for method in document.json["methods"].elements {
            let errors = document.errors(of: method)
            let name = method["name"].text
            #expect(errors.filter { !known.contains($0) } == [], "\(name)")
            #expect(Set(errors).count == errors.count, "\(name)")
            #expect(errors.contains { $0.code == -32602 }, "\(name)")
            listed.formUnion(errors)
        }
        #expect(known.filter { $0.code > 0 }.subtracting(listed).sorted() == [])
        for (name, error) in document.json["components"]?["errors"]?.object.map(Array.init) ?? [] {
            let row = document.json["x-errors"].elements.first { $0["code"] == error["code"] }
            #expect(row?["message"] == error["message"], "\(name)")
            #expect(ContractDocument.rows(error).map(\.reason) == row?["reasons"].words, "\(name)")
        }
    }

    // MARK: Pages

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: "\(repositoryRoot)/protocol/\(name)", encoding: .utf8)
    }

    @Test("The reference of errors has the same codes and reasons")
    func errorsPage() throws {
        #expect(ErrorRow.rows(inMarkdown: try page("reference/errors.md")).sorted() == document.errors.sorted())
    }

    @Test("The page about diagnostics has every reason of the host, once and in order")
    func diagnosticsPage() throws {
        let page = try page("reference/diagnostics.md")
        let start = try #require(page.range(of: "## Reasons of the host")?.upperBound)
        let end = try #require(page.range(of: "## Reasons of errors and of extensions")?.lowerBound)
        let listed = page[start..<end].matches(of: /\n\| `(\w+)` \|/).map { String($0.output.1) }
        #expect(listed == (document.schema("Diagnostic")?["x-reasons"].words ?? []).sorted())
    }

    @Test("The tables of the pages, and the reference, have every method and notification")
    func methodPages() throws {
        let host = document.json["methods"].elements + document.json["x-notifications"].elements
        let tables = try ["notifications", "analytics", "storage", "host"].map { try page("reference/\($0).md") }
            .joined()
        let reference = try page("reference/methods/host.md")
        let guide = try page("reference/extensions.md") + page("reference/service-extensions.md")
        for name in host.map({ $0["name"].text }) {
            #expect((tables + guide).contains("`\(name)`"), "\(name)")
            #expect(reference.contains("\n### `\(name)`"), "\(name)")
        }
        for (pages, name) in [
            (guide, "extension"), (try page("reference/destinations.md"), "destination"),
            (try page("reference/personalization-extensions.md"), "personalization"),
            (try page("reference/sources.md"), "source"),
        ] {
            let reference = try page("reference/methods/\(name).md")
            let methods = try ContractDocument(file: "\(name).openrpc.json").json["methods"].elements
            #expect(!methods.isEmpty)
            for method in methods.map({ $0["name"].text }) {
                #expect(pages.contains("`\(method)`"), "\(name): \(method)")
                #expect(reference.contains("\n### `\(method)`"), "\(name): \(method)")
            }
        }
    }

    @Test("An error in the source, a diagnostic in the source and a row of a page are recognized")
    func plantedErrors() {
        let table = "| code | reason |\n|---|---|\n| -32600 | `a`, `b` | c |\n| 7 | `d` | `e` |\n7 | `f` | g\n"
        let rows = [(-32600, "a"), (-32600, "b"), (7, "d")].map { ErrorRow(code: $0, reason: $1) }
        #expect(ErrorRow.rows(inMarkdown: table) == rows)
        let error: JSON = ["code": 7, "data": ["reason": ["a", "b"]]]
        #expect(ContractDocument.rows(error).map(\.description) == ["7 a", "7 b"])
        #expect(ContractDocument([:]).errors(of: ["errors": [["$ref": "#/none"]]]).map(\.code) == [0])
        #expect(Source.reasons(in: #"f(reason: "a", reason: String = "b", reason: "two words")"#) == ["a", "b"])
        #expect(Source.diagnostics(in: #"Diagnostic("a", t) + Diagnostic(e.reason ?? "b", t)"#) == ["a", "b"])
    }
}
