internal import JSON
package import JSONRPC

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

    /// A result in the shape of the era.
    ///
    /// - Parameters:
    ///   - members: The members that both eras have.
    ///   - isConstant: Whether the result stays the same while the process runs, so that a client may cache it.
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
    /// A version of the Model Context Protocol that the host does not support.
    package static let unsupportedProtocolVersion = RPCError.Code(rawValue: -32022)
}
