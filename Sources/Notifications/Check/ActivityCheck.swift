internal import JSON
internal import Spelling

/// Checks payloads that no notification extension shows: those of Live Activities and of widgets.
///
/// Apple tells them from notifications by a header of the request (`apns-push-type`), which a file does not have.
struct ActivityCheck {
    /// What a payload is meant for.
    enum Kind { case liveActivity, widgets }

    /// Seconds since 1970 that are later are most likely milliseconds: the year 2286.
    private static let latest = 9_999_999_999.0

    private(set) var findings: [PayloadFinding] = []
    private let aps: JSON.Object

    /// What a payload is meant for; nil for that of a notification.
    static func kind(of payload: JSON.Object) -> Kind? {
        guard let aps = payload["aps"]?.object else { return nil }
        if ["event", "content-state", "attributes-type"].contains(where: { aps[$0] != nil }) { return .liveActivity }
        return aps["content-changed"] != nil && aps["alert"] == nil ? .widgets : nil
    }

    /// Checks the member `aps` of such a payload.
    init(_ aps: JSON.Object, _ kind: Kind) {
        self.aps = aps
        switch kind {
        case .widgets: checkWidgets()
        case .liveActivity: checkActivity()
        }
    }

    private mutating func add(
        _ level: PayloadFinding.Level,
        _ reason: String,
        _ name: String?,
        _ message: String,
        _ advice: String
    ) {
        let path = "/aps" + (name.map { "/" + JSONPointer.escape($0) } ?? "")
        findings.append(PayloadFinding(level, reason, path, message, advice))
    }

    private mutating func checkWidgets() {
        let text = "WidgetKit reloads the app's widgets for it, and no notification is shown"
        add(.information, "widgetUpdate", "content-changed", text, "send it with the header apns-push-type: widgets")
        need("content-changed", "true", isOptional: true) { $0 == true }
    }

    private mutating func checkActivity() {
        let text = "a Live Activity shows it, and no notification extension"
        let advice = "send it with the header apns-push-type: liveactivity"
        add(.information, "liveActivity", nil, text, advice)
        let event = aps["event"]?.string
        need("event", #""start", "update" or "end""#) { ["start", "update", "end"].contains($0.string) }
        need("timestamp", "the time of sending in seconds since 1970", isTime: true) { $0.number != nil }
        if event == "end", aps["content-state"] == nil {
            let text = "without content-state, the Live Activity ends with the state that it had"
            add(.warning, "missingKey", nil, text, "add \"content-state\" with the final state")
        }
        let mayEnd = event == "end" || event.map(UnrenderedLiquid.isTemplate) ?? false
        need("content-state", "an object", isOptional: mayEnd) { $0.object != nil }
        need("attributes-type", "the name of a type in the app", isOptional: event != "start") {
            $0.string?.isEmpty == false
        }
        need("attributes", "an object", isOptional: event != "start") { $0.object != nil }
        if event == "start", aps["alert"] == nil {
            let text = "a phone does not start a Live Activity without an alert"
            add(.error, "missingKey", nil, text, "add \"alert\" with title and body to aps")
        }
        for name in ["stale-date", "dismissal-date"] {
            need(name, "a time in seconds since 1970", isOptional: true, isTime: true) { $0.number != nil }
        }
        if aps["dismissal-date"] != nil, event == "start" || event == "update" {
            let text = "dismissal-date has an effect only with the event end"
            add(.warning, "ignoredMember", "dismissal-date", text, "remove it, or write \"event\": \"end\"")
        }
        // Unlike that of a notification, it may be greater than 1.
        need("relevance-score", "a number", isOptional: true) { $0.number != nil }
        need("alert", "an object or a string", isOptional: true) { $0.object != nil || $0.string != nil }
        need("input-push-token", "the integer 1", isOptional: true) { $0 == 1 }
        need("input-push-channel", "the ID of a channel", isOptional: true) { $0.string?.isEmpty == false }
        checkAlert()
    }

    /// The texts of a Live Activity's alert may be objects with a key and arguments.
    private mutating func checkAlert() {
        guard let alert = aps["alert"]?.object else { return }
        for name in ["title", "body"] {
            guard let value = alert[name], value.string == nil, value["loc-key"]?.string == nil else { continue }
            let text = "\(name) must be a string or an object with loc-key, it is \(value.excerpt())"
            let advice = "write the text, or {\"loc-key\": \"…\", \"loc-args\": []}"
            findings.append(PayloadFinding(.error, "ignoredMember", "/aps/alert/\(name)", text, advice))
        }
        if aps["event"] == "start", alert["title"] == nil, alert["body"] == nil {
            let text = "a phone does not start a Live Activity with an alert that has no text"
            findings.append(PayloadFinding(.error, "missingKey", "/aps/alert", text, "add \"title\" and \"body\""))
        }
        if let sound = alert["sound"], sound.string == nil {
            let text = "sound must be a string, it is \(sound.excerpt())"
            findings.append(
                PayloadFinding(.error, "ignoredMember", "/aps/alert/sound", text, "write the name of a file")
            )
        }
        let names = ["body", "sound", "title"]
        for (name, _) in alert where !names.contains(name) {
            guard let near = EditDistance.nearest(name, in: names) else { continue }
            let text = "\(name) is not a member of a Live Activity's alert, so it is ignored"
            let path = "/aps/alert/" + JSONPointer.escape(name)
            findings.append(PayloadFinding(.error, "misspeltKey", path, text, "did you mean \(near)?"))
        }
    }

    private mutating func need(
        _ name: String,
        _ needed: String,
        isOptional: Bool = false,
        isTime: Bool = false,
        where isValid: (JSON) -> Bool
    ) {
        guard let value = aps[name] else {
            if isOptional { return }
            let text = "the payload of a Live Activity needs \(name) in aps"
            return add(.error, "missingKey", nil, text, "add it; it is \(needed)")
        }
        // What a template becomes is not known.
        if value.string.map(UnrenderedLiquid.isTemplate) ?? false { return }
        guard isValid(value) else {
            let text = "\(name) must be \(needed), it is \(value.excerpt())"
            return add(.error, "ignoredMember", name, text, "correct the value")
        }
        if isTime, let seconds = value.number, seconds > Self.latest {
            let text = "\(name) is in seconds since 1970, and \(value.excerpt()) seconds are after the year 2286"
            add(.error, "ignoredMember", name, text, "divide it by 1000 if it is in milliseconds")
        }
    }
}
