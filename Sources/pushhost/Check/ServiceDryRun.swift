internal import HostClient
internal import JSON

/// The dry run of an extension that changes payloads: a service extension, or one that renders templates.
struct ServiceDryRun {
    private let host: DryRunHost
    private let report: CheckReport

    init(_ host: DryRunHost, _ report: CheckReport) {
        self.host = host
        self.report = report
    }

    /// Sends the notification through the service extension, for which the host starts it.
    func serve(_ payload: DryRunPayload) throws(ClientError) {
        let reply = try host.call("didReceive", ["payload": payload.payload])
        let hasBegun = try host.reportActivation(report)
        guard reply.result != nil else { return host.report(reply, at: "notification") }
        let failure = reply.diagnostics.first { ["serviceFailed", "serviceSkipped"].contains($0["reason"]?.string) }
        // The dry run has no content extension to show the notification, which is not the service's fault.
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
    func render(_ payload: DryRunPayload, folder: String) throws(ClientError) {
        guard let profile = DryRunPayload.profile(folder: folder, report) else { return }
        let reply = try host.call("didReceive", ["payload": payload.payload, "profile": profile])
        try host.reportActivation(report)
        guard reply.result != nil else { return host.report(reply, at: "notification") }
        // The dry run has no content extension to show the notification.
        report.add(diagnostics: JSON(reply.diagnostics.filter { $0["reason"] != "noExtension" }), payload.place)
        report.addFinding(.ok, "notification", "\(payload.place) was rendered", milliseconds: reply.milliseconds)
    }
}
