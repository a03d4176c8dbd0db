import JSON

/// How the contract applies to the host's answers.
extension WireContract {
    /// Everything in an answer, and in the request that it accepts, that the documents do not declare.
    func findings(
        in answer: JSON,
        to call: WireCalls.Call,
        from caller: String,
        afterHandshake isHandshaken: Bool = false
    ) -> [String] {
        if caller == "client", modelContext.includes(call.method, afterHandshake: isHandshaken) {
            return findings(in: answer, toModel: call)
        }
        let method = host[call.method].flatMap { $0.callers.contains(caller) ? $0 : nil }
        if let error = answer["error"] { return findings(inError: error, of: method, named: call.method) }
        guard let method else {
            return ["the document has no method \(call.method) for the \(caller), which has a result"]
        }
        guard let result = answer["result"] else { return ["neither a result nor an error"] }
        return findings(inResult: result, of: method) + acceptedDeviations(of: call)
            + acceptedDeviations(in: call.params, of: method, from: caller, result, call.line)
    }

    /// Deviations of an accepted request from JSON-RPC 2.0.
    private func acceptedDeviations(of call: WireCalls.Call) -> [String] {
        call.isVersioned ? [] : ["accepted in line \(call.line), whose jsonrpc is not 2.0"]
    }

    /// Everything in a result that the document does not declare.
    func findings(inResult result: JSON, of method: WireMethod) -> [String] {
        // The schema of this result only requires an object.
        if method.name == "rpc.discover", result != discovery { return ["rpc.discover returns another document"] }
        let findings = method.result?.findings(in: result, isClosed: true) ?? []
        return findings.map { "in the result of \(method.name), \($0)" }
    }

    /// Accepted params that the document forbids, except those that a diagnostic in the result reports as ignored.
    func acceptedDeviations(
        in params: JSON?,
        of method: WireMethod,
        from caller: String,
        _ result: JSON,
        _ line: Int
    ) -> [String] {
        let problems = method.problems(in: params, from: caller, isClosed: false)
        guard !problems.isEmpty else { return [] }
        let ignored = (result["diagnostics"]?.array ?? JSON.Array([]))
            .filter { $0["reason"] == "ignoredMember" }.compactMap { $0["path"]?.string }
        return problems.filter { problem in !ignored.contains { "\(problem.path)/".hasPrefix("\($0)/") } }
            .map { "accepted in line \(line), and the document forbids it: \($0.sentence)" }
    }

    /// Everything in an error that the documents do not declare; without a method, the error answers an invalid request.
    func findings(inError error: JSON, of method: WireMethod? = nil, named name: String = "") -> [String] {
        var findings = errorSchema.findings(in: error, isClosed: true).map { "in the error, \($0)" }
        let received = WireError(error)
        let isMissing = received.code == -32601
        if isMissing, method != nil { findings.append("the document has the method \(name), and the host does not") }
        if !isMissing, method == nil, !name.isEmpty, !generalErrors.contains(received) {
            findings.append("the document has no method \(name), and the host knows it")
        } else if !generalErrors.contains(received), !(method?.errors.contains(received) ?? false) {
            findings.append("the document has no error \(received.code) \(received.reason) of \(name)")
        }
        return findings
    }

    // MARK: The Model Context Protocol

    /// The same for an answer to a method of the Model Context Protocol.
    ///
    /// A tool call is a call of the contract's method, and its structured content is that method's result.
    private func findings(in answer: JSON, toModel call: WireCalls.Call) -> [String] {
        if let error = answer["error"] {
            let received = WireError(error)
            let isKnown = generalErrors.contains(received) || (received.code < 0 && errors.contains(received))
            return errorSchema.findings(in: error, isClosed: true).map { "in the error, \($0)" }
                + (isKnown ? [] : ["the document has no error \(received.code) \(received.reason) of \(call.method)"])
        }
        guard let result = answer["result"] else { return ["neither a result nor an error"] }
        guard let schema = modelContext.result(of: call) else {
            return ["the document has no result of \(call.method) in the version of MCP that the request names"]
        }
        let findings =
            acceptedDeviations(of: call)
            + schema.findings(in: result, isClosed: true).map { "in the result of \(call.method), \($0)" }
        return call.method == "tools/call" ? findings + self.findings(inToolResult: result, of: call) : findings
    }

    private func findings(inToolResult result: JSON, of call: WireCalls.Call) -> [String] {
        let name = call.contractMethod
        guard let method = host[name], method.callers.contains("client"), method.isTool else {
            return ["the tool \(name) has a result, but the document has no such method for clients"]
        }
        if result["isError"] == true {
            return result["_meta"]?["pushhost/error"].map { findings(inError: $0, of: method, named: name) } ?? []
        }
        guard let content = result["structuredContent"] else { return [] }
        return findings(inResult: content, of: method)
            + acceptedDeviations(in: call.params?["arguments"], of: method, from: "client", content, call.line)
    }
}
