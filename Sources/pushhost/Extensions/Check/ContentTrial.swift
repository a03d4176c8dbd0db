internal import HostClient
internal import JSON
internal import Platform

/// The trial run of a content extension: what it shows, and how it handles touches and actions.
final class ContentTrial {
    /// The bundle's entry in the result of `extensions`.
    private let bundle: JSON
    private let payload: TrialPayload
    private let report: CheckReport
    private let views: ViewValidator
    /// The result of the first `didReceive`; nil if the notification was not shown.
    private var firstResult: JSON?
    /// Whether the extension showed a media button.
    private(set) var hasMedia = false

    init(_ bundle: JSON, _ payload: TrialPayload, _ report: CheckReport) {
        self.bundle = bundle
        self.payload = payload
        self.report = report
        views = ViewValidator(report)
    }

    var isShown: Bool { firstResult != nil }
    private var hasUserInteraction: Bool { bundle["userInteractionEnabled"] == true }

    /// Shows the notification, and performs the steps that need a host with default options.
    func run(_ host: TrialHost, _ trial: Trial) throws(ClientError) {
        if !payload.isGenerated { try compareWithDeclaredKeys(host) }
        guard let shown = try show(host) else { return }
        firstResult = shown
        try press(shown, host, trial)
        let variants = NotificationVariants(host, payload.payload, report)
        if trial.includes(.secondNotification) { try variants.secondNotification() }
        if trial.includes(.sameThread) { try variants.sameThread() }
        if trial.includes(.locale) { try variants.locales() }
        if trial.includes(.largePayload) { try variants.largePayload() }
    }

    /// Performs the steps that need hosts of their own.
    func runFurtherHosts(_ trial: Trial) throws(ClientError) {
        if !trial.setup.steps.isDisjoint(with: [.repeatable, .wrongPayload, .wrongInput]) {
            let recording = try trial.withHost { host throws(ClientError) in try enterWrong(host, trial) }
            recording?.report(to: report, .ofShape)
        }
        if trial.includes(.refusedSaves) { try refuseSaves(trial) }
    }

    // MARK: The notification

    /// Compares the payload with the key-value pairs that the bundle declares.
    private func compareWithDeclaredKeys(_ host: TrialHost) throws(ClientError) {
        let result = try host.call("checkPayload", ["payload": payload.payload]).result
        let reasons: [JSON] = ["missingKey", "misspeltKey", "wrongValue"]
        for finding in result?["findings"]?.array.map(Array.init) ?? [] {
            guard let reason = finding["reason"], reasons.contains(reason) else { continue }
            let path = finding["path"]?.string ?? ""
            // The diagnostics of didReceive report the others.
            guard !path.hasPrefix("/aps"), path.lowercased() != "/braze_id" else { continue }
            let parts = [finding["message"], finding["advice"]].compactMap { $0?.string }
            let place = path.isEmpty ? "" : " (\(path))"
            report.addFinding(.warning, payload.place, parts.joined(separator: "; ") + place)
        }
    }

    /// Shows the notification, for which the host starts the extension.
    ///
    /// - Returns: The result; nil if the notification is not shown, which is reported.
    private func show(_ host: TrialHost) throws(ClientError) -> JSON? {
        let reply = try host.call("didReceive", ["payload": payload.payload])
        let hasBegun = try host.reportActivation(report)
        guard let result = reply.result else {
            // A failure before the handshake cannot be caused by the payload.
            if [.refused, .unhandled].contains(reply.verdict), hasBegun, payload.isGenerated {
                let text =
                    "\(reply.problem); provide a payload that the extension accepts, with --payload or as payload.apns"
                let milliseconds = reply.milliseconds
                report.addFinding(.warning, "notification", "\(payload.place): \(text)", milliseconds: milliseconds)
            } else {
                host.report(reply, at: hasBegun ? "notification" : "handshake")
            }
            return nil
        }
        if let noAlert = reply.diagnostics.first(where: { $0["reason"] == "noAlert" }) {
            report.addFinding(.error, payload.place, noAlert["message"]?.string ?? "")
            return nil
        }
        report.add(diagnostics: result["diagnostics"], payload.place)
        guard result["extension"]?.string == bundle["identifier"]?.string else {
            let text = "the payload does not reach this extension; its aps.category must be one of the bundle's"
            report.addFinding(.error, payload.place, text)
            return nil
        }
        report.addFinding(.ok, "notification", "\(payload.place) is shown", milliseconds: reply.milliseconds)
        if let view = result["view"] { views.validate(view) }
        if result["view"]?["id"] == "notification" {
            report.addFinding(
                .warning,
                "notification",
                "the extension set no view, so the system's default view is shown"
            )
        }
        return result
    }

