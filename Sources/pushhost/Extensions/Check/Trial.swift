internal import HostClient
internal import JSON
internal import Platform

/// The trial run of a bundle: real hosts load it, start it, show notifications, press elements and actions, and stop it.
final class Trial {
    private static let destination = "pushhost.destination"
    private static let source = "pushhost.source"
    private static let service = "com.apple.usernotifications.service"
    private static let personalization = "pushhost.personalization"

    let setup: TrialSetup
    let report: CheckReport
    /// A temporary folder for the suites and recordings of hosts.
    private let root: String
    private let signals: SignalSource
    private var hostCount = 0

    init(_ setup: TrialSetup, in root: String, _ signals: SignalSource, _ report: CheckReport) {
        self.setup = setup
        self.root = root
        self.signals = signals
        self.report = report
    }

    /// Whether a step is to be performed.
    func includes(_ step: CheckStep) -> Bool { setup.steps.contains(step) }

    /// Runs it, until a signal asks this process to end.
    func run() throws(ClientError) {
        try performAll()
        if setup.progress.isCut { return report.addFinding(.error, "deadline", setup.progress.reason) }
        for step in CheckStep.allCases where setup.named.contains(step) {
            guard !report.findings.contains(where: { $0.place == step.rawValue }) else { continue }
            report.addFinding(.skipped, step.rawValue, "this bundle gives no occasion for it")
        }
    }

    /// Loads the bundle and starts its extension, which answers the handshake; nothing else is tried.
    func start() throws(ClientError) {
        try withHost(["--log-level", "error"]) { host throws(ClientError) in
            guard let bundle = try self.load(host) else { return }
            try self.shakeHands(bundle, host)
        }
    }

    private func performAll() throws(ClientError) {
        var content: ContentTrial?
        let recording = try withHost(["--log-level", "error"]) { host throws(ClientError) in
            defer { host.reportSlowCalls() }
            guard let bundle = try self.load(host) else { return }
            content = try self.performSteps(bundle, host)
            try host.reportBehaviour(includesLog: true)
            if self.includes(.stop) { try self.stop(host) }
        }
        recording?.report(to: report, .all)
        guard let content, !setup.progress.isCut else { return }
        guard content.isShown else {
            report.addFinding(.skipped, "trial run", "the other steps need a notification that is shown")
            return
        }
        try content.runFurtherHosts(self)
        if let recording, !setup.steps.isDisjoint(with: CheckStep.ofWireProbes) {
            try WireProbes(setup, recording, signals, report, hasMedia: content.hasMedia).run()
        }
    }

    // MARK: Hosts

    /// Runs a host with further options, and reports its failures.
    ///
    /// - Returns: The recording of the host; nil if it has none.
    @discardableResult
    func withHost(
        _ options: [String] = [],
        _ body: (TrialHost) throws(ClientError) -> Void
    ) throws(ClientError) -> TrialRecording? {
        guard !setup.progress.isCut else { return nil }
        hostCount += 1
        let host: TrialHost
        do throws(ClientError) {
            host = try TrialHost(setup, in: "\(root)/\(hostCount)", options, signals, report)
        } catch {
            try reportUnlessInterrupted(error, log: nil)
            return nil
        }
        var failure: ClientError?
        do throws(ClientError) { try body(host) } catch { failure = error }
        var isInterrupted = false
        if case .interrupted = failure { isInterrupted = true }
        host.stop(isHasty: isInterrupted || setup.progress.isCut)
        if let failure { try reportUnlessInterrupted(failure, log: host.log) }
        return TrialRecording(path: host.recording)
    }

    private func reportUnlessInterrupted(_ error: ClientError, log: String?) throws(ClientError) {
        guard case .failed(let text) = error else { throw error }
        guard !setup.progress.isCut else { return }
        report.addFinding(.error, "host", text, stderr: log)
    }

    // MARK: Steps

    /// Performs the steps of the bundle's extension point.
    private func performSteps(_ bundle: JSON, _ host: TrialHost) throws(ClientError) -> ContentTrial? {
        let point = bundle["point"]?.string
        if point == Self.destination {
            try DestinationTrial(host: host, report: report, setup: setup).run(bundle)
            return nil
        }
        if point == Self.source {
            skipSource()
            return nil
        }
        let generated = generatedPayload(bundle)
        let source = TrialPayload(file: setup.payloadFile, folder: setup.folder, generated: generated, report)
        guard let payload = source else {
            report.addFinding(.warning, "start", "not started, because there is no payload to show")
            return nil
        }
        _ = try host.call("subscribe", ["topics": ["$/log"]])
        switch point {
        case Self.service: try ServiceTrial(host: host, report: report).serve(payload)
        case Self.personalization: try ServiceTrial(host: host, report: report).render(payload, folder: setup.folder)
        default:
            let content = ContentTrial(bundle, payload, report)
            try content.run(host, self)
            return content
        }
        return nil
    }

    private func skipSource() {
        let text = "not started, because only pushhost relay calls a source, and a pull would claim its records"
        report.addFinding(.skipped, "start", text)
    }

