internal import JSON
internal import Notifications
internal import Platform
internal import Synchronization

/// Where the picture of an image comes from.
package enum ImageSource: Equatable, Sendable {
    /// A picture in the document itself, as a `data:` URL, and another one for dark appearance if it has one.
    case embedded(String, dark: String? = nil)
    /// A picture that the browser fetches.
    case remote(String)
    /// No picture, and why.
    case placeholder(String)

    /// The source if its address may be in a document; otherwise a placeholder.
    var checked: ImageSource {
        switch self {
        case .embedded(let url, let dark) where Self.isPicture(url) && dark.map(Self.isPicture) != false: self
        case .remote(let url) where Self.isWeb(url): self
        case .placeholder: self
        default: .placeholder("address not allowed")
        }
    }

    private static func isPicture(_ url: String) -> Bool {
        let types = ["png", "jpeg", "gif", "webp", "svg+xml"]
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

/// The pictures of one document: files of this machine are embedded, others are fetched only if that is allowed.
///
/// What is embedded in a document has a limit together with files that are no pictures, and each file is read once.
package final class LocalImages: Sendable {
    /// The maximum size of all pictures as text of the document, and of all other files that were read.
    private static let limit = 10 << 20

    private let allowsRemote: Bool
    private let standIns: String?
    private let state = Mutex((room: LocalImages.limit, sources: [String: ImageSource]()))

    /// The pictures of a new document; those on the web only if the browser may fetch them.
    ///
    /// - Parameters:
    ///   - allowsRemote: Whether the browser may fetch pictures on the web.
    ///   - standIns: A folder of files that are shown in place of pictures on the web whose addresses end in their names.
    package init(allowsRemote: Bool, standIns: String? = nil) {
        (self.allowsRemote, self.standIns) = (allowsRemote, standIns)
    }

    /// The folder beside a payload whose files stand for pictures on the web.
    package static func folder(besides payload: String) -> String { "\(Paths.parent(of: payload))/images" }

    /// The picture in a file as a `data:` URL; nil if there is none.
    package static func embedded(path: String) -> String? {
        (try? ImageFile(url: URL(fileURLWithPath: path).absoluteString))?.dataURL
    }

    /// Where the picture at a URL comes from.
    package func source(_ url: String) -> ImageSource {
        let lowercased = url.lowercased()
        if lowercased.hasPrefix("https:") || lowercased.hasPrefix("http:") {
            guard !allowsRemote else { return .remote(url) }
            return standIn(for: url).map(local) ?? .placeholder("remote image, not loaded")
        }
        guard lowercased.hasPrefix("file:") else { return .placeholder("address not allowed") }
        return local(url)
    }

    /// The address of the file that is shown in place of a picture on the web.
    private func standIn(for url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let standIns, let name = path.split(separator: "/").dropFirst(2).last, name != ".." else { return nil }
        let file = "\(standIns)/\(name)"
        return FileStamp(of: file)?.kind == .file ? URL(fileURLWithPath: file).absoluteString : nil
    }

    private func local(_ url: String) -> ImageSource {
        state.withLock { state in
            guard state.room > 0 else { return .placeholder("the page has no room for more images") }
            let source = state.sources[url] ?? Self.embedded(url, &state.room)
            state.sources[url] = source
            guard case .embedded(let text, let dark) = source else { return source }
            // A picture is in the document as often as it is shown.
            state.room -= text.utf8.count + (dark?.utf8.count ?? 0)
            return state.room > 0 ? source : .placeholder("the page has no room for it")
        }
    }

    private static func embedded(_ url: String, _ room: inout Int) -> ImageSource {
        do throws(ImageFile.Failure) {
            let files = try ImageFile.files(url: url)
            return .embedded(files.light.dataURL, dark: files.dark?.dataURL)
        } catch {
            room -= error.bytesRead
            return .placeholder(error.reason)
        }
    }
}

extension ImageFile {
    fileprivate var dataURL: String { "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())" }
}

/// Writes images, and what stands for an image that is not shown.
struct ImageWriter {
    /// A narrower image is square, as in a grid of badges.
    private static let narrow = 160.0

    private let settings: HTMLRenderer.Settings
    private let typesetter: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ typesetter: Typesetter) {
        (self.settings, self.typesetter) = (settings, typesetter)
    }

    /// An image of a view.
    func image(_ node: JSON, _ width: Double) -> Block {
        picture(node.shownText("url"), alt: node.shownText("alt"), width, fit: "pn-image")
    }

    /// An attachment of the notification, large.
    func attachment(_ attachment: JSON, _ width: Double) -> Block {
        let kind = attachment["type"]?.string ?? "file"
        return picture(attachment["url"]?.string ?? "", alt: "Attachment, \(kind)", width, fit: "pn-image pn-cover")
    }

    /// An attachment of the notification in its banner; nothing if it is no picture that can be shown.
    func thumbnail(_ attachment: JSON) -> Markup? {
        shown(settings.images(attachment["url"]?.string ?? "").checked, "pn-thumbnail", alt: "Attachment")
    }

    private func picture(_ url: String, alt: String, _ width: Double, fit: String) -> Block {
        let height = width < Self.narrow ? width : (width * 9 / 16).rounded()
        let alt = typesetter.limited(alt)
        let shape = width < Self.narrow ? " pn-square" : ""
        let image = settings.images(url).checked
        if let shown = shown(image, fit + shape, alt: alt) { return Block(markup: shown, height: height) }
        guard case .placeholder(let reason) = image else { return Block(markup: .text(""), height: 0) }
        let name = alt.isEmpty ? typesetter.limited(Self.name(url)) : alt
        let texts = Block.below(
            [
                typesetter.paragraph(name, .footnote, width: width - 16),
                typesetter.paragraph(reason, .caption1, "pn-dim", width: width - 16),
            ],
            gap: 4
        )
        return Block(
            markup: .element("div", ["class": "pn-missing" + shape], [Symbol.picture, texts.markup]),
            height: max(height, texts.height + 16 + 18 + 4)
        )
    }

    /// A picture as it looks in the chosen scheme; nil for what only stands for one.
    private func shown(_ image: ImageSource, _ style: String, alt: String) -> Markup? {
        let (source, dark): (String, String?)
        switch image {
        case .embedded(let light, let other): (source, dark) = (light, other)
        case .remote(let url): (source, dark) = (url, nil)
        case .placeholder: return nil
        }
        let own = settings.scheme == .dark ? dark ?? source : source
        let picture = Markup.element(
            "img",
            ["class": style, "src": own, "alt": alt, "referrerpolicy": "no-referrer"]
        )
        guard let dark, settings.scheme == .automatic else { return picture }
        let other = Markup.element("source", ["media": "(prefers-color-scheme:dark)", "srcset": dark])
        return .element("picture", [:], [other, picture])
    }

    /// The end of an address; nothing of a local one, whose names may be temporary.
    private static func name(_ url: String) -> String {
        guard !url.lowercased().hasPrefix("file:") else { return "image" }
        return url.split(separator: "/").last.map(String.init) ?? "image"
    }
}
