internal import Calls
internal import JSON
internal import JSONRPC

/// The implementation of a method of the Model Context Protocol.
typealias ModelContextMethod = (ModelContextService, ModelContextRequest) throws -> HostMethod.Outcome

/// A call of a method of the Model Context Protocol.
struct ModelContextRequest {
    let call: Call
    let peer: Peer
    let arguments: Arguments

    /// The era of the request, for methods whose result depends on it.
    func era() throws(RPCError) -> ModelContextEra { try ModelContextEra(call.params) }

    /// The token for progress notifications about the call; nil if the client requests none.
    var progressToken: JSON? {
        let token = call.params?["_meta"]?["progressToken"]
        return token?.string == nil && token?.integer == nil ? nil : token
    }
}

extension MethodTable<ModelContextMethod> {
    /// The methods of the Model Context Protocol.
    static var modelContext: MethodTable<ModelContextMethod> {
        var table = MethodTable()
        table.add("server/discover") { _, request in
            guard case .modern = try request.era() else { throw ModelContextEra.missingVersion }
            let members: [(String, JSON)] = [
                ("supportedVersions", JSON(ModelContext.modernVersions.map(JSON.string))),
                ("capabilities", ModelContext.capabilities),
                ("instructions", .string(ModelContext.instructions)),
            ]
            return .done(ModelContextEra.modern.result(members, isConstant: true))
        }
        table.add("initialize", ["protocolVersion", "capabilities?", "clientInfo?"]) { _, request in
            let requested = try request.arguments.string("protocolVersion")
            let version = ModelContext.handshakeVersions.first { $0 == requested } ?? ModelContext.handshakeVersions[0]
            request.peer.hasModelContext = true
            return .done([
                "protocolVersion": .string(version),
                "capabilities": ModelContext.capabilities,
                "serverInfo": ModelContext.serverInfo,
                "instructions": .string(ModelContext.instructions),
            ])
        }
        // Some clients require an empty result; the result of the contract's own `ping` has a member.
        table.add("ping") { _, _ in .done([:]) }
        table.add("notifications/initialized") { _, _ in .done([:]) }
        table.add("notifications/cancelled", ["requestId", "reason?"]) { _, request in
            let id = try request.arguments.value("requestId")
            guard id.string != nil || id.integer != nil else {
                throw request.arguments.mistyped("requestId", "a string or an integer")
            }
            // The work continues, but its result is not sent.
            request.call.session.call(withID: id)?.abandon()
            return .done([:])
        }
        table.add("tools/list", ["cursor?"]) { _, request in
            let era = try request.era()
            guard try request.arguments.optionalString("cursor") == nil else {
                let text = "the cursor is unknown: tools/list returns all tools at once and no cursor"
                throw RPCError.invalidParams(path: request.arguments.path("cursor"), text)
            }
            return .done(era.result([("tools", Tool.list)], isConstant: true))
        }
        table.add("tools/call", ["name", "arguments?"]) { service, request in
            try service.callTool(request)
        }
        return table
    }
}
