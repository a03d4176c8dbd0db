import Foundation
import JSON

/// The documents of the contract, in the form that the message check needs.
final class WireContract: Sendable {
    /// The contract of this repository, read once.
    static let repository = Result { try WireContract(folder: "\(repositoryRoot)/protocol") }

    /// The host's methods, by name.
    let host: [String: WireMethod]
    /// The host's notifications to its client.
    let notifications: [String: WireMethod]
    /// The host's calls to content extensions, services, destinations, personalization extensions and sources.
    let methodsOfExtensions: [WireRole: [String: WireMethod]]
    /// Every declared error.
    let errors: Set<WireError>
    /// The errors of a line that is not a valid request, and those that every method may return.
    let generalErrors: Set<WireError>
    /// The reasons of the host's own diagnostics.
    let diagnosticReasons: Set<String>
    /// The Model Context Protocol, which the host serves on the same connection.
    let modelContext: WireModelContext
    /// The schema of an error.
    let errorSchema: JSONSchema
    /// The schema of an error from an extension.
    let extensionErrorSchema: JSONSchema
    /// The document of the host, which `rpc.discover` returns.
    let discovery: JSON

    private init(folder: String) throws {
        func document(_ name: String) throws -> SchemaReader {
            try SchemaReader(JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name).json")))))
        }
        // The document lets clients accept unknown error data; the host itself must not send undeclared data.
        discovery = try document("openrpc").document
        let host = try SchemaReader(discovery.closing("ErrorData"))
        let `extension` = try document("extension.openrpc")
        self.host = try Self.methods(host, in: "methods")
        notifications = try Self.methods(host, in: "x-notifications")
        methodsOfExtensions = [
            .content: try Self.methods(`extension`, in: "methods"),
            .service: try Self.methods(`extension`, in: "methods", isService: true),
            .destination: try Self.methods(try document("destination.openrpc"), in: "methods"),
            .personalization: try Self.methods(try document("personalization.openrpc"), in: "methods"),
            .source: try Self.methods(try document("source.openrpc"), in: "methods"),
        ]
        let rows = host.document["x-errors"]?.array.map(Array.init) ?? []
        errors = Set(
            rows.flatMap { row in
                row["reasons"].texts.map { WireError(code: row["code"]?.integer ?? 0, reason: $0) }
            }
        )
        generalErrors = errors.filter { [-32700, -32600, -32601, -32603].contains($0.code) }
        let reasons = JSONPointer.value(at: "/components/schemas/Diagnostic/x-reasons", in: host.document)
        diagnosticReasons = errors.reduce(into: Set(reasons.texts)) { $0.insert($1.reason) }
        modelContext = try WireModelContext(host)
        errorSchema = try JSONSchema(host, at: "/components/schemas/ErrorObject")
        extensionErrorSchema = try JSONSchema(host, at: "/components/schemas/ExtensionError")
    }

    private static func methods(
        _ reader: SchemaReader,
        in list: String,
        isService: Bool = false
    ) throws -> [String: WireMethod] {
        var methods: [String: WireMethod] = [:]
        for (index, method) in (reader.document[list]?.array.map(Array.init) ?? []).enumerated() {
            let pointer = "/\(list)/\(index)"
            // A method without params and result for services is called as for other extensions.
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

/// The kind of an extension.
enum WireRole: Hashable, Sendable {
    case content
    case service
    case destination
    case personalization
    case source

    /// The name of this kind in `x-callers` of the documents.
    var caller: String {
        switch self {
        case .content, .service: "extension"
        case .destination: "destination"
        case .personalization: "personalization"
        case .source: "source"
        }
    }
}

extension JSON {
    /// The document, changed so that objects of that schema may only have the members that the schema names.
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