    /// A payload that reaches the bundle's extension; nil if it has no category, which the host has reported.
    private func generatedPayload(_ bundle: JSON) -> JSON? {
        switch bundle["point"]?.string {
        case Self.service: TrialPayload.ofService
        case Self.personalization: TrialPayload.ofPersonalization
        default: TrialPayload.of(bundle["categories"]?[0]?.string)
        }
    }

    /// Starts the extension with a call that needs it, and reports how that went; the rest of the call is not judged.
    private func shakeHands(_ bundle: JSON, _ host: TrialHost) throws(ClientError) {
        if bundle["point"]?.string == Self.source { return skipSource() }
        let reply: TrialReply
        if let destination = bundle["destinationName"] {
            reply = try host.call("flushPending", ["to": destination])
        } else if let payload = generatedPayload(bundle) {
            let isRenderer = bundle["point"]?.string == Self.personalization
            reply = try host.call("didReceive", JSON(present: ["payload": payload, "profile": isRenderer ? [:] : nil]))
        } else {
            return
        }
        guard try !host.reportActivation(report) else { return }
        // A notification is shown without a service extension that fails.
        guard let failure = reply.diagnostics.first(where: { $0["reason"] == "serviceFailed" }) else {
            return host.report(reply, at: "handshake")
        }
        report.addFinding(.error, "handshake", failure["message"]?.string ?? "")
    }

    /// Lets the host load the bundle.
    private func load(_ host: TrialHost) throws(ClientError) -> JSON? {
        let reply = try host.call("extensions")
        let bundle = reply.result?["extensions"]?[0]
        // There is no handshake with a source.
        let isSource = bundle?["point"]?.string == Self.source
        for problems in [reply.result?["problems"], bundle?["problems"]] {
            report.add(problems: problems, in: setup.folder, includesStart: isSource)
        }
        guard let bundle else {
            if report.errors == 0 { report.addFinding(.error, "load", "the host finds no extension in it") }
            return nil
        }
        let isValid = !report.findings.contains { $0.place == "Info.plist" && $0.severity != .ok }
        let isOfHost = [Self.destination, Self.source].contains(bundle["point"]?.string)
        let reader = isOfHost ? "the host" : "iOS"
        if isValid { report.addFinding(.ok, "Info.plist", "its keys and values are those that \(reader) knows") }
        let categories = bundle["categories"]?.array?.compactMap(\.string) ?? []
        let names = categories + [bundle["destinationName"], bundle["sourceName"]].compactMap { $0?.string }
        let what = names.isEmpty ? "" : ", for \(names.joined(separator: ", "))"
        report.addFinding(
            .ok,
            "load",
            (bundle["identifier"]?.string ?? "") + what,
            milliseconds: reply.milliseconds
        )
        return bundle
    }

    /// Stops the extension while the host keeps running and can report how the process ended.
    private func stop(_ host: TrialHost) throws(ClientError) {
        let reply = try host.call("reloadExtensions", ["force": true])
        let bundle = try host.bundle()
        let end = bundle?["ends"]?.array.flatMap { Array($0).last }
        // The end of a process that ended earlier is in the report already.
        if let end, end["cause"] == "bundleReloaded" {
            report.add(
                endAfterStop: end["exitCode"]?.integer.map(Int32.init),
                signal: end["signal"]?.integer.map(Int32.init),
                grace: Int64(setup.stopGrace),
                milliseconds: reply.milliseconds
            )
        }
        report.add(orphans: Int(bundle?["orphans"]?.integer ?? 0))
    }
}

/// The trial run of an extension that changes payloads: a service extension, or one that renders templates.
private struct ServiceTrial {
    let host: TrialHost
    let report: CheckReport

    /// Sends the notification through the service extension, for which the host starts it.
    func serve(_ payload: TrialPayload) throws(ClientError) {
        let reply = try host.call("didReceive", ["payload": payload.payload])
        let hasBegun = try host.reportActivation(report)
        guard reply.result != nil else { return host.report(reply, at: "notification") }
        let failure = reply.diagnostics.first { ["serviceFailed", "serviceSkipped"].contains($0["reason"]?.string) }
        // The trial run has no content extension to show the notification, which is not the service's fault.
        let others = reply.diagnostics.filter { $0 != failure && $0["reason"] != "noExtension" }
        report.add(diagnostics: JSON(others), payload.place)
        if let failure {
            if let cause = failure["cause"]?.string { host.noteReported(cause) }
            let text = failure["message"]?.string ?? ""
            report.addFinding(.error, "notification", text, milliseconds: reply.milliseconds)
        } else if !hasBegun {
            let text =
                "iOS does not pass it to a service extension, so nothing was tested; "
                + "aps needs an alert and \"mutable-content\": 1"
            report.addFinding(.error, payload.place, text)
        } else {
            let text = "\(payload.place) went through it"
            report.addFinding(.ok, "notification", text, milliseconds: reply.milliseconds)
        }
    }

