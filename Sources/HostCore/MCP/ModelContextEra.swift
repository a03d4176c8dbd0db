internal import JSON
internal import JSONRPC

/// The era of the Model Context Protocol in which a request is made, and so the shape of its result.
///
/// Each message says it by itself, so clients of both may share a connection.
enum ModelContextEra {
    /// The connection began with a handshake; up to 2025-11-25.
    case handshake
    /// The request names its version; from 2026-07-28 on.
    case modern

    /// The era of a request with these params.
    ///
    /// - Throws: -32022 where it names a version that is not spoken, -32602 where its `_meta` is incomplete.
    init(_ params: JSON?) throws(RPCError) {
        guard let meta = params?["_meta"] else {
            self = .handshake
            return
        }
        guard meta.object != nil else {
            throw .invalidParams(path: "/params/_meta", reason: "mistypedParam", "_meta must be an object")
        }
        guard let version = meta[ModelContext.Meta.version] else {
            self = .handshake
            return
        }
        guard let text = version.string else {
            throw Self.mistyped(ModelContext.Meta.version, "a string, such as \(ModelContext.modernVersions[0])")
        }
        guard ModelContext.modernVersions.contains(text) else { throw Self.unsupported(text) }
        guard meta[ModelContext.Meta.clientCapabilities]?.object != nil else {
            throw Self.mistyped(ModelContext.Meta.clientCapabilities, "an object")
        }
        self = .modern
    }

    /// The error for a request that only a modern client can make, and that names no version.
    static let noVersion = mistyped(ModelContext.Meta.version, "there")

    private static func mistyped(_ name: String, _ needed: String) -> RPCError {
        .invalidParams(
            path: "/params/_meta/" + JSONPointer.escape(name),
            reason: "mistypedParam",
            "in _meta \(name) must be \(needed)"
        )
    }

    private static func unsupported(_ version: String) -> RPCError {
        let known = ModelContext.modernVersions.joined(separator: ", ")
        return RPCError(
            .unsupportedProtocolVersion,
            reason: "unsupportedProtocolVersion",
            "MCP's version \(version) is not spoken here; name one of \(known), or begin with initialize",
            details: [
                "supported": JSON(ModelContext.modernVersions.map(JSON.string)), "requested": .string(version),
            ]
        )
    }

    /// A result of these members in the era's shape.
    ///
    /// - Parameters:
    ///   - members: The members that both eras have.
    ///   - isConstant: Whether it is the same as long as the process runs, so that a client may keep it.
    ///   - meta: Members of `_meta`.
    /// - Returns: The result.
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
    /// A version of the Model Context Protocol that is not spoken here.
    static let unsupportedProtocolVersion = RPCError.Code(rawValue: -32022)
}
