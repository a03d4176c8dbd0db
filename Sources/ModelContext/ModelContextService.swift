package import Calls
internal import JSON
package import JSONRPC
internal import Spelling

/// Handles calls of the Model Context Protocol, which clients may use besides the contract.
package final class ModelContextService {
    private let outbox: Outbox
    private lazy var ownMethods = MethodTable.modelContext

    package init(_ outbox: Outbox) { self.outbox = outbox }

    /// Handles a call whose method is not one of the contract's.
    ///
    /// Unknown members of its params are ignored, as MCP requires; the contract's own methods refuse them.
    package func handle(_ call: Call, of peer: Peer) {
        guard case .client = peer.role, let method = ownMethods[call.method] else {
            return outbox.finish(
                call,
                .failure(.methodNotFound(call.method, advice: advice(for: call.method, of: peer)))
            )
        }
        do {
            if call.params?.array != nil {
                let text = "params of \(call.method) must be an object"
                throw RPCError.invalidParams(path: "/params", reason: "mistypedParam", text)
            }
            let arguments = try method.signature.bind(call, allowsUnknown: true)
            let request = ModelContextRequest(call: call, peer: peer, arguments: arguments)
            guard case .done(let value) = try method.handler(self, request) else { return }
            outbox.finish(call, .success(value))
        } catch {
            outbox.finish(call, .failure(RPCError(error)))
        }
    }

    /// Advice for a caller that used an unknown method.
    private func advice(for method: String, of peer: Peer) -> String? {
        let names = peer.methods.signatures.map(\.name)
        if let near = EditDistance.nearest(method, in: names) { return "did you mean \(near)?" }
        switch peer.role {
        case .client: return "rpc.discover lists the methods"
        case .control, .extension: return "it may call \(names.joined(separator: ", "))"
        }
    }

    /// Calls the contract's method that a tool stands for, as if the client had called it, and converts the answer.
    fileprivate func callTool(_ request: ModelContextRequest) throws(RPCError) -> HostMethod.Outcome {
        let answer = ToolAnswer(era: try request.era())
        let name = try request.arguments.string("name")
        guard Tool.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }),
            let method = request.peer.methods[name]
        else {
            let text = "there is no tool \(JSON.string(name).excerpt()); tools/list returns all tools"
            throw .invalidParams(path: request.arguments.path("name"), text)
        }
        let arguments = try request.arguments.optionalObject("arguments") ?? JSON.Object([])
        let call = request.call.handOver(to: name, params: .object(arguments)) { answer.convert($0) }
        call.progressToken = request.progressToken
        request.peer.run(call, method)
        return .later
    }
}

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
