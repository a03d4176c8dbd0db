import JSON

// Messages between the host and its extensions.

extension WireCheck {
    mutating func checkMessage(_ message: JSON, toBundle bundle: String) {
        guard var peer = peers[bundle] else {
            return addFinding("the recording does not describe the bundle \(bundle)")
        }
        defer { peers[bundle] = peer }
        // The host kills a process whose answer to activate it refuses; until then it may only send it `didDismiss`.
        if message["method"] != "didDismiss" {
            if let (record, sentences) = peer.wrongActivation { sentences.forEach { addFinding($0, record) } }
            peer.wrongActivation = nil
        }
        guard let name = message["method"]?.string else {
            let caller = peer.role.caller
            let call = peer.requestsToHost.removeRequest(answeredBy: message) { [contract] call in
                contract.findings(in: message, to: call, from: caller).isEmpty
            }
            return checkAnswer(message, to: call, from: caller)
        }
        guard let method = contract.methodsOfExtensions[peer.role]?[name] else {
            return addFinding("the document has no method \(name) of a \(peer.role)")
        }
        checkMembers(message, ["jsonrpc"] + (method.result == nil ? [] : ["id"]) + ["method", "params"])
        method.problems(in: message["params"], from: peer.role.caller, isClosed: true).forEach {
            addFinding($0.sentence)
        }
        // A destination may have several batches at once, and a source a pull, a begin and a settle; nothing is called
        // before activation.
        let isAlone = { (open: String) in
            open != "deliver" && (name == open || !["pull", "begin", "settle", "check"].contains(open))
        }
        if method.result != nil, let open = peer.requestsFromHost.methods.first(where: isAlone) {
            addFinding("the host calls \(name) while \(open) is not answered")
        }
        peer.requestsFromHost.addRequest(message, line: record?.number ?? 0)
    }

    mutating func checkMessage(_ message: JSON, fromBundle bundle: String) {
        guard let record, message.object != nil, var peer = peers[bundle] else { return }
        defer { peers[bundle] = peer }
        guard message["method"] == nil else {
            peer.requestsToHost.addRequest(message, line: record.number)
            return
        }
        // A message that is not JSON-RPC 2.0 is not an answer.
        guard message["jsonrpc"] == "2.0",
            let call = peer.requestsFromHost.removeRequest(answeredBy: message, fits: { _ in true }),
            let method = contract.methodsOfExtensions[peer.role]?[call.method], let schema = method.result
        else { return }
        let diagnostics = message["result"]?["diagnostics"]?.array.map(Array.init) ?? []
        extensionReasons.formUnion(diagnostics.compactMap { $0["reason"]?.string })
        let wrong = problems(in: message, schema).map { "the host accepted in the answer to \(method.name): \($0)" }
        guard !wrong.isEmpty else { return }
        guard method.name != "activate" else {
            peer.wrongActivation = (record, wrong)
            return
        }
        refusals.addWrongAnswer(
            WireRefusals.WrongAnswer(
                bundle: bundle,
                method: method.name,
                asked: call.line,
                record: record,
                sentences: wrong
            )
        )
    }

    private func problems(in answer: JSON, _ schema: JSONSchema) -> [String] {
        switch (answer["result"], answer["error"]) {
        case (let result?, nil): schema.findings(in: result).map(\.description)
        case (nil, let error?): contract.extensionErrorSchema.findings(in: error).map { "in the error, \($0)" }
        case (nil, nil): ["neither a result nor an error"]
        case (_?, _?): ["both a result and an error"]
        }
    }
}
