import JSON

/// The part of the host's document about the Model Context Protocol, which the host also serves on the client's connection.
struct WireModelContext: Sendable {
    /// The newest version with a handshake; all earlier versions have the same shapes of results.
    private static let newestHandshakeVersion = "2025-11-25"

    /// The methods that the host accepts.
    let methods: Set<String>
    /// The host's notifications: the params by name.
    let notifications: [String: JSONSchema]
    /// The results of each method, by version.
    private let results: [String: [String: JSONSchema]]

    init(_ reader: SchemaReader) throws {
        let root = reader.document["x-mcp"]
        methods = Set(root?["methods"].texts ?? [])
        func schemas(_ names: JSON?, at pointer: String) throws -> [String: JSONSchema] {
            let names = names?.object?.map(\.name) ?? []
            return Dictionary(
                uniqueKeysWithValues: try names.map {
                    ($0, try JSONSchema(reader, at: "/x-mcp/\(pointer)/\(JSONPointer.escape($0))"))
                }
            )
        }
        notifications = try schemas(root?["notifications"], at: "notifications")
        let versions = root?["results"]?.object.map { Array($0) } ?? []
        results = Dictionary(
            uniqueKeysWithValues: try versions.map { ($0.name, try schemas($0.value, at: "results/\($0.name)")) }
        )
    }

    /// Whether a method belongs to this protocol; `ping` does only after the handshake.
    func includes(_ method: String, afterHandshake isHandshaken: Bool) -> Bool {
        methods.contains(method) && (method != "ping" || isHandshaken)
    }

    /// The schema of a call's result, for the version that the request names.
    func result(of call: WireCalls.Call) -> JSONSchema? {
        let version = call.params?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
        // Versions with a handshake do not name the version in `_meta`.
        return results[version ?? Self.newestHandshakeVersion]?[call.method]
            ?? results[Self.newestHandshakeVersion]?[call.method]
    }
}