    // MARK: Presses

    private func press(_ shown: JSON, _ host: TrialHost, _ trial: Trial) throws(ClientError) {
        if trial.includes(.media) { try playMedia(shown, host) }
        guard trial.includes(.interact) || trial.includes(.response) else { return }
        let run = PressRun(host, payload: payload.payload, .all(pressesElements: hasUserInteraction), views)
        // What was found before the end of the time is reported too.
        let end = Result { () throws(ClientError) in try run.run(shown) }
        for (step, list) in run.diagnostics { report.add(diagnostics: list, step.rawValue) }
        reportFailures(run, host)
        reportRefusals(run)
        try end.get()
        report(run, .interact, "touch", "element")
        report(run, .response, "press", "action")
        if run.hasReachedLimit {
            let text = "stopped after \(PressRun.limit) presses, because the view shows new elements without end"
            report.addFinding(.skipped, CheckStep.interact.rawValue, text)
        }
        guard !hasUserInteraction else { return }
        if run.touchableTypes.isEmpty {
            report.addFinding(.skipped, CheckStep.interact.rawValue, "its Info.plist does not enable user interaction")
        } else {
            let types = run.touchableTypes.sorted().joined(separator: ", ")
            report.addFinding(
                .warning,
                CheckStep.interact.rawValue,
                "the view shows \(types), but no touch reaches the extension: set "
                    + "UNNotificationExtensionUserInteractionEnabled in its Info.plist"
            )
        }
    }

    /// Reports the number of presses, unless one of them failed.
    private func report(_ run: PressRun, _ step: CheckStep, _ press: String, _ target: String) {
        guard let count = run.presses[step] else {
            guard step == .interact, hasUserInteraction else { return }
            return report.addFinding(.skipped, step.rawValue, "no node of its view has an id")
        }
        guard !run.failures.contains(where: { step == .interact ? $0.target.isElement : !$0.target.isElement }) else {
            return
        }
        let (presses, targets) = (
            CheckReport.count(count, press), CheckReport.count(run.targets[step] ?? 0, target)
        )
        let refused = run.refusals[step].map { ", \($0) of them refused" } ?? ""
        report.addFinding(.ok, step.rawValue, "\(presses) of \(targets)\(refused)")
    }

    private func reportFailures(_ run: PressRun, _ host: TrialHost, at step: CheckStep? = nil) {
        for failure in run.failures {
            let place = step ?? (failure.target.isElement ? .interact : .response)
            let input = failure.input.map { " with \(CheckReport.excerpt($0))" } ?? ""
            host.report(failure.reply, at: place.rawValue, failure.target.name + input)
        }
    }

    /// Reports what does nothing, whatever a person enters: an element whose saves the host refuses, a button, an action.
    private func reportRefusals(_ run: PressRun) {
        for (target, reply) in run.alwaysRefused.sorted(by: { $0.key.name < $1.key.name }) {
            let isSave = CheckReport.refusals.contains(reply.causeReason ?? "")
            guard isSave || !target.isElement || run.buttons.contains(target) else { continue }
            let place: CheckStep = target.isElement ? .interact : .response
            let times = CheckReport.count(run.counts[target] ?? 0, target.isElement ? "touch" : "press")
            let text = "\(target.name) never has an effect, \(times) were refused: \(reply.problem)"
            // What is entered in a field may be what the extension rightly refuses.
            let severity: CheckReport.Severity = isSave && !run.touchableTypes.contains("field") ? .error : .warning
            report.addFinding(severity, place.rawValue, text)
        }
    }

