import BundleChecks
import JSON
import Platform

/// What a document is for the server, by its name and content.
enum DocumentKind {
    /// A notification's payload.
    case payload
    /// Requests, or a recording of them with their replies.
    case session
    /// The `Info.plist` of a bundle.
    case infoPlist
    case entitlements
    /// The texts of a language.
    case strings
    /// Other JSON, such as a profile for Liquid.
    case json
    /// The code of a bundle.
    case program

    /// The kind of a document; `languageID` is what the editor calls its language.
    init(path: String, languageID: String? = nil, bytes: [UInt8]) {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        switch true {
        case name.hasSuffix(".apns"), name.hasSuffix(".apns.json"): self = .payload
        case name == "Info.plist": self = .infoPlist
        case name.hasSuffix(".entitlements"): self = .entitlements
        case name.hasSuffix(".strings"): self = .strings
        case name.hasSuffix(".jsonl"): self = .session
        case languageID == "apns": self = .payload
        case name.hasSuffix(".json"), languageID == "json":
            self = SyntaxTree(bytes).value["aps"] != nil ? .payload : .json
        default: self = .program
        }
    }

    /// How such a document is written; nil if the server does not read it.
    var language: SyntaxTree.Language? {
        switch self {
        case .payload, .json: .json
        case .session: .jsonLines
        case .infoPlist, .entitlements: .propertyList
        case .strings: .strings
        case .program: nil
        }
    }
}

/// A document that the editor has open.
struct OpenDocument {
    let uri: String
    let kind: DocumentKind
    private(set) var text: TextDocument
    private(set) var tree: SyntaxTree
    /// Whether the host is checking a state of it.
    var isChecking = false
    /// The findings about this state of it that were published.
    var findings: [Finding] = []

    /// Reads a document; `languageID` is what the editor calls its language.
    init(uri: String, _ text: TextDocument, languageID: String? = nil) {
        (self.uri, self.text) = (uri, text)
        kind = DocumentKind(path: LanguageServer.path(uri) ?? uri, languageID: languageID, bytes: text.bytes)
        tree = SyntaxTree(text.bytes, kind.language)
    }

    /// A file that the editor does not have open; nil if it cannot be read.
    init?(_ path: String, encoding: TextDocument.PositionEncoding) {
        guard let bytes = Workspace.contents(path) else { return nil }
        self.init(uri: LanguageServer.uri(path), TextDocument(bytes, encoding: encoding))
    }

    /// The path of the file; its URI for a document without one.
    var path: String { LanguageServer.path(uri) ?? uri }

    /// Makes the changes of a notification of the editor.
    mutating func change(_ changes: [JSON], version: Int) {
        for change in changes {
            text.replace(change["range"].flatMap(TextDocument.range), with: change["text"]?.string ?? "")
        }
        text.setVersion(version)
        tree = SyntaxTree(text.bytes, kind.language)
        // Their ranges are those of the text before.
        findings = []
    }

    /// The range of a part on the wire.
    func json(_ range: Range<Int>) -> JSON { text.json(range) }
}

/// A mistake at its place.
struct Finding {
    let range: Range<Int>
    /// `error`, `warning` or `information`.
    let level: String
    /// The stable word for programs.
    let reason: String
    let message: String
    let advice: String
    /// A JSON Pointer; empty for all of the document.
    let path: String
    /// What corrects a finding about a bundle.
    var correction: BundleFinding.Correction?
    /// Places in other files, as the protocol writes them.
    var related: [JSON] = []
}

extension TextDocument {
    /// The range of bytes as the protocol writes it.
    func json(_ range: Range<Int>) -> JSON {
        func json(_ offset: Int) -> JSON {
            let position = position(of: offset)
            return ["line": JSON(position.line), "character": JSON(position.character)]
        }
        return ["start": json(range.lowerBound), "end": json(range.upperBound)]
    }

    /// Reads a position of the protocol.
    static func position(_ value: JSON) -> Position? {
        guard let line = value["line"]?.integer, let character = value["character"]?.integer else { return nil }
        return Position(line: Int(clamping: line), character: Int(clamping: character))
    }

    /// Reads a range of the protocol.
    static func range(_ value: JSON) -> (start: Position, end: Position)? {
        guard let start = value["start"].flatMap(position), let end = value["end"].flatMap(position) else { return nil }
        return (start, end)
    }
}
