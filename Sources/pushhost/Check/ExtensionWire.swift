internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// A process of an extension that the check started itself, and the host's part of the conversation.
final class ExtensionWire {
    private let connection: LineConnection
    private let setup: DryRunSetup
    private var lastID: Int64 = 0
    private var stored: [String: JSON] = [:]
    private var saves: Int64 = 0
    /// Answers that belong to no call.
    var strays: [JSON] = []

    /// Starts the process.
    init(
        _ launch: ChildProgram.Launch,
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

    /// Calls a method and waits for the answer.
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
        // The first bytes one by one; all of them would take a second.
        var size = 1
        while !rest.isEmpty {
            connection.write(rest.prefix(size))
            try Self.translating { () throws(ClientError) in try connection.waitUntilRead(until: deadline) }
            rest = rest.dropFirst(size)
            if rest.count % 16 == 0 { size = max(size, rest.count / 16) }
        }
    }

    /// The answer to a call; what the extension asks meanwhile is answered.
    func answer(_ id: JSON, _ subject: String) throws(ProbeError) -> JSON {
        let deadline = Clock.monotonic() + Int64(setup.callDeadline)
        while true {
            let line = try Self.translating { () throws(ClientError) in try connection.nextLine(until: deadline) }
            guard let line else { throw .failed(try noAnswer(subject)) }
            // What is not a message the dry run in a host reports.
            guard let message = try? JSON(parsing: line), message.object != nil else { continue }
            if message["method"] != nil {
                try serve(message)
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
        return "it \(end.map { "ended \($0)" } ?? "closed its stdout") before it answered \(subject)"
    }

    // MARK: The host's part

    /// Answers what the extension asks, with a member more than the contract has.
    private func serve(_ message: JSON) throws(ProbeError) {
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
        guard end == .exited(code: 0) else { throw .failed("it ended \(end) after the end of its stdin") }
        // The system reports no event for the end of a group.
        while connection.program.hasGroup, Clock.monotonic() < deadline {
            try Self.translating { () throws(ClientError) in try connection.wait(until: Clock.monotonic() + 5) }
        }
        guard connection.program.hasGroup else { return }
        connection.program.killGroup()
        throw .failed("it left a process behind in its group")
    }

    /// Kills it with its group, and waits for that.
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
