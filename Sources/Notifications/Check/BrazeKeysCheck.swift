internal import JSON

/// Finds key-value pairs with a name that Braze or Apple reserve, and values of Braze's own members that its SDK ignores.
struct BrazeKeysCheck {
    /// Pushes with one of these keys are Braze's own: its SDK keeps them from the app.
    private static let ofInternalPushes = [
        "ab_cd", "ab_push_fetch_test_triggers_key", "ab_sync_geos", "appboy_uninstall_tracking",
    ]
    /// What belongs into `aps`, and what Braze's REST API calls it.
    private static let ofAps = [
        "alert": "alert", "badge": "badge", "category": "category", "content-available": "content-available",
        "content_available": "content-available", "interruption-level": "interruption-level",
        "interruption_level": "interruption-level", "mutable-content": "mutable-content",
        "mutable_content": "mutable-content", "relevance-score": "relevance-score",
        "relevance_score": "relevance-score", "sound": "sound", "thread-id": "thread-id",
    ]
    /// The files that a phone can show (braze.com, "Rich notifications").
    private static let fileTypes = ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"]
    /// The greatest length of the alert and the key-value pairs in a request to Braze's API.
    private static let requestLimit = 1_912

    private let payload: JSON.Object
    private(set) var findings: [PayloadFinding] = []

    /// Whether a member of a payload is no key-value pair.
    static func isReserved(_ name: String) -> Bool {
        ["aps", "ab", "ab_uri", "ab_use_webview", "braze_id", "Simulator Target Bundle"].contains(name)
            || ofInternalPushes.contains(name)
    }

    /// Checks a payload; the key-value pairs that the extension declares may have any name.
    init(_ payload: JSON.Object, declared: [UserInfoKey], size: PayloadSize) {
        self.payload = payload
        checkOwn()
        checkAttachment()
        for (name, _) in payload {
            if Self.ofInternalPushes.contains(name) {
                add(
                    .warning,
                    "reservedKey",
                    [name],
                    "\(name) marks an internal push of Braze, which its SDK keeps from the app",
                    "give the key-value pair another name"
                )
            }
            if !declared.contains(where: { $0.name == name }) { checkPlace(name) }
        }
        checkRequest(size)
    }

    private mutating func add(
        _ level: PayloadFinding.Level,
        _ reason: String,
        _ path: [String],
        _ message: String,
        _ advice: String
    ) {
        let pointer = path.map { "/" + JSONPointer.escape($0) }.joined()
        findings.append(PayloadFinding(level, reason, pointer, message, advice))
    }

    private mutating func checkOwn() {
        if let own = payload["ab"] {
            if own.object == nil {
                let text = "ab is reserved for Braze, whose SDK reads an object there; it is \(own.excerpt())"
                add(.error, "reservedKey", ["ab"], text, "give the key-value pair another name")
            } else if own.object?.isEmpty == true {
                let text = "ab is empty, so Braze's SDK does not count the notification as one of Braze"
                add(.warning, "reservedKey", ["ab"], text, "keep what Braze sends, such as {\"c\":null}")
            }
        }
        guard let link = payload["ab_uri"] else { return }
        guard let text = link.string else {
            let text = "ab_uri is reserved for Braze's link, which is a string; it is \(link.excerpt())"
            return add(.error, "reservedKey", ["ab_uri"], text, "write the URL as a string")
        }
        guard ApplicationURL(text) == nil, !UnrenderedLiquid.isTemplate(text) else { return }
        let problem = "ab_uri is not an absolute URL, so a tap opens the app without it; it is \(link.excerpt())"
        add(.warning, "wrongValue", ["ab_uri"], problem, "write a percent-encoded URL such as myapp://home")
    }

    /// What Braze calls rich push: a file that a service extension loads.
    private mutating func checkAttachment() {
        guard let attachment = payload["ab"]?["att"] else { return }
        if attachment["url"]?.string == nil {
            let text = "ab.att needs the URL of a file as url"
            add(.error, "wrongValue", ["ab", "att"], text, "add \"url\": \"https://…\"")
        }
        let type = attachment["type"]?.string
        if !Self.fileTypes.contains(type ?? "") {
            let text = "ab.att needs a type that a phone shows" + (type.map { ", it is \($0)" } ?? "")
            let advice = "write one of \(Self.fileTypes.joined(separator: ", "))"
            add(.error, "wrongValue", attachment["type"] == nil ? ["ab", "att"] : ["ab", "att", "type"], text, advice)
        }
        if payload["aps"]?["mutable-content"] == nil {
            let text = "no service extension loads the file of ab.att without mutable-content"
            add(.warning, "notMutable", ["ab", "att"], text, "add \"mutable-content\": 1 to aps")
        }
    }

    /// Finds a member of `aps` beside it.
    private mutating func checkPlace(_ name: String) {
        if name == "custom_uri", payload["ab_uri"] == nil {
            let text = "custom_uri belongs to a request of Braze's API; in a payload the link is ab_uri"
            return add(.warning, "misplacedKey", [name], text, "rename it to ab_uri")
        }
        guard let member = Self.ofAps[name], payload["aps"]?[member] == nil else { return }
        let text = "\(name) stands beside aps, where a phone does not read it"
        add(.warning, "misplacedKey", [name], text, "move it into aps as \(member)")
    }

    private mutating func checkRequest(_ size: PayloadSize) {
        let alert = payload["aps"]?["alert"]?.bytes.count ?? 0
        let pairs = size.shares.filter { !Self.isReserved($0.key) }.reduce(0) { $0 + $1.bytes }
        guard alert + pairs > Self.requestLimit, size.bytes <= Payload.limit else { return }
        let text =
            "alert and key-value pairs have \(alert + pairs) bytes, Braze's API accepts at most \(Self.requestLimit)"
        add(.warning, "requestTooLarge", [], text, "shorten them if the notification is sent by the API")
    }
}
