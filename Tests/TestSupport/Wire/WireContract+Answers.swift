import JSON

/// How the contract judges what the host answers.
extension WireContract {
    /// What of an answer, or of the request that it accepts, the documents do not have.
    func findings(in answer: JSON, to call: WireCalls.Call, from caller: String) -> [String] {
        let method = host[call.method].flatMap { $0.callers.contains(caller) ? $0 : nil }
        if let error = answer["error"] {
            return findings(inError: error, of: method, named: call.method)
        }
        guard let method else { return ["the document has no method \(call.method) for the \(caller), and it has a result"] }
        guard let result = answer["result"] else { return ["neither a result nor an error"] }
        let wrong = method.result?.findings(in: result, isClosed: true) ?? []
        return wrong.map { "in the result of \(method.name), \($0)" }
            + method.findings(in: call.params, from: caller, isClosed: false)
                .map { "accepted in line \(call.line), and the document refuses it: \($0)" }
    }

    /// What of an error the documents do not have; without a method one of what is no request.
    func findings(inError error: JSON, of method: WireMethod? = nil, named name: String = "") -> [String] {
        var findings = self.error.findings(in: error, isClosed: true).map { "in the error, \($0)" }
        let known = WireError(code: error["code"]?.integer ?? 0, reason: error["data"]?["reason"]?.string ?? "")
        let isMissing = known.code == -32601
        if isMissing, method != nil { findings.append("the document has the method \(name), and the host does not") }
        if !isMissing, method == nil, !name.isEmpty, !general.contains(known) {
            findings.append("the document has no method \(name), and the host knows it")
        } else if !general.contains(known), !(method?.errors.contains(known) ?? false) {
            findings.append("the document has no error \(known.code) \(known.reason) of \(name)")
        }
        return findings
    }
}
