internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Tests, on the extension's own pipes, messages that the contract allows a host to send but that no current host sends.
///
/// Only here the check itself plays the host: it sends the calls of a real host with other ids, in pieces and with further
/// members. The real hosts of the dry run validate the results of the calls.
final class WireProbes {
    private let setup: DryRunSetup
    private let activation: JSON
    private let notification: JSON
    private let signals: SignalSource
    private let report: CheckReport
    private let hasMedia: Bool
    /// The process; nil before the first probe and after a failure.
    private var wire: ExtensionWire?

    /// - Parameters:
    ///   - setup: What is checked.
    ///   - recording: Holds the calls of a real host.
    ///   - signals: The signals to this process.
    ///   - report: Receives the findings.
    ///   - hasMedia: Whether the media methods were tested in a host.
    init(
        _ setup: DryRunSetup,
        _ recording: DryRunRecording,
        _ signals: SignalSource,
        _ report: CheckReport,
        hasMedia: Bool
    ) {
        self.setup = setup
        self.signals = signals
        self.report = report
        self.hasMedia = hasMedia
        activation = recording.params(of: "activate") ?? [:]
        notification = recording.params(of: "didReceive") ?? [:]
    }

    func run() throws(ClientError) {
        defer { wire?.kill() }
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
        let launch = Program(
            path: path,
            environment: setup.folders.extensionEnvironment,
            directory: bundle.path
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

/// Why a probe failed.
enum ProbeError: Error {
    /// A signal interrupts the check.
    case client(ClientError)
    /// The extension violates the contract; how, as a sentence without its full stop.
    case failed(String)
}
