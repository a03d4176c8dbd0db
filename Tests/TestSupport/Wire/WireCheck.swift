public import Foundation
import JSON

/// Compares every line of a recording with the documents of the contract.
///
/// Every member that the host writes must be declared. Params that the host accepts must be valid, so that it
/// accepts nothing that the documents forbid. Invalid messages from others are not findings if the host refuses them.
public struct WireCheck {
    /// The name of the client in a recording.
    static let client = "client"
    private static let host = "host"
    /// The maximum number of findings for a recording; the first ones are the most useful.
    private static let limit = 20

    /// The state of an extension at the current record.
    struct Peer {
        var role = WireRole.content
        /// The host's open requests to it.
        var requestsFromHost = WireCalls()
        /// Its open requests to the host.
        var requestsToHost = WireCalls()
        /// An invalid answer to `activate`; a finding if the host then uses the extension instead of refusing the answer.
        var wrongActivation: (record: WireRecording.Record, sentences: [String])?
    }

    let contract: WireContract
    private var findings: [WireFinding] = []
    var client = WireCalls()
    var peers: [String: Peer] = [:]
    var refusals = WireRefusals()
    /// The client's subscriptions.
    var topics: Set<String> = []
    /// Whether the client began with the handshake of the Model Context Protocol.
    var isHandshaken = false
    /// The last progress value by token, with the number of its call.
    var progress: [String: (call: Int, value: Double)] = [:]
    /// The reasons of diagnostics that extensions created.
    var extensionReasons: Set<String> = []
    /// The current record.
    private(set) var record: WireRecording.Record?

    private init(_ contract: WireContract) { self.contract = contract }

    /// Returns everything in a recording that the documents of this repository do not declare.
    ///
    /// - Parameter data: The bytes of the file; the end may be truncated, as by a host that was killed.
    /// - Returns: The first findings, in the order of the recording.
    /// - Throws: If the documents themselves cannot be read.
    public static func findings(in data: Data) throws -> [WireFinding] {
        var check = WireCheck(try WireContract.repository.get())
        let recording = WireRecording(data)
        for line in recording.damage {
            check.findings.append(WireFinding(line: line, sentence: "the record cannot be read", record: ""))
        }
        if !recording.hasHeader {
            check.findings.append(WireFinding(line: 1, sentence: "the recording has no header", record: ""))
        }
        for record in recording.records {
            check.check(record)
            // The wrong answers that the host accepted are known only at the end.
            guard check.findings.count < limit else { return check.findings }
        }
        for answer in check.refusals.accepted { answer.sentences.forEach { check.addFinding($0, answer.record) } }
        return Array(check.findings.sorted { $0.line < $1.line }.prefix(limit))
    }

    // MARK: Records

    private mutating func check(_ record: WireRecording.Record) {
        self.record = record
        if !record.isLine, let (bundle, role) = record.bundle { peers[bundle, default: Peer()].role = role }
        if record.isEnd, let role = peers[record.from]?.role { peers[record.from] = Peer(role: role) }
        guard record.isLine, record.to != "stderr" else { return }
        if record.from == Self.host {
            // A host that is killed, or whose reader disconnects, leaves an incomplete line.
            guard !record.isPartial else { return }
            guard let messages = record.messages else { return addFinding("the host wrote a line that is not JSON") }
            if messages.isEmpty { addFinding("the host wrote an empty array") }
            for message in messages {
                if record.to == Self.client {
                    checkMessageToClient(message)
                } else {
                    checkMessage(message, toBundle: record.to)
                }
            }
        } else {
            for message in record.messages ?? [] {
                if record.from == Self.client {
                    if let call = client.addRequest(message, line: record.number) { refusals.addRequest(call) }
                } else {
                    checkMessage(message, fromBundle: record.from)
                }
            }
        }
    }

    /// Adds a finding about a record.
    ///
    /// - Parameters:
    ///   - sentence: What is wrong.
    ///   - record: The record; the current one by default.
    mutating func addFinding(_ sentence: String, _ record: WireRecording.Record? = nil) {
        guard let record = record ?? self.record else { return }
        let text = record.json.description
        let short = text.count > 2_000 ? "\(text.prefix(2_000))…" : text
        findings.append(WireFinding(line: record.number, sentence: sentence, record: short))
    }
}
