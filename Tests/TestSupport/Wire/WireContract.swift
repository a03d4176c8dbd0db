import Foundation
import JSON

/// The documents of the contract, as a check of wires needs them.
final class WireContract: Sendable {
    /// Those of this repository, read once.
    static let repository = Result { try WireContract(folder: "\(repositoryRoot)/protocol") }

    /// What is called on the host, by name.
    let host: [String: WireMethod]
    /// What the host tells its client.
    let notifications: [String: WireMethod]
    /// What the host calls on a content extension, on a service, on a destination and on a personalization extension.
    let called: [WireRole: [String: WireMethod]]
    /// Every error that there is.
    let errors: Set<WireError>
    /// Those that any method may answer, and what a line that is no request gets.
    let general: Set<WireError>
    /// The reasons of the host's own remarks.
    let remarks: Set<String>
    /// The Model Context Protocol, which the host speaks on the same connection.
    let modelContext: WireModelContext
    /// What the members of an error are.
    let error: JSONSchema
    /// The same of an error that an extension answers.
    let foreignError: JSONSchema
    /// The document of the host, which `rpc.discover` answers.
    let discovery: JSON

    private init(folder: String) throws {
        func document(_ name: String) throws -> SchemaReader {
            try SchemaReader(JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name).json")))))
        }
        // Clients meet data that they do not know; the host has none that the document does not know.
        discovery = try document("openrpc").document
        let host = try SchemaReader(discovery.closing("ErrorData"))
        let `extension` = try document("extension.openrpc")
        self.host = try Self.methods(host, in: "methods")
        notifications = try Self.methods(host, in: "x-notifications")
        called = [
            .content: try Self.methods(`extension`, in: "methods"),
            .service: try Self.methods(`extension`, in: "methods", isService: true),
            .destination: try Self.methods(try document("destination.openrpc"), in: "methods"),
            .personalization: try Self.methods(try document("personalization.openrpc"), in: "methods"),
        ]
        let rows = host.document["x-errors"]?.array.map(Array.init) ?? []
        errors = Set(
            rows.flatMap { row in
                row["reasons"].texts.map { WireError(code: row["code"]?.integer ?? 0, reason: $0) }
            }
        )
        general = errors.filter { [-32700, -32600, -32601, -32603].contains($0.code) }
        let words = JSONPointer.value(at: "/components/schemas/Diagnostic/x-reasons", in: host.document)
        remarks = errors.reduce(into: Set(words.texts)) { $0.insert($1.reason) }
        modelContext = try WireModelContext(host)
        error = try JSONSchema(host, at: "/components/schemas/ErrorObject")
        foreignError = try JSONSchema(host, at: "/components/schemas/ExtensionError")
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
    case personalization

    /// What the documents call it where it calls.
    var caller: String {
        switch self {
        case .content, .service: "extension"
        case .destination: "destination"
        case .personalization: "personalization"
        }
    }
}

extension JSON {
    /// A document in which an object of a schema has only the members that it names.
    fileprivate func closing(_ schema: String) -> JSON {
        func member(_ path: ArraySlice<String>, of value: JSON) -> JSON {
            guard let object = value.object else { return value }
            guard let name = path.first else {
                return .object(
                    JSON.Object(object.filter { $0.name != "additionalProperties" }.map { ($0.name, $0.value) })
                )
            }
            return .object(object.setting(name, to: member(path.dropFirst(), of: object[name] ?? .null)))
        }
        return member(["components", "schemas", schema], of: self)
    }
}
