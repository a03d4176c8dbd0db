import AttachmentRules
import JSON

/// The attachment that a payload asks for.
struct Source: Equatable {
    let url: SourceURL
    let type: AttachmentType

    /// Reads `ab.att` of a payload; `nil` if it, its `url` or its `type` is absent, as in a push that is not rich.
    init?(_ userInfo: JSON.Object) throws(Refusal) {
        guard let attachment = userInfo["ab"]?["att"], let url = try Self.text("url", of: attachment),
            let name = try Self.text("type", of: attachment)
        else { return nil }
        guard let type = AttachmentType.named.first(where: { $0.rawValue == name }) else {
            let known = AttachmentType.named.map(\.rawValue).joined(separator: ", ")
            throw Refusal(.refused, "ab.att.type must be one of \(known), it is \(JSON.string(name))")
        }
        self.url = try SourceURL(url)
        self.type = type
    }

    private static func text(_ name: String, of attachment: JSON) throws(Refusal) -> String? {
        guard let value = attachment[name], !value.isNull else { return nil }
        guard let text = value.string else {
            throw Refusal(.refused, "ab.att.\(name) must be a string, it is \(value) (\(value.typeName))")
        }
        return text
    }
}
