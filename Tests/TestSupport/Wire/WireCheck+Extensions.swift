import JSON

// Messages between the host and its extensions.

extension WireCheck {
    mutating func hostTells(_ bundle: String, _ message: JSON) {
        guard var peer = peers[bundle] else { return add("the recording does not say what \(bundle) is") }
        defer { peers[bundle] = peer }
        // A process whose answer the host refused is killed: it may only still be sent that presentations ended.
        if message["method"] != "didDismiss" {
            if let (record, sentences) = peer.wrongActivation { sentences.forEach { add($0, record) } }
            peer.wrongActivation = nil
        }
        guard let name = message["method"]?.string else {
            let caller = peer.role.caller
            let call = peer.asking.removeRequest(answeredBy: message) { [contract] call in
                contract.findings(in: message, to: call, from: caller).isEmpty
            }
            return checkAnswer(message, to: call, from: caller)
        }
        guard let method = contract.called[peer.role]?[name] else {
            return add("the document has no method \(name) of a \(peer.role)")
        }
        checkMembers(message, ["jsonrpc"] + (method.result == nil ? [] : ["id"]) + ["method", "params"])
        method.problems(in: message["params"], from: peer.role.caller, isClosed: true).forEach { add($0.sentence) }
        // A destination may have several batches at once; nothing is called before activation.
        if method.result != nil, let open = peer.asked.methods.first(where: { $0 != "deliver" }) {
            add("the host calls \(name) while \(open) is not answered")
        }
        peer.asked.add(message, line: record?.number ?? 0)
    }

    mutating func bundle(_ bundle: String, tellsHost message: JSON) {
        guard let record, message.object != nil, var peer = peers[bundle] else { return }
        defer { peers[bundle] = peer }
        guard message["method"] == nil else {
            peer.asking.add(message, line: record.number)
            return
        }
        // A message that is not JSON-RPC 2.0 answers nothing.
        guard message["jsonrpc"] == "2.0",
            let call = peer.asked.removeRequest(answeredBy: message, fits: { _ in true }),
            let method = contract.called[peer.role]?[call.method], let schema = method.result
        else { return }
        let said = message["result"]?["diagnostics"]?.array.map(Array.init) ?? []
        saidReasons.formUnion(said.compactMap { $0["reason"]?.string })
        let wrong = problems(in: message, schema).map { "the host accepted in the answer to \(method.name): \($0)" }
        guard !wrong.isEmpty else { return }
        guard method.name != "activate" else {
            peer.wrongActivation = (record, wrong)
            return
        }
        refusals.add(
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
        case (nil, let error?): contract.foreignError.findings(in: error).map { "in the error, \($0)" }
        case (nil, nil): ["neither a result nor an error"]
        case (_?, _?): ["both a result and an error"]
        }
    }
}