    /// Lets the extension render the payload, for which the host starts it.
    func render(_ payload: TrialPayload, folder: String) throws(ClientError) {
        guard let profile = TrialPayload.profile(folder: folder, report) else { return }
        let reply = try host.call("didReceive", ["payload": payload.payload, "profile": profile])
        try host.reportActivation(report)
        guard reply.result != nil else { return host.report(reply, at: "notification") }
        // The trial run has no content extension to show the notification.
        report.add(diagnostics: JSON(reply.diagnostics.filter { $0["reason"] != "noExtension" }), payload.place)
        report.addFinding(.ok, "notification", "\(payload.place) was rendered", milliseconds: reply.milliseconds)
    }
}

/// The trial run of a destination: start, a batch without records, stop.
///
/// The batch goes through the host's delivery, but no record is delivered.
private struct DestinationTrial {
    let host: TrialHost
    let report: CheckReport
    let setup: TrialSetup

    /// Runs it with the bundle's entry in the result of `extensions`.
    func run(_ bundle: JSON) throws(ClientError) {
        // Only the destination knows whether it needs a variable, and says so when it starts or delivers.
        let names = bundle["environment"]?.array?.compactMap(\.string) ?? []
        let unset = names.filter { setup.folders.environment[$0] == nil }
        if !unset.isEmpty {
            let text = "not set here, so the destination does not get \(unset.count == 1 ? "it" : "them")"
            report.addFinding(.skipped, "environment", "\(unset.joined(separator: ", ")): \(text)")
        }
        guard let name = bundle["destinationName"] else { return }
        _ = try host.call("subscribe", ["topics": ["$/log"]])
        let reply = try host.call("flushPending", ["to": name])
        let hasBegun = try host.reportActivation(report)
        switch (reply.verdict, reply.reason) {
        case (.answered, _):
            report.add(diagnostics: reply.result?["diagnostics"], "deliver")
            let text = "a batch without records was answered"
            report.addFinding(.ok, "deliver", text, milliseconds: reply.milliseconds)
        case (_, "destinationStopped") where hasBegun, (.refused, _) where hasBegun:
            if let reason = reply.reason { host.noteReported(reason) }
            report.addFinding(.warning, "deliver", reply.problem, milliseconds: reply.milliseconds)
        default: host.report(reply, at: hasBegun ? "deliver" : "handshake")
        }
    }
}

/// The notification of a trial run.
struct TrialPayload {
    let payload: JSON
    /// Where the payload comes from, as the place of findings.
    let place: String
    /// Whether the payload was generated, and not written for this bundle.
    let isGenerated: Bool

    /// A payload for a content extension; nil without a category, which the host has reported.
    fileprivate static func of(_ category: String?) -> JSON? {
        category.map { ["aps": ["alert": ["title": "Title", "body": "Body"], "category": .string($0)]] }
    }

    /// A payload for a service extension.
    fileprivate static let ofService: JSON = [
        "aps": ["alert": ["title": "Title", "body": "Body"], "mutable-content": 1],
        "ab": ["att": ["url": "https://example.com/a.png", "type": "png"]],
    ]

    /// A payload for a personalization extension; it holds no template of any template language.
    fileprivate static let ofPersonalization: JSON = ["aps": ["alert": ["title": "Title", "body": "Body"]]]

    /// Finds the payload: the named file, the bundle's `payload.apns`, or a generated payload.
    ///
    /// - Returns: Nil if there is none, or if a file is invalid, which is reported.
    init?(file: String?, folder: String, generated: JSON?, _ report: CheckReport) {
        let own = "\(folder)/payload.apns"
        let path = file ?? (FileManager.default.fileExists(atPath: own) ? own : nil)
        guard let path else {
            guard let generated else { return nil }
            payload = generated
            (place, isGenerated) = ("a generated payload", true)
            return
        }
        (place, isGenerated) = (file == nil ? "payload.apns" : path, false)
        guard let object = Self.object(path, place, needed: "an object with a member aps", report) else { return nil }
        payload = object
    }

    /// The profile for rendering templates: the bundle's `profile.json`, or an empty one if there is no such file.
    ///
    /// - Returns: Nil if the file is not a profile, which is reported.
    fileprivate static func profile(folder: String, _ report: CheckReport) -> JSON? {
        let name = "profile.json"
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { return [:] }
        return object("\(folder)/\(name)", name, needed: "an object", report)
    }

    private static func object(_ path: String, _ place: String, needed: String, _ report: CheckReport) -> JSON? {
        let bytes: [UInt8]
        do throws(NamedFile.Problem) {
            // The user may name a pipe, but a bundle may not.
            bytes = try NamedFile.contents(at: path, limit: 16 << 20, awaitsPipes: path == place)
        } catch {
            report.addFinding(.error, place, error.text)
            return nil
        }
        do {
            let value = try JSON(authored: bytes)
            if value.object != nil { return value }
            report.addFinding(.error, place, "it must be \(needed), but it is \(value.typeName)")
        } catch {
            report.addFinding(.error, place, "it is not JSON: \(error)")
        }
        return nil
    }
}
