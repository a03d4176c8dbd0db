/// Where the picture of an image comes from.
package enum ImageSource: Equatable, Sendable {
    /// A picture in the document itself, as a `data:` URL.
    case embedded(String)
    /// A picture that the browser fetches.
    case remote(String)
    /// No picture, and why.
    case placeholder(String)

    /// The source if its address may be in a document; otherwise a placeholder.
    var checked: ImageSource {
        switch self {
        case .embedded(let url) where Self.isPicture(url): self
        case .remote(let url) where Self.isWeb(url): self
        case .placeholder: self
        default: .placeholder("address not allowed")
        }
    }

    private static func isPicture(_ url: String) -> Bool {
        let types = ["png", "jpeg", "gif", "webp"]
        guard let type = types.map({ "data:image/\($0);base64," }).first(where: url.hasPrefix) else { return false }
        return url.utf8.dropFirst(type.utf8.count).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
            default: false
            }
        }
    }

    private static func isWeb(_ url: String) -> Bool {
        ["https://", "http://"].contains { url.lowercased().hasPrefix($0) }
            && url.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    }
}