    private func playMedia(_ shown: JSON, _ host: TrialHost) throws(ClientError) {
        hasMedia = shown["media"]?["button"].map { $0 != "none" } ?? false
        guard hasMedia else { return }
        for method in ["mediaPlay", "mediaPause"] {
            let reply = try host.call(method, ["notification": shown["notification"] ?? .null])
            switch reply.verdict {
            case .answered:
                report.add(diagnostics: reply.result?["diagnostics"], CheckStep.media.rawValue)
                report.addFinding(.ok, CheckStep.media.rawValue, "\(method) was answered")
            case .unhandled, .gone: report.addFinding(.ok, CheckStep.media.rawValue, "\(method) has no handler")
            case .refused, .failed: host.report(reply, at: CheckStep.media.rawValue, method)
            }
        }
    }

    // MARK: Wrong input

    private func enterWrong(_ host: TrialHost, _ trial: Trial) throws(ClientError) {
        let reply = try host.call("didReceive", ["payload": payload.payload])
        if trial.includes(.repeatable) { compare(reply) }
        if trial.includes(.wrongPayload) {
            try NotificationVariants(host, payload.payload, report).wrongPayloads()
        }
        guard trial.includes(.wrongInput), let shown = reply.result else { return }
        let run = PressRun(host, payload: payload.payload, .wrong(pressesElements: hasUserInteraction))
        try run.run(shown)
        let count = run.presses.values.reduce(0, +)
        reportFailures(run, host, at: .wrongInput)
        if count == 0 {
            report.addFinding(.skipped, CheckStep.wrongInput.rawValue, "nothing that it shows accepts input")
        } else if run.failures.isEmpty {
            let refused = run.refusals.values.reduce(0, +)
            report.addFinding(
                .ok,
                CheckStep.wrongInput.rawValue,
                "\(CheckReport.count(count, "wrong input")), \(refused) of them refused"
            )
        }
        try host.reportBehaviour(includesLog: false)
    }

    /// Compares the result with that of the first process, which had the same clock and seed.
    private func compare(_ reply: TrialReply) {
        let names = ["view", "actions", "title", "media"]
        let place = CheckStep.repeatable.rawValue
        guard let name = names.first(where: { reply.result?[$0] != firstResult?[$0] }) else {
            return report.addFinding(.ok, place, "two processes show the same")
        }
        let (old, new) = (firstResult?[name] ?? .null, reply.result?[name] ?? .null)
        let texts = [old, new].map { CheckReport.excerpt($0) }
        report.addFinding(
            .error,
            place,
            "with the same clock and seed two processes differ in \(name): \(texts[0]) and \(texts[1]); derive times "
                + "and random numbers from the params of activate"
        )
    }

    // MARK: Refused saves

    private func refuseSaves(_ trial: Trial) throws(ClientError) {
        let place = CheckStep.refusedSaves.rawValue
        var hasFailed = false
        let recording = try trial.withHost(["--suite-records", "0", "--suite-bytes", "0"]) {
            host throws(ClientError) in
            let payload = payload.payload
            for isLast in [false, true] {
                let reply = try host.call("didReceive", ["payload": payload])
                guard let shown = reply.result else {
                    // The extension may refuse the notification if it cannot work without saving.
                    if reply.verdict == .failed {
                        host.report(reply, at: place, "didReceive")
                        hasFailed = true
                    }
                    continue
                }
                guard !isLast else { break }
                let run = PressRun(host, payload: payload, .once(pressesElements: hasUserInteraction))
                try run.run(shown)
                let failures = run.failures.filter { $0.reply.verdict == .failed }
                hasFailed = !failures.isEmpty
                for failure in failures { host.report(failure.reply, at: place, failure.target.name) }
            }
            try host.reportBehaviour(includesLog: false)
        }
        recording?.report(to: report, .ofShape)
        guard !hasFailed else { return }
        if recording?.hasRefusedSaves == true {
            report.addFinding(.ok, place, "it keeps working when the host cannot store what it saves")
        } else {
            report.addFinding(.skipped, place, "it sends no save as a request, so it cannot notice a refusal")
        }
    }
}
