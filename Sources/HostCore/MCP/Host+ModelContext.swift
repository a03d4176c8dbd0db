internal import JSON
internal import JSONRPC
internal import Spelling

extension Host {
    /// Carries out a call of the Model Context Protocol, which clients may speak beside the contract.
    ///
    /// Its params take unknown members, as that protocol wants it; the contract's own stay strict.
    func handleModelContext(_ call: Call, of peer: Peer) {
        guard case .client = peer.role, let method = modelContextMethods[call.method] else {
            return finish(call, .failure(.methodNotFound(call.method, advice: advice(for: call.method, of: peer))))
        }
        do {
            if call.params?.array != nil {
                let text = "params of \(call.method) are an object"
                throw RPCError.invalidParams(path: "/params", reason: "mistypedParam", text)
            }
            let arguments = try method.signature.bind(call.params, allowsUnknown: true)
            let request = ModelContextRequest(call: call, peer: peer, arguments: arguments)
            guard case .done(let value) = try method.handler(self, request) else { return }
            finish(call, .success(value))
        } catch {
            finish(call, .failure(RPCError(error)))
        }
    }

    /// What a caller that misspelt a method can do.
    private func advice(for method: String, of peer: Peer) -> String? {
        let names = methods(of: peer).signatures.map(\.name)
        if let near = EditDistance.nearest(method, in: names) { return "did you mean \(near)?" }
        switch peer.role {
        case .client: return "rpc.discover lists the methods"
        case .extension: return "it may call \(names.joined(separator: ", "))"
        }
    }

    /// Calls the method of the contract that a tool is, as if the client had; only the answer is another.
    func callTool(_ request: ModelContextRequest) throws(RPCError) -> HostMethod.Outcome {
        let answer = ToolAnswer(era: try request.era())
        let name = try request.arguments.string("name")
        guard Tool.names.contains(where: { $0.utf8.elementsEqual(name.utf8) }), let method = clientMethods[name] else {
            let text = "there is no tool \(JSON.string(name).excerpt()); tools/list names those that are"
            throw .invalidParams(path: request.arguments.path("name"), text)
        }
        let arguments = try request.arguments.optionalObject("arguments") ?? JSON.Object([])
        let call = request.call.handOver(to: name, params: .object(arguments)) { answer($0) }
        call.progressToken = request.progressToken
        handle(call, of: request.peer, by: method)
        return .later
    }

    /// Tells whoever gave a progress token with a call how far it is, until it is answered.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - progress: What grows each time.
    ///   - message: The same in words.
    func tellProgress(of call: Call, _ progress: Int64, _ message: String) {
        guard let token = call.progressToken, !call.isAnswered else { return }
        notify(call.session, "notifications/progress") {
            ["progressToken": token, "progress": .integer(progress), "message": .string(message)]
        }
    }
}
