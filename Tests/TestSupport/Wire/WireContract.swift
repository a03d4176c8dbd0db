import Foundation
import JSON

/// The three documents of the contract, as a check of wires needs them.
final class WireContract: Sendable {
    /// Those of this repository, read once.
    static let repository = Result { try WireContract(folder: "\(repositoryRoot)/protocol") }

    /// What is called on the host, by name.
    let host: [String: WireMethod]
    /// What the host tells its client.
    let notifications: [String: WireMethod]
    /// What the host calls on a content extension, on a service and on a destination.
    let called: [WireRole: [String: WireMethod]]
    /// Every error that there is.
    let errors: Set<WireError>
    /// Those that any method may answer, and what a line that is no request gets.
    let general: Set<WireError>
    /// The methods of the Model Context Protocol, which the host takes on the same connection.
    let modelContext: Set<String>
    /// What the members of an error are.
    let error: JSONSchema

    private init(folder: String) throws {
        func document(_ name: String) throws -> SchemaReader {
            try SchemaReader(JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name).json")))))
        }
        let host = try document("openrpc")
        let `extension` = try document("extension.openrpc")
        self.host = try Self.methods(host, in: "methods")
        notifications = try Self.methods(host, in: "x-notifications")
        called = [
            .content: try Self.methods(`extension`, in: "methods"),
            .service: try Self.methods(`extension`, in: "methods", isService: true),
            .destination: try Self.methods(try document("destination.openrpc"), in: "methods"),
        ]
        let rows = host.document["x-errors"]?.array.map(Array.init) ?? []
        errors = Set(
            rows.flatMap { row in
                row["reasons"].texts.map { WireError(code: row["code"]?.integer ?? 0, reason: $0) }
            }
        )
        general = errors.filter { [-32700, -32600, -32601, -32603].contains($0.code) }
        modelContext = Set(host.document["x-mcp"]?["methods"].texts ?? [])
        error = try JSONSchema(host, at: "/components/schemas/ErrorObject")
    }

    private static func methods(
        _ reader: SchemaReader,
        in list: String,
        isService: Bool = false
    ) throws -> [String: WireMethod] {
        var methods: [String: WireMethod] = [:]
        for (index, method) in (reader.document[list]?.array.map(Array.init) ?? []).enumerated() {
            let pointer = "/\(list)/\(index)"
            // Without params and a result of its own it is called as other extensions are.
            let service = isService && method["x-service"]?["result"] != nil ? method["x-service"] : nil
            let own = try WireMethod(
                reader,
                at: pointer,
                only: service.map { Set($0["params"].texts) },
                result: service.map { _ in try JSONSchema(reader, at: "\(pointer)/x-service/result/schema") }
            )
            methods[own.name] = own
        }
        return methods
    }
}

/// What an extension is to the host.
enum WireRole: Hashable, Sendable {
    case content
    case service
    case destination

    /// What the documents call it where it calls.
    var caller: String { self == .destination ? "destination" : "extension" }
}
