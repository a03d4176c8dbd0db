internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Tries what the contract allows a host, but no host of today does, on the pipes of the extension itself.
///
/// Only here the check plays the host: with the calls that a real host made, under other ids, in other pieces and with
/// further members. What the calls are answered is validated by the real hosts of the dry run.
final class WireProbes {
    private let setup: DryRunSetup
    private let activation: JSON
    private let notification: JSON
    private let signals: SignalSource
    private let report: CheckReport
    private let hasMedia: Bool
    /// The process; nil before the first probe and after a failure.
    private var wire: ExtensionWire?

    /// Probes of an extension.
    ///
    /// - Parameters:
    ///   - setup: What is checked.
    ///   - recording: Has the calls of a real host.
    ///   - signals: The signals to this process.
    ///   - report: Gets what it finds.
    ///   - hasMedia: Whether the steps for media were taken in a host.
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
        try probe(.unknownMembers, "members that it does not know change nothing", tryUnknownMembers)
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
        try probe(.unknownTargets, "touches and presses of what is not shown are answered", tryUnknownTargets)
        try probe(.pieces, "a line that comes in pieces is one call") { wire throws(ProbeError) in
            let message = wire.request("didReceive", self.newNotification())
            try wire.writeInPieces(message)
            _ = try wire.answer(message["id"] ?? .null, "a line that came in pieces")
        }
        try probe(.twoLines, "two lines in one write are two calls") { wire throws(ProbeError) in
            let messages = [1, 2].map { _ in wire.request("didReceive", self.newNotification()) }
            try wire.send(messages)
            for message in messages { _ = try wire.answer(message["id"] ?? .null, "one of two lines in one write") }
        }
        try probe(.dismissed, "didDismiss is not answered, and calls about what is gone are", tryDismissed)
        if !hasMedia { try probe(.media, "mediaPlay and mediaPause are answered", tryMedia) }
        try probe(.endOfInput, "it ends when its stdin does") { wire throws(ProbeError) in
            try wire.close()
            self.wire = nil
        }
        try probe(.noStderr, "it works without a reader of its stderr", readsErrors: false) {
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
            try expectNoFault(wire.call(method, params), "\(method) of what is not shown")
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
            try expectNoFault(wire.call(method, params), "\(method) about what is gone")
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

    /// The next call is answered, and nothing else was.
    private func expectServed(_ wire: ExtensionWire) throws(ProbeError) {
        _ = try wire.call("didReceive", newNotification())
        guard let stray = wire.strays.first else { return }
        throw .failed("it answered what is not to be answered: \(CheckReport.excerpt(stray))")
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

    /// Takes a step with the running process, or with a new one; after a failure the next step gets a new one.
    private func probe(
        _ step: CheckStep,
        _ sentence: String,
        readsErrors: Bool = true,
        _ body: (ExtensionWire) throws(ProbeError) -> Void
    ) throws(ClientError) {
        guard setup.steps.contains(step) else { return }
        do throws(ProbeError) {
            let wire: ExtensionWire
            if let running = self.wire {
                wire = running
            } else {
                wire = try start(readsErrors: readsErrors, addsMembers: step == .unknownMembers)
            }
            wire.strays = []
            try body(wire)
            report.add(.ok, step.rawValue, sentence)
        } catch {
            let log = wire?.standardError ?? ""
            wire?.kill()
            wire = nil
            switch error {
            case .client(let error): throw error
            case .failed(let text): report.add(.error, step.rawValue, text, stderr: log.isEmpty ? nil : log)
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
        let launch = ChildProgram.Launch(
            path,
            directory: bundle.path,
            environment: setup.folders.extensionEnvironment
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

    /// An object with members that the contract does not have.
    private static func extended(_ value: JSON) -> JSON {
        value.object.map { .object($0.setting("later", to: ["a": [.null]]).setting("_own", to: 1)) } ?? value
    }
}

/// Why a probe has no result.
enum ProbeError: Error {
    /// The process cannot be used, or a signal interrupts the check.
    case client(ClientError)
    /// The extension does not keep the contract: what it did.
    case failed(String)
}
