internal import JSON
internal import JSONRPC

/// What a method of the Model Context Protocol does.
typealias ModelContextMethod = (ModelContextService, ModelContextRequest) throws -> HostMethod.Outcome

/// A call of one of the protocol's methods.
struct ModelContextRequest {
    let call: Call
    let peer: Peer
    let arguments: Arguments

    /// The era in which it is made, where its result depends on that.
    func era() throws(RPCError) -> ModelContextEra { try ModelContextEra(call.params) }

    /// Under which the client wants to hear how the call goes on, where it asks for that.
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
            guard case .modern = try request.era() else { throw ModelContextEra.noVersion }
            let members: [(String, JSON)] = [
                ("supportedVersions", JSON(ModelContext.modernVersions.map(JSON.string))),
                ("capabilities", ModelContext.capabilities),
                ("instructions", .string(ModelContext.instructions)),
            ]
            return .done(ModelContextEra.modern.result(members, isConstant: true))
        }
        table.add("initialize", ["protocolVersion", "capabilities?", "clientInfo?"]) { _, request in
            let asked = try request.arguments.string("protocolVersion")
            let version = ModelContext.handshakeVersions.first { $0 == asked } ?? ModelContext.handshakeVersions[0]
            request.peer.hasModelContext = true
            return .done([
                "protocolVersion": .string(version),
                "capabilities": ModelContext.capabilities,
                "serverInfo": ModelContext.serverInfo,
                "instructions": .string(ModelContext.instructions),
            ])
        }
        // The contract's has a member, which clients that hold a result to be empty refuse.
        table.add("ping") { _, _ in .done([:]) }
        table.add("notifications/initialized") { _, _ in .done([:]) }
        table.add("notifications/cancelled", ["requestId", "reason?"]) { _, request in
            let id = try request.arguments.value("requestId")
            guard id.string != nil || id.integer != nil else {
                throw request.arguments.mistyped("requestId", "a string or an integer")
            }
            // What it began goes on, but nobody waits for the answer any more.
            request.call.session.call(withID: id)?.abandon()
            return .done([:])
        }
        table.add("tools/list", ["cursor?"]) { _, request in
            let era = try request.era()
            guard try request.arguments.optionalString("cursor") == nil else {
                let text = "there is no such cursor: all tools come at once"
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
