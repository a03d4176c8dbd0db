internal import Contract
internal import JSON
package import JSONRPC

/// The constants of the Model Context Protocol (MCP).
///
/// The host supports both eras of MCP on the client's connection, besides its own contract: up to version 2025-11-25 the
/// client begins with a handshake, from 2026-07-28 on each request names the version.
enum ModelContext {
    /// The versions that a request may name in its `_meta`.
    static let modernVersions = ["2026-07-28"]
    /// The versions that a handshake may ask for, the newest first.
    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    static let capabilities: JSON = ["tools": [:]]
    static let serverInfo: JSON = ["name": "pushhost", "version": .string(ContractDocuments.version)]

    /// A text for models about the tools as a whole.
    static let instructions = """
        pushhost runs iOS notification content extensions without a phone. didReceive takes the payload of an .apns \
        file and shows it: the reply draws the view and names the notification. What stands behind # is the id of an \
        element for interact; a button's identifier is for didReceiveResponse. The tool extensions tells which \
        categories there are; notifications draws the one that is named as it is now. What is saved waits in suites \
        until it is flushed: pending reads it and deletes nothing, flushPending takes it out. checkPayload finds mistakes \
        in a payload without showing it. The schemas of the tools are short; an error names the place of what is wrong \
        and what is needed, and the method rpc.discover returns the whole schemas. To check the bundle of an extension, run the command \
        pushhost extensions check with its folder.
        """

    /// How long a client may cache a result that stays the same while the process runs, in milliseconds.
    static let timeToLive: JSON = 3_600_000

    /// The names of members of `_meta`; all but one are the protocol's.
    enum Meta {
        static let version = "io.modelcontextprotocol/protocolVersion"
        static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
        static let serverInfo = "io.modelcontextprotocol/serverInfo"
        /// The host's own: the error of a failed method, as the contract defines it.
        static let error = "pushhost/error"
    }
}

/// The era of the Model Context Protocol that a request belongs to; it decides the shape of the result.
///
/// Each request shows its era, so clients of both eras may share a connection.
enum ModelContextEra {
    /// The connection began with a handshake: versions up to 2025-11-25.
    case handshake
    /// The request names its version: versions from 2026-07-28 on.
    case modern

    /// The era of a request with these params.
    ///
    /// - Throws: -32022 if the request names an unsupported version, -32602 if its `_meta` is invalid.
    init(_ params: JSON?) throws(RPCError) {
        guard let value = params?["_meta"] else {
            self = .handshake
            return
        }
        let meta = try MemberReader<RPCError>(value) {
            .invalidParams(path: "/params/_meta" + $0.pointer, reason: "mistypedParam", $0.shortText(whole: "_meta"))
        }
        guard let version = try meta.optional(ModelContext.Meta.version, .string) else {
            self = .handshake
            return
        }
        guard ModelContext.modernVersions.contains(version) else { throw Self.unsupported(version) }
        _ = try meta.required(ModelContext.Meta.clientCapabilities, .object)
        self = .modern
    }

    /// The error for a request of the modern era that names no version.
    static let missingVersion = RPCError.invalidParams(
        path: "/params/_meta/" + JSONPointer.escape(ModelContext.Meta.version),
        reason: "mistypedParam",
        "\(ModelContext.Meta.version) must be present in _meta"
    )

    private static func unsupported(_ version: String) -> RPCError {
        let known = ModelContext.modernVersions.joined(separator: ", ")
        return RPCError(
            .unsupportedProtocolVersion,
            reason: "unsupportedProtocolVersion",
            "MCP's version \(version) is not supported; name one of \(known), or begin with initialize",
            details: [
                "supported": JSON(ModelContext.modernVersions.map(JSON.string)), "requested": .string(version),
            ]
        )
    }

    /// A result in the shape of the era; a client may cache one that is constant while the process runs.
    func result(_ members: [(String, JSON)], isConstant: Bool = false, meta: [(String, JSON)] = []) -> JSON {
        var meta = meta
        var all = members
        if case .modern = self {
            all.insert(("resultType", "complete"), at: 0)
            if isConstant { all += [("ttlMs", ModelContext.timeToLive), ("cacheScope", "public")] }
            meta.append((ModelContext.Meta.serverInfo, ModelContext.serverInfo))
        }
        if !meta.isEmpty { all.append(("_meta", .object(JSON.Object(meta)))) }
        return .object(JSON.Object(all))
    }
}

extension RPCError.Code {
    /// A version of the Model Context Protocol that the host does not support.
    package static let unsupportedProtocolVersion = RPCError.Code(rawValue: -32022)
}
