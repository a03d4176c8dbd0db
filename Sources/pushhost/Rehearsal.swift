internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import JSON

/// The dry run of a bundle in the real host: load, start, one notification, one response, stop.
struct Rehearsal {
    private static let destination = "pushhost.destination"
    private static let service = "com.apple.usernotifications.service"
    private static let personalization = "pushhost.personalization"
    private static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"

    let folder: String
    let payloadFile: String?
    let locale: String
    let folders: StandardFolders
    /// Whether the extension's process answered its first call.
    private var hasBegun = false
    /// The reason words of the failures that the report has.
    private var toldReasons: Set<String> = []

    init(folder: String, payloadFile: String?, locale: String, folders: StandardFolders) {
        self.folder = folder
        self.payloadFile = payloadFile
        self.locale = locale
        self.folders = folders
    }

    /// Runs it.
    ///
    /// - Returns: The signal that asked this process to end meanwhile.
    mutating func run(_ report: CheckReport) -> Int32? {
        // First of all, so that a signal finds the folder and the host in our hands.
        let signals = csystem_signal_descriptor()
        var template = Array("\(FileManager.default.temporaryDirectory.path)/pushhost-check-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            report.add(
                .error,
                "host",
                "there is no temporary folder for its suites: \(String(cString: strerror(errno)))"
            )
            return nil
        }
        let data = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: data) }
        let options = ["--plugins", folder, "--data", data + "/suites", "--locale", locale]
        do throws(HostChild.Failure) {
            let host = try HostChild(folders.program, ["serve"] + options, signals: signals)
            return perform(host, report, signals)
        } catch {
            return tell(error, report)
        }
    }

    private mutating func perform(_ host: HostChild, _ report: CheckReport, _ signals: Int32) -> Int32? {
        var signal: Int32?
        do throws(HostChild.Failure) {
            try steps(host, report, signals)
        } catch {
            signal = tell(error, report, log: host.log)
        }
        let end = host.stop(isHasty: signal != nil)
        if signal == nil { judge(end, report) }
        return signal
    }

    /// Tells a failure of the host, unless a signal is behind it.
    private func tell(_ failure: HostChild.Failure, _ report: CheckReport, log: String? = nil) -> Int32? {
        switch failure {
        case .interrupted(let signal): return signal
        case .broken(let text):
            report.add(.error, "host", text, stderr: log)
            return nil
        }
    }

    // MARK: The steps

    private mutating func steps(
        _ host: HostChild,
        _ report: CheckReport,
        _ signals: Int32
    ) throws(HostChild.Failure) {
        guard let bundle = try load(host, report) else { return }
        let point = bundle["point"]?.string
        if point == Self.destination {
            try DestinationRehearsal(folder: folder, locale: locale, folders: folders, report)?.run(signals)
            return
        }
        let categories = bundle["categories"]?.array?.compactMap(\.string) ?? []
        let madeUp: JSON? =
            switch point {
            case Self.service: RehearsalPayload.ofService
            case Self.personalization: RehearsalPayload.ofPersonalization
            default: RehearsalPayload.of(categories.first)
            }
        guard let payload = RehearsalPayload(file: payloadFile, folder: folder, madeUp: madeUp, report) else {
            return report.add(.warning, "start", "not tried: there is no payload to show")
        }
        _ = try host.call("subscribe", ["topics": ["$/log"]])
        if point == Self.service {
            try serve(payload, host, report)
        } else if point == Self.personalization {
            try render(payload, host, report)
        } else if let shown = try show(payload, bundle, host, report) {
            try respond(shown, host, report)
        }
        try lookBack(host, report)
        try stop(host, report)
    }

    /// Lets the host load the bundle.
    private func load(_ host: HostChild, _ report: CheckReport) throws(HostChild.Failure) -> JSON? {
        let (reply, time) = try host.call("extensions")
        let bundle = reply["result"]?["extensions"]?[0]
        let problems = [reply["result"]?["problems"], bundle?["problems"]].flatMap { $0?.array.map { Array($0) } ?? [] }
        for problem in problems {
            let severity = CheckReport.Severity(rawValue: problem["severity"]?.string ?? "") ?? .error
            report.add(severity, place(problem["path"]?.string ?? ""), problem["message"]?.string ?? "")
        }
        guard let bundle else {
            if problems.isEmpty { report.add(.error, "load", "the host finds no extension in it") }
            return nil
        }
        let isFine = !report.findings.contains { $0.place == "Info.plist" && $0.severity != .ok }
        let judge = bundle["point"]?.string == Self.destination ? "the host" : "iOS"
        if isFine { report.add(.ok, "Info.plist", "its keys and values are those that \(judge) knows") }
        let categories = bundle["categories"]?.array?.compactMap(\.string) ?? []
        let names = categories + [bundle["destinationName"]?.string].compactMap(\.self)
        let what = names.isEmpty ? "" : ", for \(names.joined(separator: ", "))"
        report.add(.ok, "load", (bundle["identifier"]?.string ?? "") + what, milliseconds: time)
        return bundle
    }

    /// A file's place in the bundle.
    private func place(_ path: String) -> String {
        path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    /// Sends the notification through the service extension, for which the host starts it.
    private mutating func serve(
        _ payload: RehearsalPayload,
        _ host: HostChild,
        _ report: CheckReport
    ) throws(HostChild.Failure) {
        let (reply, time) = try host.call("didReceive", ["payload": payload.payload])
        try noteActivation(host, report)
        guard let result = reply["result"] else { return add(reply, "notification", report, time) }
        let remarks = result["diagnostics"]?.array.map { Array($0) } ?? []
        let failure = remarks.first { ["serviceFailed", "serviceSkipped"].contains($0["reason"]?.string) }
        // No content extension is there to show it, which is no fault of the service.
        let others = remarks.filter { $0 != failure && $0["reason"] != "noExtension" }
        report.add(remarks: JSON(others), payload.place)
        if let failure {
            if let cause = failure["cause"]?.string { toldReasons.insert(cause) }
            report.add(.error, "notification", failure["message"]?.string ?? "", milliseconds: time)
        } else {
            report.add(.ok, "notification", "\(payload.place) went through it", milliseconds: time)
        }
    }

    /// Has the payload rendered, for which the host starts the extension.
    private mutating func render(
        _ payload: RehearsalPayload,
        _ host: HostChild,
        _ report: CheckReport
    ) throws(HostChild.Failure) {
        guard let profile = RehearsalPayload.profile(folder: folder, report) else { return }
        let (reply, time) = try host.call("didReceive", ["payload": payload.payload, "profile": profile])
        try noteActivation(host, report)
        guard let result = reply["result"] else { return add(reply, "notification", report, time) }
        // No content extension is there to show it.
        let others = result["diagnostics"]?.array.map { $0.filter { $0["reason"] != "noExtension" } } ?? []
        report.add(remarks: JSON(others), payload.place)
        report.add(.ok, "notification", "\(payload.place) was rendered", milliseconds: time)
    }

    private mutating func noteActivation(_ host: HostChild, _ report: CheckReport) throws(HostChild.Failure) {
        let bundle = try host.call("extensions").reply["result"]?["extensions"]?[0]
        guard let activation = bundle?["activationMilliseconds"]?.integer else { return }
        hasBegun = true
        report.add(.ok, "handshake", "the process started and answered activate", milliseconds: activation)
    }

    /// Shows the notification, for which the host starts the extension.
    private mutating func show(
        _ payload: RehearsalPayload,
        _ bundle: JSON,
        _ host: HostChild,
        _ report: CheckReport
    ) throws(HostChild.Failure) -> JSON? {
        let (reply, time) = try host.call("didReceive", ["payload": payload.payload])
        try noteActivation(host, report)
        guard let result = reply["result"] else {
            let isRefused = reply["error"]?["data"]?["reason"]?.string == "extensionRefused"
            // Before the handshake the payload cannot be at fault.
            if isRefused, hasBegun, payload.isMadeUp {
                let text =
                    "\(CheckReport.message(of: reply)); give it one that it takes, with --payload or as payload.apns"
                report.add(.warning, "notification", "\(payload.place): \(text)", milliseconds: time)
            } else {
                add(reply, hasBegun ? "notification" : "handshake", report, time)
            }
            return nil
        }
        let diagnostics = result["diagnostics"]?.array.map { Array($0) } ?? []
        if let silent = diagnostics.first(where: { $0["reason"] == "noAlert" }) {
            report.add(.error, payload.place, silent["message"]?.string ?? "")
            return nil
        }
        report.add(remarks: result["diagnostics"], payload.place)
        guard result["extension"]?.string == bundle["identifier"]?.string else {
            let text = "it does not reach this extension; its aps.category must be one of the bundle's"
            report.add(.error, payload.place, text)
            return nil
        }
        report.add(.ok, "notification", "\(payload.place) is shown", milliseconds: time)
        if result["view"]?["id"] == "notification" {
            report.add(.warning, "notification", "the extension set no view, so the system's own is shown")
        }
        return result
    }

    /// Presses the first button, or the notification itself.
    private mutating func respond(_ shown: JSON, _ host: HostChild, _ report: CheckReport) throws(HostChild.Failure) {
        let action = shown["actions"]?[0]
        let identifier = action?["identifier"]?.string ?? Self.defaultAction
        var params: [(String, JSON)] = [
            ("notification", shown["notification"] ?? .null), ("actionIdentifier", .string(identifier)),
        ]
        if action?["textInput"] != nil { params.append(("userText", "text")) }
        let (reply, time) = try host.call("didReceiveResponse", .object(JSON.Object(params)))
        let name = action == nil ? "the default action" : identifier
        if let result = reply["result"] {
            report.add(remarks: result["diagnostics"], "response")
            let isForwarded = result["forwarded"] == true ? ", which the app gets" : ""
            let option = result["option"]?.string ?? ""
            report.add(.ok, "response", "\(name)\(isForwarded): \(option)", milliseconds: time)
        } else if reply["error"]?["data"]?["reason"]?.string == "extensionRefused" {
            report.add(.warning, "response", "\(name): \(CheckReport.message(of: reply))", milliseconds: time)
        } else {
            add(reply, "response", report, time)
        }
    }

    /// Tells what the extension did besides answering.
    private func lookBack(_ host: HostChild, _ report: CheckReport) throws(HostChild.Failure) {
        let bundle = try host.call("extensions").reply["result"]?["extensions"]?[0]
        report.add(strayLines: Int(bundle?["strayLines"]?.integer ?? 0))
        for end in bundle?["ends"]?.array.map({ Array($0) }) ?? [] where !isTold(end) {
            report.add(.error, "process", "the extension \(end["reason"]?.string ?? "ended")")
        }
        for (method, params) in host.notifications where method == "$/log" {
            report.add(log: params["level"]?.string ?? "", params["message"]?.string ?? "")
        }
    }

    /// Whether a failed step told of a process's end already: by its cause, or by the presentation that ended with it.
    private func isTold(_ end: JSON) -> Bool {
        toldReasons.contains("noPresentation") || toldReasons.contains(end["cause"]?.string ?? "")
    }

    /// Lets the extension leave while the host stays, which tells how it did.
    private func stop(_ host: HostChild, _ report: CheckReport) throws(HostChild.Failure) {
        let (_, time) = try host.call("reloadExtensions", ["force": true])
        let bundle = try host.call("extensions").reply["result"]?["extensions"]?[0]
        let end = bundle?["ends"]?.array.flatMap { Array($0).last }
        // One that ended before was told of already.
        if let end, end["cause"] == "bundleReloaded" {
            report.add(
                endAfterStop: end["exitCode"]?.integer.map(Int32.init),
                signal: end["signal"]?.integer.map(Int32.init),
                grace: ExtensionLimits.defaults.stop,
                milliseconds: time
            )
        }
        report.add(orphans: Int(bundle?["orphans"]?.integer ?? 0))
    }

    private func judge(_ end: (code: Int32?, milliseconds: Int64), _ report: CheckReport) {
        guard end.code != 0 else { return }
        let how = end.code.map { "ended with code \($0)" } ?? "had to be killed"
        report.add(.error, "host", "it \(how)", milliseconds: end.milliseconds)
    }

    // MARK: Replies

    private mutating func add(_ reply: JSON, _ step: String, _ report: CheckReport, _ time: Int64) {
        let tail = reply["error"]?["data"]?["stderr"]?.string
        if let reason = reply["error"]?["data"]?["reason"]?.string { toldReasons.insert(reason) }
        report.add(.error, step, CheckReport.message(of: reply), milliseconds: time, stderr: tail)
    }
}
