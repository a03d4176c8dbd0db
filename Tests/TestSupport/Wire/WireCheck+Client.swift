import JSON

// Messages from the host to its client.

extension WireCheck {
    mutating func hostTellsClient(_ message: JSON) {
        guard message["method"] == nil else { return checkNotification(message) }
        let call = client.removeRequest(answeredBy: message) { [contract, isHandshaken] call in
            contract.findings(in: message, to: call, from: Self.client, afterHandshake: isHandshaken).isEmpty
        }
        checkAnswer(message, to: call, from: Self.client)
        guard let call, let record else { return }
        refusals.add(message, to: call, line: record.number)
        guard let result = message["result"] else { return }
        if call.method == "subscribe" { topics.formUnion(result["topics"].texts) }
        if call.method == "initialize" { isHandshaken = true }
        checkRemarks((call.method == "tools/call" ? result["structuredContent"] : result)?["diagnostics"])
    }

    /// The reasons of the host's own diagnostics are in the document; extensions choose theirs.
    private mutating func checkRemarks(_ diagnostics: JSON?) {
        for diagnostic in diagnostics?.array.map(Array.init) ?? [] {
            guard let reason = diagnostic["reason"]?.string, !contract.remarks.contains(reason),
                !saidReasons.contains(reason)
            else { continue }
            add("the document has no diagnostic \(reason), and no extension said it")
        }
    }

    // MARK: Notifications

    private mutating func checkNotification(_ message: JSON) {
        let name = message["method"]?.string ?? ""
        checkMembers(message, ["jsonrpc", "method", "params"])
        if let params = contract.modelContext.notifications[name] {
            params.findings(in: message["params"] ?? .null, isClosed: true).forEach { add("in \(name), \($0)") }
            if let token = message["params"]?["progressToken"] { checkProgress(message, under: token) }
            return
        }
        guard let notification = contract.notifications[name] else {
            return add("the document has no notification \(name)")
        }
        if !topics.contains(name) { add("nobody subscribed to \(name)") }
        if message["params"]?.array != nil { add("a notification's params are by name") }
        notification.problems(in: message["params"], from: Self.client, isClosed: true).forEach { add($0.sentence) }
    }

    /// Progress is only sent for a token of an open request, and with growing values.
    private mutating func checkProgress(_ message: JSON, under token: JSON) {
        let calls = client.requests(withToken: token)
        guard let call = calls.last else { return add("no request that is open gave the token \(token)") }
        let value = message["params"]?["progress"]?.number ?? 0
        let key = token.description
        if let last = progress[key], calls.contains(where: { $0.number == last.call }), value <= last.value {
            add("the progress under the token \(token) does not grow")
        }
        progress[key] = (call.number, value)
    }

    // MARK: Answers

    mutating func checkAnswer(_ answer: JSON, to call: WireCalls.Call?, from caller: String) {
        checkMembers(answer, ["jsonrpc", "id", answer["error"] == nil ? "result" : "error"])
        guard let call else {
            guard let error = answer["error"] else { return add("a result that nobody asked for") }
            // An invalid request, and a second one with an id in flight, is refused with the id null.
            if answer["id"] != .null { add("an error under an id that nobody used") }
            let isRefusal = error["code"] == -32700 || error["code"] == -32600
            if !isRefusal { add("an error that says of no request what is wrong") }
            return contract.findings(inError: error).forEach { add($0) }
        }
        contract.findings(in: answer, to: call, from: caller, afterHandshake: isHandshaken).forEach { add($0) }
    }

    mutating func checkMembers(_ message: JSON, _ names: [String]) {
        if message["jsonrpc"] != "2.0" { add("a message's jsonrpc is not 2.0") }
        for name in names where message[name] == nil { add("a message of the host lacks \(name)") }
        guard message.object?.count != names.count else { return }
        for (name, _) in message.object ?? JSON.Object([]) where !names.contains(name) {
            add("a message of the host has the member \(name)")
        }
    }
}
