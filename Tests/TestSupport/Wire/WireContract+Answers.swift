import JSON

/// How the contract applies to the host's answers.
extension WireContract {
    /// What the documents do not declare in an answer, or in the request that it accepts.
    func findings(
        in answer: JSON,
        to call: WireCalls.Call,
        from caller: String,
        afterHandshake isHandshaken: Bool = false
    ) -> [String] {
        if caller == "client", modelContext.has(call.method, afterHandshake: isHandshaken) {
            return findings(in: answer, toModel: call)
        }
        let method = host[call.method].flatMap { $0.callers.contains(caller) ? $0 : nil }
        if let error = answer["error"] { return findings(inError: error, of: method, named: call.method) }
        guard let method else {
            return ["the document has no method \(call.method) for the \(caller), which has a result"]
        }
        guard let result = answer["result"] else { return ["neither a result nor an error"] }
        return findings(inResult: result, of: method) + accepted(call)
            + accepted(call.params, by: method, from: caller, result, call.line)
    }

    /// Deviations from JSON-RPC 2.0 in the message itself that were accepted.
    private func accepted(_ call: WireCalls.Call) -> [String] {
        call.isVersioned ? [] : ["accepted in line \(call.line), whose jsonrpc is not 2.0"]
    }

    /// What the document does not declare in a result.
    func findings(inResult result: JSON, of method: WireMethod) -> [String] {
        // The schema only requires an object.
        if method.name == "rpc.discover", result != discovery { return ["rpc.discover answers another document"] }
        let findings = method.result?.findings(in: result, isClosed: true) ?? []
        return findings.map { "in the result of \(method.name), \($0)" }
    }

    /// Accepted params that the document refuses; what a diagnostic in the result names was not accepted.
    func accepted(
        _ params: JSON?,
        by method: WireMethod,
        from caller: String,
        _ result: JSON,
        _ line: Int
    ) -> [String] {
        let problems = method.problems(in: params, from: caller, isClosed: false)
        guard !problems.isEmpty else { return [] }
        let ignored = (result["diagnostics"]?.array ?? JSON.Array([]))
            .filter { $0["reason"] == "ignoredMember" }.compactMap { $0["path"]?.string }
        return problems.filter { problem in !ignored.contains { "\(problem.path)/".hasPrefix("\($0)/") } }
            .map { "accepted in line \(line), and the document refuses it: \($0.sentence)" }
    }

    /// What the documents do not declare in an error; without a method, in one for an invalid request.
    func findings(inError error: JSON, of method: WireMethod? = nil, named name: String = "") -> [String] {
        var findings = self.error.findings(in: error, isClosed: true).map { "in the error, \($0)" }
        let known = WireError(error)
        let isMissing = known.code == -32601
        if isMissing, method != nil { findings.append("the document has the method \(name), and the host does not") }
        if !isMissing, method == nil, !name.isEmpty, !general.contains(known) {
            findings.append("the document has no method \(name), and the host knows it")
        } else if !general.contains(known), !(method?.errors.contains(known) ?? false) {
            findings.append("the document has no error \(known.code) \(known.reason) of \(name)")
        }
        return findings
    }

    // MARK: The Model Context Protocol

    /// The same for an answer to a method of that protocol: a tool call is a call of the contract's method, and
    /// its structured content is that method's result.
    private func findings(in answer: JSON, toModel call: WireCalls.Call) -> [String] {
        if let error = answer["error"] {
            let known = WireError(error)
            let isKnown = general.contains(known) || (known.code < 0 && errors.contains(known))
            return self.error.findings(in: error, isClosed: true).map { "in the error, \($0)" }
                + (isKnown ? [] : ["the document has no error \(known.code) \(known.reason) of \(call.method)"])
        }
        guard let result = answer["result"] else { return ["neither a result nor an error"] }
        guard let schema = modelContext.result(of: call) else {
            return ["the document has no result of \(call.method) in the version of MCP that the request names"]
        }
        let findings =
            accepted(call)
            + schema.findings(in: result, isClosed: true).map { "in the result of \(call.method), \($0)" }
        return call.method == "tools/call" ? findings + self.findings(inToolResult: result, of: call) : findings
    }

    private func findings(inToolResult result: JSON, of call: WireCalls.Call) -> [String] {
        let name = call.contractMethod
        guard let method = host[name], method.callers.contains("client"), method.isTool else {
            return ["a tool that is no method of the document has a result"]
        }
        if result["isError"] == true {
            return result["_meta"]?["pushhost/error"].map { findings(inError: $0, of: method, named: name) } ?? []
        }
        guard let content = result["structuredContent"] else { return [] }
        return findings(inResult: content, of: method)
            + accepted(call.params?["arguments"], by: method, from: "client", content, call.line)
    }
}
