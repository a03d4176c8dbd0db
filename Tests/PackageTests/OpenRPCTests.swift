import Foundation
import JSON
import TestSupport
import Testing

/// Validates the contract's documents against OpenRPC 1.4, whose schemas are in `Tests/Fixtures/openrpc`.
@Suite struct OpenRPCTests {
    private static let files = [
        "openrpc.json", "extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json",
        "source.openrpc.json",
    ]

    private let schema: JSONSchema

    init() throws {
        let draft = try Self.read("Tests/Fixtures/openrpc/draft-07.schema.json")
        let schema = try Self.read("Tests/Fixtures/openrpc/openrpc-1.4.schema.json")
        self.schema = try JSONSchema(schema, others: ["http://json-schema.org/draft-07/schema": draft])
    }

    private static func read(_ path: String) throws -> JSON {
        try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(repositoryRoot)/\(path)"))))
    }

    @Test("Each document of the contract is valid OpenRPC 1.4", arguments: files)
    func document(file: String) throws {
        #expect(schema.findings(in: try Self.read("protocol/\(file)")) == [])
    }

    @Test("Each schema in each document only uses keywords that the tests can check", arguments: files)
    func schemas(file: String) throws {
        let document = try Self.read("protocol/\(file)")
        let names = document["components"]?["schemas"]?.object?.map(\.name) ?? []
        #expect(!names.isEmpty)
        for name in names { _ = try JSONSchema(document, at: "/components/schemas/\(name)") }
    }

    @Test(
        "An invalid OpenRPC document is found",
        arguments: [
            (#""openrpc": "1.4.1""#, #""openrpc": "1.3.2""#),
            (#""paramStructure": "either""#, #""paramStructure": "both""#),
            (#""summary": "#, #""sumary": "#), (#""title": "pushhost: the host","#, ""),
            (#""type": "object""#, #""type": "map""#),
            (#""minLength": 1"#, #""minLength": -1"#), (#""name": "suite","#, ""),
        ]
    )
    func planted(text: String, replacement: String) throws {
        let document = try String(contentsOfFile: "\(repositoryRoot)/protocol/openrpc.json", encoding: .utf8)
        guard let place = document.firstRange(of: text) else {
            Issue.record("the document has no \(text)")
            return
        }
        let changed = document.replacingCharacters(in: place, with: replacement)
        #expect(schema.findings(in: try JSON(parsing: changed)) != [])
    }
}
