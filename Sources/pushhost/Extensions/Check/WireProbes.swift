internal import ExtensionHost
internal import HostClient
internal import JSON
internal import Platform

/// Tests, on the extension's own pipes, messages that the contract allows a host to send but that no current host sends.
///
/// Only here the check itself plays the host: it sends the calls of a real host with other ids, in pieces and with further
/// members. The real hosts of the trial run validate the results of the calls.
final class WireProbes {
    private let setup: TrialSetup
    private let activation: JSON
    private let notification: JSON
    private let signals: SignalSource
    private let report: CheckReport
    /// Whether the media methods were tested in a host.
    private let hasMedia: Bool
    /// The process; nil before the first probe and after a failure.
    private var wire: ExtensionWire?
    /// The temporary folder of the processes.
    private let temporary: TemporaryFolder

    /// Probes that repeat the calls of a real host, which the recording holds.
    init(
        _ setup: TrialSetup,
        _ recording: TrialRecording,
        _ signals: SignalSource,
        _ report: CheckReport,
        hasMedia: Bool
    ) throws(ClientError) {
        temporary = try .create(prefix: "pushhost-extension")
        self.setup = setup
        self.signals = signals
        self.report = report
        self.hasMedia = hasMedia
        activation = recording.params(of: "activate") ?? [:]
        notification = recording.params(of: "didReceive") ?? [:]
    }

    func run() throws(ClientError) {
        defer {
            wire?.kill()
            temporary.remove()
        }
        try probe(.unknownMembers, "unknown members are ignored", tryUnknownMembers)
        try probe(.ids, "each answer has the id of its call", tryIDs)
        try probe(.unknownMethod, "an unknown method is answered -32601") { wire throws(ProbeError) in
            let answer = try wire.call("noSuchMethod", ["notification": "none"])
            let code = answer["error"]?["code"]
            guard code == -32601 else { throw .failed("it answered \(CheckReport.excerpt(answer))") }
        }
        try probe(.unknownNotification, "an unknown notification is ignored") { wire throws(ProbeError) in
            try wire.notify("noSuchMethod", [:])
            try self.expectServed(wire)
        }
        try probe(
            .unknownTargets,
            "touches and presses of elements and actions that are not shown are answered",
            tryUnknownTargets
        )
        try probe(.pieces, "a line that arrives in pieces is one call") { wire throws(ProbeError) in
            let message = wire.request("didReceive", self.newNotification())
            try wire.writeInPieces(message)
            _ = try wire.answer(message["id"] ?? .null, "a line that came in pieces")
        }
        try probe(.twoLines, "two lines in one write are two calls") { wire throws(ProbeError) in
            let messages = [1, 2].map { _ in wire.request("didReceive", self.newNotification()) }
            try wire.send(messages)
            for message in messages { _ = try wire.answer(message["id"] ?? .null, "one of two lines in one write") }
        }
        try probe(.dismissed, "didDismiss is not answered, and calls about a dismissed presentation are", tryDismissed)
        if !hasMedia { try probe(.media, "mediaPlay and mediaPause are answered", tryMedia) }
        try probe(.endOfInput, "it exits when stdin ends") { wire throws(ProbeError) in
            try wire.close()
            self.wire = nil
        }
        try probe(.noStderr, "it works with stderr on /dev/null", readsErrors: false) {
            wire throws(ProbeError) in try self.expectServed(wire)
        }
        try probe(.deactivate, "after deactivate it exits with 0 and leaves no process behind") {
            wire throws(ProbeError) in
            try wire.notify("deactivate", [:])
            try wire.close()
            self.wire = nil
        }
    }

    // MARK: Probes

    private func tryUnknownMembers(_ wire: ExtensionWire) throws(ProbeError) {
        var params = newNotification()
        if let content = params["request"]?["content"], let request = params["request"]?.object {
            let more = JSON.object(request.setting("content", to: Self.extended(content)))
            params = params.object.map { .object($0.setting("request", to: Self.extended(more))) } ?? params
        }
        try expectResult(wire.call("didReceive", Self.extended(params)), "didReceive")
    }

    private func tryIDs(_ wire: ExtensionWire) throws(ProbeError) {
        let ids: [JSON] = ["a", "7", "", "ü/~\u{2028}\"\\", 0, -1, 9_007_199_254_740_991]
        for id in ids {
            let message = wire.request("didReceive", newNotification(), id: id)
            try wire.send([message])
            do throws(ProbeError) {
                _ = try wire.answer(id, "the call with the id \(id)")
            } catch {
                guard case .failed(let text) = error, let other = wire.strays.last?["id"] else { throw error }
                throw .failed("\(text); an answer has the id \(other)")
            }
        }
    }

    private func tryUnknownTargets(_ wire: ExtensionWire) throws(ProbeError) {
        let params = newNotification()
        try expectResult(wire.call("didReceive", params), "didReceive")
        let shown = params["notification"] ?? .null
        for (method, name) in [("interact", "element"), ("didReceiveResponse", "actionIdentifier")] {
            let params = JSON.object(JSON.Object([("notification", shown), (name, JSON("no-such-one"))]))
            try expectNoFault(wire.call(method, params), "\(method) of a target that is not shown")
        }
        try expectServed(wire)
    }

