import JSON

// Messages from the host to its client.

extension WireCheck {
    mutating func checkMessageToClient(_ message: JSON) {
        guard message["method"] == nil else { return checkNotification(message) }
        let call = client.removeRequest(answeredBy: message) { [contract, isHandshaken] call in
            contract.findings(in: message, to: call, from: Self.client, afterHandshake: isHandshaken).isEmpty
        }
        checkAnswer(message, to: call, from: Self.client)
        guard let call, let record else { return }
        refusals.addAnswer(message, to: call, line: record.number)
        guard let result = message["result"] else { return }
        if call.method == "subscribe" { topics.formUnion(result["topics"].texts) }
        if call.method == "initialize" { isHandshaken = true }
        checkDiagnostics((call.method == "tools/call" ? result["structuredContent"] : result)?["diagnostics"])
    }

    /// The document lists the reasons of the host's own diagnostics; extensions choose theirs.
    private mutating func checkDiagnostics(_ diagnostics: JSON?) {
        for diagnostic in diagnostics?.array.map(Array.init) ?? [] {
            guard let reason = diagnostic["reason"]?.string, !contract.diagnosticReasons.contains(reason),
                !extensionReasons.contains(reason)
            else { continue }
            addFinding("the document has no diagnostic \(reason), and no extension sent it")
        }
    }

    // MARK: Notifications

    private mutating func checkNotification(_ message: JSON) {
        let name = message["method"]?.string ?? ""
        checkMembers(message, ["jsonrpc", "method", "params"])
        if let params = contract.modelContext.notifications[name] {
            params.findings(in: message["params"] ?? .null, isClosed: true).forEach { addFinding("in \(name), \($0)") }
            if let token = message["params"]?["progressToken"] { checkProgress(message, under: token) }
            return
        }
        guard let notification = contract.notifications[name] else {
            return addFinding("the document has no notification \(name)")
        }
        if !topics.contains(name) { addFinding("the client is not subscribed to \(name)") }
        if message["params"]?.array != nil { addFinding("a notification's params must be by name") }
        notification.problems(in: message["params"], from: Self.client, isClosed: true).forEach {
            addFinding($0.sentence)
        }
    }

    /// Progress is only sent for a token of an open request, and with growing values.
    private mutating func checkProgress(_ message: JSON, under token: JSON) {
        let calls = client.requests(withToken: token)
        guard let call = calls.last else { return addFinding("no open request has the progress token \(token)") }
        let value = message["params"]?["progress"]?.number ?? 0
        let key = token.description
        if let last = progress[key], calls.contains(where: { $0.number == last.call }), value <= last.value {
            addFinding("the progress for the token \(token) does not increase")
        }
        progress[key] = (call.number, value)
    }

    // MARK: Answers

    mutating func checkAnswer(_ answer: JSON, to call: WireCalls.Call?, from caller: String) {
        checkMembers(answer, ["jsonrpc", "id", answer["error"] == nil ? "result" : "error"])
        guard let call else {
            guard let error = answer["error"] else { return addFinding("a result without a request") }
            // The host refuses an invalid request, and one whose id is in flight, with the id null.
            if answer["id"] != .null { addFinding("an error with an id that no open request has") }
            let isRefusal = error["code"] == -32700 || error["code"] == -32600
            if !isRefusal { addFinding("an error without a request, whose code is neither -32700 nor -32600") }
            return contract.findings(inError: error).forEach { addFinding($0) }
        }
        contract.findings(in: answer, to: call, from: caller, afterHandshake: isHandshaken).forEach { addFinding($0) }
    }

    mutating func checkMembers(_ message: JSON, _ names: [String]) {
        if message["jsonrpc"] != "2.0" { addFinding("a message's jsonrpc is not 2.0") }
        for name in names where message[name] == nil { addFinding("a message of the host lacks \(name)") }
        guard message.object?.count != names.count else { return }
        for (name, _) in message.object ?? JSON.Object([]) where !names.contains(name) {
            addFinding("a message of the host has the member \(name)")
        }
    }
}
