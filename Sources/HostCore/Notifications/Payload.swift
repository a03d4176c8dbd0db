internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC

/// What an APNs payload says, read as a phone reads it, with remarks for its author.
struct Payload {
    /// The greatest size of a payload in bytes (developer.apple.com, "Generating a remote notification").
    static let limit = 4096

    /// The whole payload, `aps` included: what an extension sees as `userInfo`.
    let userInfo: JSON.Object
    /// The texts as people read them: from the payload, or by its keys once they are looked up.
    private(set) var title: String
    private(set) var subtitle: String
    private(set) var body: String
    let category: String
    let thread: String
    private let texts: (title: AlertText, subtitle: AlertText, body: AlertText)
    /// Further members of the content, by the names of ``ContentMember``.
    let extras: [(name: String, value: JSON)]
    /// `mutable-content`, of any type: whether a service extension may change the content.
    let mutability: JSON?
    /// Whom the notification was sent to.
    private(set) var user: JSON?
    /// Remarks for the author of the payload.
    private(set) var diagnostics: [Diagnostic] = []

    /// Judges a payload.
    ///
    /// - Parameters:
    ///   - payload: The object of an `.apns` file.
    ///   - path: A JSON Pointer to it.
    ///   - depth: How deep it may nest.
    ///   - isRendered: Whether it was a template that was rendered, so that what looks like Liquid is text.
    /// - Throws: `payloadTooLarge` or `invalidPayload`; what a phone ignores is only remarked upon.
    init(_ payload: JSON.Object, path: String, depth: Int, isRendered: Bool = false) throws(RPCError) {
        let text = JSON.object(payload).bytes
        guard text.count <= Payload.limit else {
            throw HostError.payloadTooLarge(
                "the payload has \(text.count) bytes\(isRendered ? " once it is rendered" : ""), Apple delivers at most \(Payload.limit); shorten it",
                path: path,
                details: ["bytes": JSON(text.count), "limit": JSON(Payload.limit)]
            )
        }
        guard JSON.object(payload).nests(within: depth) else {
            throw HostError.invalidPayload("the payload nests at most \(depth) deep", path: path)
        }
        guard let aps = payload["aps"] else {
            throw HostError.invalidPayload("the payload needs a member aps with the alert and the category", path: path)
        }
        guard case .object(let aps) = aps else {
            throw HostError.invalidPayload("aps must be an object, it is \(aps.typeName)", path: path + "/aps")
        }
        var reader = MemberReader(object: aps, path: path + "/aps")
        category = reader.string("category") ?? ""
        thread = reader.string("thread-id") ?? ""
        var alert = MemberReader(object: JSON.Object([]), path: path + "/aps/alert")
        var plain: AlertText?
        switch aps["alert"] {
        case .string(let value): plain = AlertText(plain: value)
        case .object(let object): alert = MemberReader(object: object, path: path + "/aps/alert")
        case nil: break
        case .some(let other): reader.remark("alert", "must be a string or an object, it is \(other.typeName)")
        }
        texts = (
            AlertText(&alert, "title", key: "title-loc-key", arguments: "title-loc-args"),
            AlertText(&alert, "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args"),
            plain ?? AlertText(&alert, "body", key: "loc-key", arguments: "loc-args")
        )
        (title, subtitle, body) = (texts.title.fallback, texts.subtitle.fallback, texts.body.fallback)
        extras = Payload.extras(&reader, &alert)
        mutability = aps["mutable-content"]
        userInfo = payload
        diagnostics = reader.diagnostics + alert.diagnostics
        diagnostics += MisspeltKeys.diagnostics(of: aps, path: path + "/aps")
        if !isRendered { diagnostics += LiquidRemains.diagnostics(of: payload, text: text, path: path) }
        readUser(path, isRendered: isRendered)
        for (name, _) in payload where name != "braze_id" && name.lowercased() == "braze_id" {
            let message = "\(name) names no user: keys are case-sensitive, the key is braze_id"
            diagnostics.append(Diagnostic("misspeltKey", message, path: path + "/" + name))
        }
    }

    /// Reads whom the notification was sent to, if the payload says so in the guide's way.
    private mutating func readUser(_ path: String, isRendered: Bool) {
        guard let id = userInfo["braze_id"] else { return }
        // Liquid that nobody rendered is no user, and its diagnostic says so.
        if !isRendered, id.string.map(LiquidRemains.isTemplate) ?? false { return }
        let identity: JSON.Object = JSON.Object([("braze_id", id)])
        let problem: String
        do throws(IdentityError) {
            try Identity.check(identity)
            user = .object(identity)
            return
        } catch {
            problem =
                switch id {
                case .string(""): "braze_id is empty"
                case .string: error.text
                default: "braze_id must be a string, it is \(id)"
                }
        }
        let message = "\(problem), so records of this notification have no user"
        diagnostics.append(Diagnostic("ignoredMember", message, path: path + "/braze_id"))
    }

    private static func extras(_ aps: inout MemberReader, _ alert: inout MemberReader) -> [(String, JSON)] {
        ContentMember.all.compactMap { member in
            let value =
                member.isOfAlert
                ? alert.take(member.key, member.needed, member.takes)
                : aps.take(member.key, member.needed, member.takes)
            return value.map { (member.name, $0) }
        }
    }

    /// Whether there is a text that a phone would show as an alert; without one no extension runs.
    var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

    /// Whether `content-available` is 1, which hands the payload to the app in the background.
    var isForApp: Bool { userInfo["aps"]?["content-available"] == 1 }

    /// Where the alert stands in the payload, as a JSON Pointer; without one, where `aps` does.
    var alertPath: String { userInfo["aps"]?["alert"] == nil ? "/aps" : "/aps/alert" }

    mutating func note(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Looks the alert's keys up, once it is known who shows the notification and in which locale.
    mutating func localize(_ source: TextSource) {
        var found: [Diagnostic] = []
        // One damaged file is told once, though each text looks into it.
        let note = { (new: Diagnostic) in
            if !found.contains(where: { $0.message == new.message }) { found.append(new) }
        }
        title = texts.title.resolved(source, note)
        subtitle = texts.subtitle.resolved(source, note)
        body = texts.body.resolved(source, note)
        diagnostics += found
    }
}

/// Reads members of a wanted type; others are ignored, as a phone does, and remarked upon.
struct MemberReader {
    let object: JSON.Object
    let path: String
    var diagnostics: [Diagnostic] = []

    init(object: JSON.Object, path: String) {
        self.object = object
        self.path = path
    }

    mutating func string(_ name: String) -> String? {
        take(name, "a string") { $0.string != nil }?.string
    }

    mutating func take(_ name: String, _ needed: String, _ isWanted: (JSON) -> Bool) -> JSON? {
        guard let value = object[name] else { return nil }
        guard isWanted(value) else {
            remark(name, "must be \(needed), it is \(value)")
            return nil
        }
        return value
    }

    mutating func remark(_ name: String, _ text: String) {
        diagnostics.append(Diagnostic("ignoredMember", "\(name) \(text) and is ignored", path: "\(path)/\(name)"))
    }
}