    private func tryDismissed(_ wire: ExtensionWire) throws(ProbeError) {
        let params = newNotification()
        let gone = params["notification"] ?? .null
        try expectNoFault(wire.call("didReceive", params), "didReceive")
        try wire.notify("didDismiss", ["notification": gone])
        let action = JSON.string(PressInputs.systemActions[0])
        let calls: [(String, JSON)] = [
            ("didReceiveResponse", ["notification": gone, "actionIdentifier": action]),
            ("interact", ["notification": gone, "element": "gone"]),
        ]
        for (method, params) in calls {
            try expectNoFault(wire.call(method, params), "\(method) about a dismissed presentation")
        }
        try expectServed(wire)
    }

    private func tryMedia(_ wire: ExtensionWire) throws(ProbeError) {
        let params = newNotification()
        try expectResult(wire.call("didReceive", params), "didReceive")
        for method in ["mediaPlay", "mediaPause"] {
            let answer = try wire.call(method, ["notification": params["notification"] ?? .null])
            guard answer["result"] != nil || answer["error"]?["code"] == -32601 else {
                throw .failed("\(method) was answered \(CheckReport.excerpt(answer))")
            }
        }
    }

    /// Tests that the next call is answered, and that there was no other answer.
    private func expectServed(_ wire: ExtensionWire) throws(ProbeError) {
        _ = try wire.call("didReceive", newNotification())
        guard let stray = wire.strays.first else { return }
        throw .failed("it sent an answer that belongs to no call: \(CheckReport.excerpt(stray))")
    }

    private func expectResult(_ answer: JSON, _ method: String) throws(ProbeError) {
        guard answer["result"] == nil else { return }
        throw .failed("it refused \(method): \(CheckReport.excerpt(answer["error"] ?? answer))")
    }

    private func expectNoFault(_ answer: JSON, _ call: String) throws(ProbeError) {
        guard answer["error"]?["code"] == -32603 else { return }
        throw .failed("\(call) was answered with an internal error: \(CheckReport.excerpt(answer))")
    }

    // MARK: Processes

    /// Performs a step in the running process, or in a new one if none runs; a failure ends the process.
    private func probe(
        _ step: CheckStep,
        _ sentence: String,
        readsErrors: Bool = true,
        _ body: (ExtensionWire) throws(ProbeError) -> Void
    ) throws(ClientError) {
        guard setup.steps.contains(step), setup.progress.begin(step.rawValue) else { return }
        // What earlier steps made the process write explains nothing of this one.
        let earlier = wire?.standardError ?? ""
        do throws(ProbeError) {
            let wire: ExtensionWire
            if let running = self.wire {
                wire = running
            } else {
                wire = try start(readsErrors: readsErrors, addsMembers: step == .unknownMembers)
            }
            wire.strays = []
            try body(wire)
            report.addFinding(.ok, step.rawValue, sentence)
        } catch {
            let whole = wire?.standardError ?? ""
            let log = whole.hasPrefix(earlier) ? String(whole.dropFirst(earlier.count)) : whole
            wire?.kill()
            wire = nil
            switch error {
            case .client(let error): throw error
            case .failed(let text): report.addFinding(.error, step.rawValue, text, stderr: log.isEmpty ? nil : log)
            }
        }
    }

    private func start(readsErrors: Bool, addsMembers: Bool) throws(ProbeError) -> ExtensionWire {
        let path: String
        let bundle: ExtensionBundle
        do throws(BundleProblem) {
            bundle = try ExtensionBundle(folder: setup.folder)
            path = try bundle.executablePath(hostFolder: setup.folders.host)
        } catch {
            throw .failed("it cannot be started: \(error.message)")
        }
        let confinement =
            setup.hasSandbox
            ? Confinement(
                bundle,
                executable: path,
                environment: setup.folders.extensionEnvironment,
                hostEnvironment: { [:] },
                temporary: temporary.path,
                attachments: nil,
                // A content extension is probed, for which a device is unlocked.
                isPhone: false
            ) : nil
        let launch = Program(
            path: path,
            environment: setup.folders.extensionEnvironment.merging(confinement?.variables ?? [:]) { $1 },
            directory: bundle.path,
            sandbox: confinement?.sandbox
        )
        let wire = try ExtensionWire(launch, signals, setup, readsErrors: readsErrors)
        self.wire = wire
        try expectResult(wire.call("activate", addsMembers ? Self.extended(activation) : activation), "activate")
        return wire
    }

    // MARK: Params

    private func newNotification() -> JSON {
        notification.object.map { .object($0.setting("notification", to: .string(UUID().uuidString.lowercased()))) }
            ?? notification
    }

    /// An object with members that the contract does not define.
    private static func extended(_ value: JSON) -> JSON {
        value.object.map { .object($0.setting("later", to: ["a": [.null]]).setting("_own", to: 1)) } ?? value
    }
}

/// A connection to a process of an extension that the check itself started, and in which it plays the host.
private final class ExtensionWire {
    private let connection: LineConnection
    private let setup: TrialSetup
    private var lastID: Int64 = 0
    private var stored: [String: JSON] = [:]
    private var saves: Int64 = 0
    /// Answers whose ids belong to no call.
    var strays: [JSON] = []

    /// Starts the process.
    init(
        _ launch: Program,
        _ signals: SignalSource,
        _ setup: TrialSetup,
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
            // The trial run in a host reports lines that are not messages.
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

/// Why a probe failed.
private enum ProbeError: Error {
    /// A signal interrupts the check.
    case client(ClientError)
    /// The extension violates the contract; how, as a sentence without its full stop.
    case failed(String)
}
