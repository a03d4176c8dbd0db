internal import BrazeRules
package import Contract
package import JSON
package import JSONRPC

/// An APNs payload, read as a phone reads it, with diagnostics for its author.
package struct Payload {
    /// The maximum size of a payload in bytes (developer.apple.com, "Generating a remote notification").
    package static let limit = 4096

    /// The whole payload including `aps`, which an extension sees as `userInfo`.
    package let userInfo: JSON.Object
    /// The displayed title: the plain one, or the localized one after ``localize(_:)``.
    package private(set) var title: String
    /// The displayed subtitle.
    package private(set) var subtitle: String
    /// The displayed body.
    package private(set) var body: String
    /// The identifier of the category; empty if the payload names none.
    package let category: String
    /// `thread-id`; empty if the payload names none.
    package let thread: String
    private let texts: (title: AlertText, subtitle: AlertText, body: AlertText)
    /// Further members of the content, by the names of ``ContentMember``.
    let extras: [(name: String, value: JSON)]
    /// `mutable-content`, of any type: whether a service extension may change the content.
    package let mutableContent: JSON?
    /// The user to whom the notification was sent, if the payload names one.
    package private(set) var user: JSON?
    /// Diagnostics for the author of the payload.
    package private(set) var diagnostics: [Diagnostic] = []

    /// Reads a payload.
    ///
    /// - Parameters:
    ///   - payload: The object of an `.apns` file.
    ///   - path: A JSON Pointer to it.
    ///   - depth: The maximum nesting depth.
    ///   - isRendered: Whether it is a rendered template, in which anything that looks like Liquid is plain text.
    ///   - limit: The maximum size in bytes.
    /// - Throws: `payloadTooLarge` or `invalidPayload`; a member that a phone ignores becomes a diagnostic.
    package init(
        _ payload: JSON.Object,
        path: String,
        depth: Int,
        isRendered: Bool = false,
        limit: Int = Payload.limit
    ) throws(RPCError) {
        let text = JSON.object(payload).bytes
        if text.count > limit { throw Self.tooLarge(text.count, limit, path: path, isRendered: isRendered) }
        let aps = try Self.aps(of: payload, path: path, depth: depth)
        userInfo = payload
        mutableContent = aps["mutable-content"]
        var reader = PayloadReader(aps, path: path + "/aps")
        category = reader.valid("category", .string) ?? ""
        thread = reader.valid("thread-id", .string) ?? ""
        let value = reader.valid("alert", .any("a string or an object") { $0.string != nil || $0.object != nil })
        var alert = PayloadReader(value?.object ?? JSON.Object([]), path: path + "/aps/alert")
        texts = (
            AlertText(&alert, "title", key: "title-loc-key", arguments: "title-loc-args"),
            AlertText(&alert, "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args"),
            value?.string.map(AlertText.init(body:))
                ?? AlertText(&alert, "body", key: "loc-key", arguments: "loc-args")
        )
        (title, subtitle, body) = (texts.title.fallback, texts.subtitle.fallback, texts.body.fallback)
        extras = Self.extras(&reader, &alert)
        diagnostics = reader.diagnostics + alert.diagnostics
        diagnostics += MisspeltKeys.diagnostics(of: aps, path: path + "/aps")
        if !isRendered { diagnostics += UnrenderedLiquid.diagnostics(of: payload, text: text, path: path) }
        readUser(path, isRendered: isRendered)
        for (name, _) in payload where name != "braze_id" && name.lowercased() == "braze_id" {
            let message = "\(name) names no user: keys are case-sensitive, the key is braze_id"
            diagnostics.append(Diagnostic("misspeltKey", message, path: "\(path)/\(name)"))
        }
    }

    private static func tooLarge(_ bytes: Int, _ limit: Int, path: String, isRendered: Bool) -> RPCError {
        HostError.payloadTooLarge(
            "the payload has \(bytes) bytes\(isRendered ? " once it is rendered" : ""), "
                + "Apple delivers at most \(limit); shorten it",
            path: path,
            details: ["bytes": JSON(bytes), "limit": JSON(limit)]
        )
    }

    /// The member `aps` of a payload whose depth is allowed.
    private static func aps(of payload: JSON.Object, path: String, depth: Int) throws(RPCError) -> JSON.Object {
        guard JSON.object(payload).nests(within: depth) else {
            throw HostError.invalidPayload("the payload nests at most \(depth) deep", path: path)
        }
        guard let aps = payload["aps"] else {
            throw HostError.invalidPayload("the payload needs a member aps with the alert and the category", path: path)
        }
        guard case .object(let aps) = aps else {
            throw HostError.invalidPayload("aps must be an object, it is \(aps.typeName)", path: path + "/aps")
        }
        return aps
    }

    /// Reads the user to whom the notification was sent from `braze_id`, the member that Braze's guide uses.
    private mutating func readUser(_ path: String, isRendered: Bool) {
        guard let id = userInfo["braze_id"] else { return }
        // Unrendered Liquid does not name a user; it has its own diagnostic.
        if !isRendered, id.string.map(UnrenderedLiquid.isTemplate) ?? false { return }
        let identity = JSON.Object([("braze_id", id)])
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

    private static func extras(_ aps: inout PayloadReader, _ alert: inout PayloadReader) -> [(String, JSON)] {
        ContentMember.all.compactMap { member in
            let value =
                member.isOfAlert
                ? alert.valid(member.key, member.expected) : aps.valid(member.key, member.expected)
            return value.map { (member.name, $0) }
        }
    }

    /// Whether the payload has a text that a phone would show as an alert; otherwise no extension runs.
    package var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

    /// Whether `content-available` is 1, which delivers the payload to the app in the background.
    package var isContentAvailable: Bool { userInfo["aps"]?["content-available"] == 1 }

    /// A JSON Pointer in the payload to the alert; to `aps` if the alert is absent.
    package var alertPath: String { userInfo["aps"]?["alert"] == nil ? "/aps" : "/aps/alert" }

    /// Adds a diagnostic for the author of the payload.
    package mutating func addDiagnostic(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Replaces the alert's keys by localized texts, once the locale and the extension that shows the notification are
    /// known.
    package mutating func localize(_ source: LocalizedTextSource) {
        var found: [Diagnostic] = []
        // All texts are looked up in the same files, and a damaged file should be reported only once.
        let report = { (new: Diagnostic) in
            if !found.contains(where: { ($0.reason, $0.message) == (new.reason, new.message) }) { found.append(new) }
        }
        title = texts.title.resolved(source, report)
        subtitle = texts.subtitle.resolved(source, report)
        body = texts.body.resolved(source, report)
        diagnostics += found
    }
}

/// Reads members of a payload as a phone does: it ignores an invalid value, and reports a diagnostic.
struct PayloadReader {
    /// The diagnostics for the values that were ignored so far.
    private(set) var diagnostics: [Diagnostic] = []
    private let members: MemberReader<MemberError>
    /// A JSON Pointer to the object in the request.
    private let path: String

    /// Reads an object of a payload at a JSON Pointer in the request.
    init(_ object: JSON.Object, path: String) {
        members = MemberReader(object)
        self.path = path
    }

    /// A member of any type.
    subscript(name: String) -> JSON? { members.object[name] }

    /// A JSON Pointer to a member in the request.
    func path(_ name: String) -> String { path + members.pointer(name) }

    /// A member; nil if it is absent or invalid.
    mutating func valid<Value>(_ name: String, _ expected: ExpectedValue<Value>) -> Value? {
        members.valid(name, expected) { ignore($0) }
    }

    /// Reports a member that is ignored for another reason than its type.
    mutating func ignore(_ name: String, _ problem: String) { ignore(MemberError(members.pointer(name), problem)) }

    private mutating func ignore(_ error: MemberError) { diagnostics.append(.ignored(error, in: path)) }
}
