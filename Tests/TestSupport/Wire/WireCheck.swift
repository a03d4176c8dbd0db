public import Foundation
import JSON

/// Compares every line of a recording with the documents of the contract.
///
/// What the host writes must be in them to the last member. What it accepts must fit them, so that it
/// takes nothing that they refuse. What others write by mistake, and the host refuses, is no finding.
public struct WireCheck {
    /// What stands for the client in a recording.
    private static let client = "client"
    private static let host = "host"
    /// The most findings that a recording gives: the first are the ones to look at.
    private static let limit = 20

    private struct Peer {
        var role = WireRole.content
        /// What the host asked it.
        var asked = WireCalls()
        /// What it asked the host.
        var asking = WireCalls()
    }

    let contract: WireContract
    private(set) var findings: [WireFinding] = []
    private var client = WireCalls()
    private var peers: [String: Peer] = [:]
    private var topics: Set<String> = []
    private var record: WireRecording.Record?

    private init(_ contract: WireContract) { self.contract = contract }

    /// Everything in a recording that the documents of this repository do not have.
    ///
    /// - Parameter data: The bytes of the file; their end may be cut off, as by a host that was killed.
    /// - Returns: The first findings, in the order of the recording.
    /// - Throws: Where the documents themselves cannot be read.
    public static func findings(in data: Data) throws -> [WireFinding] {
        var check = WireCheck(try WireContract.repository.get())
        let recording = WireRecording(data)
        for line in recording.damage {
            check.findings.append(WireFinding(line: line, sentence: "the record cannot be read", record: ""))
        }
        if !recording.hasHeader {
            check.findings.append(WireFinding(line: 1, sentence: "the recording has no header", record: ""))
        }
        for record in recording.records where check.findings.count < limit { check.look(at: record, recording) }
        return check.findings
    }

    // MARK: Records

    private mutating func look(at record: WireRecording.Record, _ recording: WireRecording) {
        self.record = record
        if !record.isLine, let (bundle, role) = record.bundle { peers[bundle, default: Peer()].role = role }
        if record.isEnd {
            peers[record.from]?.asked.removeAll()
            peers[record.from]?.asking.removeAll()
        }
        guard record.isLine, record.to != "stderr" else { return }
        if record.from == Self.host {
            // A host that is killed, or whose reader goes, leaves half a line.
            guard !record.isPartial else { return }
            guard let messages = record.messages else { return add("the host wrote what is no JSON") }
            if messages.isEmpty { add("the host wrote an empty array") }
            for message in messages {
                if record.to == Self.client { hostTellsClient(message) } else { hostTells(record.to, message) }
            }
        } else {
            for message in record.messages ?? [] {
                if record.from == Self.client {
                    client.add(message, line: record.number)
                } else {
                    bundle(record.from, tellsHost: message, recording)
                }
            }
        }
    }

    mutating func add(_ sentence: String) {
        guard let record else { return }
        let text = record.json.description
        let short = text.count > 2_000 ? "\(text.prefix(2_000))…" : text
        findings.append(WireFinding(line: record.number, sentence: sentence, record: short))
    }

    // MARK: The host to its client

    private mutating func hostTellsClient(_ message: JSON) {
        guard message["method"] == nil else { return checkNotification(message) }
        let call = client.take(message) { [contract] call in
            contract.findings(in: message, to: call, from: Self.client).isEmpty
        }
        checkAnswer(message, to: call, from: Self.client)
        if call?.method == "subscribe" { topics.formUnion(message["result"]?["topics"].texts ?? []) }
    }

    private mutating func checkNotification(_ message: JSON) {
        let name = message["method"]?.string ?? ""
        checkMembers(message, ["jsonrpc", "method", "params"])
        // What a flush tells a client of that protocol, which asked for it with a token.
        if name == "notifications/progress", message["params"]?["progressToken"] != nil { return }
        guard let notification = contract.notifications[name] else {
            return add("the document has no notification \(name)")
        }
        if !topics.contains(name) { add("nobody subscribed to \(name)") }
        if message["params"]?.array != nil { add("a notification's params are by name") }
        notification.problems(in: message["params"], from: Self.client, isClosed: true).forEach { add($0.sentence) }
    }

    // MARK: Answers of the host

    private mutating func checkAnswer(_ answer: JSON, to call: WireCalls.Call?, from caller: String) {
        checkMembers(answer, ["jsonrpc", "id", answer["error"] == nil ? "result" : "error"])
        guard let call else {
            guard let error = answer["error"] else { return add("a result that nobody asked for") }
            // What is no request, or a second one of an id, is refused under null.
            if answer["id"] != .null { add("an error under an id that nobody used") }
            let isRefusal = error["code"] == -32700 || error["code"] == -32600
            if !isRefusal { add("an error that says of no request what is wrong") }
            return contract.findings(inError: error).forEach { add($0) }
        }
        contract.findings(in: answer, to: call, from: caller).forEach { add($0) }
    }

    private mutating func checkMembers(_ message: JSON, _ names: [String]) {
        if message["jsonrpc"] != "2.0" { add("a message's jsonrpc is not 2.0") }
        for name in names where message[name] == nil { add("a message of the host lacks \(name)") }
        guard message.object?.count != names.count else { return }
        for (name, _) in message.object ?? JSON.Object([]) where !names.contains(name) {
            add("a message of the host has the member \(name)")
        }
    }

    // MARK: The host and extensions

    private mutating func hostTells(_ bundle: String, _ message: JSON) {
        var peer = peers[bundle] ?? Peer()
        defer { peers[bundle] = peer }
        guard let name = message["method"]?.string else {
            let caller = peer.role.caller
            let call = peer.asking.take(message) { [contract] call in
                contract.findings(in: message, to: call, from: caller).isEmpty
            }
            return checkAnswer(message, to: call, from: caller)
        }
        guard let method = contract.called[peer.role]?[name] else {
            return add("the document has no method \(name) of a \(peer.role)")
        }
        checkMembers(message, ["jsonrpc"] + (method.result == nil ? [] : ["id"]) + ["method", "params"])
        method.problems(in: message["params"], from: peer.role.caller, isClosed: true).forEach { add($0.sentence) }
        peer.asked.add(message, line: record?.number ?? 0)
    }

    private mutating func bundle(_ bundle: String, tellsHost message: JSON, _ recording: WireRecording) {
        guard message.object != nil else { return }
        var peer = peers[bundle] ?? Peer()
        defer { peers[bundle] = peer }
        guard message["method"] == nil else {
            peer.asking.add(message, line: record?.number ?? 0)
            return
        }
        guard let call = peer.asked.take(message, fits: { _ in true }), let result = message["result"],
            let method = contract.called[peer.role]?[call.method], let schema = method.result
        else { return }
        let wrong = schema.findings(in: result)
        guard !wrong.isEmpty, !recording.tellsOfFault(of: bundle, after: record?.number ?? 0) else { return }
        wrong.forEach { add("the host accepted in the result of \(method.name): \($0)") }
    }
}
