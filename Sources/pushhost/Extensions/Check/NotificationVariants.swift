internal import HostClient
internal import JSON

/// Shows variants of a notification: other threads, locales and payloads.
struct NotificationVariants {
    /// The maximum size of a payload, in bytes.
    private static let payloadLimit = 4_096

    private let host: TrialHost
    private let payload: JSON
    private let report: CheckReport

    init(_ host: TrialHost, _ payload: JSON, _ report: CheckReport) {
        self.host = host
        self.payload = payload
        self.report = report
    }

    // MARK: Threads

    /// Tests that a notification of another thread has its own presentation, and that its end does not affect the first.
    func secondNotification() throws(ClientError) {
        let (first, second) = (payload(ofThread: "check-1"), payload(ofThread: "check-2"))
        guard try show(first, .secondNotification, "a first thread") != nil,
            let shown = try show(second, .secondNotification, "a second thread")
        else { return }
        _ = try host.call("dismiss", ["notification": shown["notification"] ?? .null])
        let subject = "a later notification of the first thread"
        guard let later = try show(first, .secondNotification, subject) else { return }
        try dismiss(later, .secondNotification, "two threads are shown, and one of them is dismissed")
    }

    /// Tests that later notifications of a thread join its presentation.
    func sameThread() throws(ClientError) {
        var last: JSON?
        for number in 1...4 {
            last = try show(payload(ofThread: "check-3"), .sameThread, "notification \(number) of one thread")
            guard last != nil else { return }
        }
        if let last { try dismiss(last, .sameThread, "four notifications of one thread are shown") }
    }

    /// The payload with a thread identifier.
    private func payload(ofThread identifier: String) -> JSON {
        guard let object = payload.object, let aps = object["aps"]?.object else { return payload }
        return .object(object.setting("aps", to: .object(aps.setting("thread-id", to: .string(identifier)))))
    }

    // MARK: Locales and sizes

    /// Tests locales for which the bundle has no texts.
    func locales() throws(ClientError) {
        for locale in ["xx_YY.UTF-8", "../zz"] {
            let params: JSON = ["payload": payload, "locale": .string(locale)]
            let reply = try host.call("didReceive", params)
            guard let shown = reply.result else { return host.report(reply, at: "locale", "locale \(locale)") }
            _ = try host.call("dismiss", ["notification": shown["notification"] ?? .null])
        }
        report.addFinding(.ok, CheckStep.locale.rawValue, "locales without texts of the bundle are served")
    }

    /// Tests a payload of the maximum size, with unusual characters and null values.
    func largePayload() throws(ClientError) {
        let texts: JSON = [
            "é e\u{301} 한국어 עברית 👩‍👩‍👧 \u{2028}\u{2029}\u{85}\t\"\\", .null, ["a/b~c": .null, "": 1e300],
        ]
        guard let object = payload.object?.setting("_texts", to: texts).setting("_filler", to: "") else { return }
        let room = Self.payloadLimit - JSON.object(object).bytes.count
        guard room >= 0 else {
            return report.addFinding(.skipped, CheckStep.largePayload.rawValue, "the payload leaves no room for more")
        }
        let filled = object.setting("_filler", to: .string(String(repeating: "x", count: room)))
        guard let shown = try show(.object(filled), .largePayload, "a payload of \(Self.payloadLimit) bytes") else {
            return
        }
        try dismiss(shown, .largePayload, "a payload of \(Self.payloadLimit) bytes is shown")
    }

    // MARK: Wrong payloads

    /// Tests payloads in which a value is wrong or absent, as authors of notifications may write them; the extension may
    /// refuse them.
    func wrongPayloads() throws(ClientError) {
        guard let object = payload.object else { return }
        var (count, refused, hangs) = (0, 0, 0)
        var hasFailed = false
        for name in object.map(\.name) where name != "aps" {
            for value in [nil, .null, 5, "", "not a number", ["a": []], []] as [JSON?] {
                let rest = MemberList(object.filter { $0.name != name }.map { ($0.name, $0.value) })
                let changed = JSON(present: rest + [name: value])
                let reply = try host.call("didReceive", ["payload": changed])
                count += 1
                if let notification = reply.result?["notification"] {
                    _ = try host.call("dismiss", ["notification": notification])
                } else if reply.verdict == .failed {
                    hasFailed = true
                    let text = value.map { CheckReport.excerpt($0) } ?? "absent"
                    host.report(reply, at: CheckStep.wrongPayload.rawValue, "\(name) \(text)")
                    hangs += reply.isHang ? 1 : 0
                    if hangs > 1 { return }
                } else {
                    refused += 1
                }
            }
        }
        guard !hasFailed else { return }
        let place = CheckStep.wrongPayload.rawValue
        if count == 0 {
            report.addFinding(.skipped, place, "the payload has no values of its own")
        } else {
            report.addFinding(
                .ok,
                place,
                "\(CheckReport.count(count, "payload")) with wrong values, \(refused) of them refused"
            )
        }
    }

    // MARK: Helpers

    /// Shows a payload and reports a failure.
    private func show(_ payload: JSON, _ step: CheckStep, _ subject: String) throws(ClientError) -> JSON? {
        let reply = try host.call("didReceive", ["payload": payload])
        if reply.result == nil { host.report(reply, at: step.rawValue, subject) }
        return reply.result
    }

    /// Dismisses a presentation and reports success.
    private func dismiss(_ shown: JSON, _ step: CheckStep, _ text: String) throws(ClientError) {
        _ = try host.call("dismiss", ["notification": shown["notification"] ?? .null])
        report.addFinding(.ok, step.rawValue, text)
    }
}
