import JSON

/// The Model Context Protocol in the document of the host, which is served on the client's connection too.
struct WireModelContext: Sendable {
    /// The version whose result shapes all earlier versions share.
    private static let handshake = "2025-11-25"

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

    /// Whether a method belongs to this protocol; `ping` does after its handshake.
    func has(_ method: String, afterHandshake isHandshaken: Bool) -> Bool {
        methods.contains(method) && (method != "ping" || isHandshaken)
    }

    /// The schema of a call's result, for the version that the request names.
    func result(of call: WireCalls.Call) -> JSONSchema? {
        let version = call.params?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
        // A handshake names its version elsewhere.
        return results[version ?? Self.handshake]?[call.method] ?? results[Self.handshake]?[call.method]
    }
}
