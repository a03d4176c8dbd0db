internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// A connection to a process of an extension that the check itself started, and in which it plays the host.
final class ExtensionWire {
    private let connection: LineConnection
    private let setup: DryRunSetup
    private var lastID: Int64 = 0
    private var stored: [String: JSON] = [:]
    private var saves: Int64 = 0
    /// Answers whose ids belong to no call.
    var strays: [JSON] = []

    /// Starts the process.
    init(
        _ launch: Program,
        _ signals: SignalSource,
        _ setup: DryRunSetup,
        readsErrors: Bool
    ) throws(ProbeError) {
        self.setup = setup
        connection = try Self.translating { () throws(ClientError) in
            try LineConnection(launch, signals: signals, readsErrors: readsErrors)
        }
    }

    /// The end of what it wrote to stderr.
    var standardError: String { connection.standardError }

    // MARK: Calls

    /// Sends a call and waits for its answer.
    func call(_ method: String, _ params: JSON) throws(ProbeError) -> JSON {
        let message = request(method, params)
        try send([message])
        return try answer(message["id"] ?? .null, method)
    }

    func request(_ method: String, _ params: JSON, id: JSON? = nil) -> JSON {
        lastID += 1
        return ["jsonrpc": "2.0", "id": id ?? .integer(lastID), "method": .string(method), "params": params]
    }

    func notify(_ method: String, _ params: JSON) throws(ProbeError) {
        try send([["jsonrpc": "2.0", "method": .string(method), "params": params]])
    }

    /// Writes messages, one per line, in one write.
    func send(_ messages: [JSON]) throws(ProbeError) {
        connection.write(messages.flatMap { $0.bytes + [UInt8(ascii: "\n")] })
    }

    /// Writes a message in pieces, each of which the extension reads before the next is written.
    func writeInPieces(_ message: JSON) throws(ProbeError) {
        let deadline = Clock.monotonic() + Int64(setup.callDeadline)
        var rest = (message.bytes + [UInt8(ascii: "\n")])[...]
        // The first bytes are written one by one; all bytes one by one would take a second.
        var size = 1
        while !rest.isEmpty {
            connection.write(rest.prefix(size))
            try Self.translating { () throws(ClientError) in try connection.waitUntilRead(until: deadline) }
            rest = rest.dropFirst(size)
            if rest.count % 16 == 0 { size = max(size, rest.count / 16) }
        }
    }

    /// Waits for the answer to a call, and answers the extension's own calls in the meantime.
    func answer(_ id: JSON, _ subject: String) throws(ProbeError) -> JSON {
        let deadline = Clock.monotonic() + Int64(setup.callDeadline)
        while true {
            let line = try Self.translating { () throws(ClientError) in try connection.nextLine(until: deadline) }
            guard let line else { throw .failed(try noAnswer(subject)) }
            // The dry run in a host reports lines that are not messages.
            guard let message = try? JSON(parsing: line), message.object != nil else { continue }
            if message["method"] != nil {
                try answerCall(message)
            } else if message["id"] == id {
                return message
            } else {
                strays.append(message)
            }
        }
    }

    private func noAnswer(_ subject: String) throws(ProbeError) -> String {
        guard connection.isAtEnd else { return "it did not answer \(subject) within \(setup.callDeadline) ms" }
        let deadline = Clock.monotonic() + Int64(setup.stopGrace)
        let end = try Self.translating { () throws(ClientError) in try connection.waitForEnd(until: deadline) }
        return "it \(end.map { "ended \($0.explanation)" } ?? "closed its stdout") before it answered \(subject)"
    }

    // MARK: Calls of the extension

    /// Answers a call of the extension, with a member that the contract does not define.
    private func answerCall(_ message: JSON) throws(ProbeError) {
        guard let id = message["id"], let method = message["method"]?.string else { return }
        let key = message["params"]?["key"]?.string ?? ""
        var result = JSON.Object([("_later", JSON.null)])
        switch method {
        case "store":
            stored[key] = message["params"]?["value"]
            result = result.setting("stored", to: true)
        case "retrieve": result = result.setting("value", to: stored[key] ?? .null)
        case "removeObject":
            result = result.setting("removed", to: stored.removeValue(forKey: key) == nil ? 0 : 1)
        case _ where method.hasPrefix("save"):
            saves += 1
            result = result.setting("id", to: .integer(saves))
        default: break
        }
        try send([["jsonrpc": "2.0", "id": id, "result": .object(result)]])
    }

    // MARK: The end

    /// Closes its stdin and waits for its end.
    func close() throws(ProbeError) {
        connection.closeInput()
        let deadline = Clock.monotonic() + Int64(setup.stopGrace)
        let end = try Self.translating { () throws(ClientError) in try connection.waitForEnd(until: deadline) }
        guard let end else { throw .failed("it still ran \(setup.stopGrace) ms after the end of its stdin") }
        guard end == .code(0) else { throw .failed("it ended \(end.explanation) after the end of its stdin") }
        // The system reports no event when the last process of a group ends, so this polls.
        while connection.program.hasGroup, Clock.monotonic() < deadline {
            try Self.translating { () throws(ClientError) in try connection.wait(until: Clock.monotonic() + 5) }
        }
        guard connection.program.hasGroup else { return }
        connection.program.killGroup()
        throw .failed("it left a process of its group behind")
    }

    /// Kills the process with its group, and waits for its end.
    func kill() {
        guard connection.program.end == nil else { return }
        connection.program.killGroup()
        while connection.program.poll() == nil { try? connection.wait(until: Clock.monotonic() + 100) }
    }

    private static func translating<Value>(
        _ body: () throws(ClientError) -> Value
    ) throws(ProbeError) -> Value {
        do throws(ClientError) { return try body() } catch {
            switch error {
            case .interrupted: throw .client(error)
            case .failed, .refused: throw .failed(error.text)
            }
        }
    }
}
