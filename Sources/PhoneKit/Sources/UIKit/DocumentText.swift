// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation

extension NSAttributedString {
    public struct DocumentType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let plain = DocumentType(rawValue: "NSPlainText")
        public static let html = DocumentType(rawValue: "NSHTML")
        public static let rtf = DocumentType(rawValue: "NSRTF")
    }

    public struct DocumentReadingOptionKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let documentType = DocumentReadingOptionKey(rawValue: "DocumentType")
        public static let characterEncoding = DocumentReadingOptionKey(rawValue: "CharacterEncoding")
        public static let defaultAttributes = DocumentReadingOptionKey(rawValue: "DefaultAttributes")
    }

    /// The text of a document: of HTML what a reader sees, without its looks.
    public convenience init(
        data: Data,
        options: [DocumentReadingOptionKey: Any] = [:],
        documentAttributes dict: UnsafeMutablePointer<NSDictionary?>?
    ) throws {
        let encoding = (options[.characterEncoding] as? UInt).map { String.Encoding(rawValue: $0) } ?? .utf8
        guard let text = String(data: data, encoding: encoding) else {
            throw CocoaError(.fileReadInapplicableStringEncoding)
        }
        let type = options[.documentType] as? DocumentType
        guard type != .rtf else { throw CocoaError(.fileReadUnsupportedScheme) }
        self.init(string: type == .html ? PlainText.ofHTML(text) : text)
    }
}

extension AttributedString {
    /// The text of a line of Markdown, without its looks.
    public init(markdown: String, baseURL: URL? = nil) throws { self.init(PlainText.ofMarkdown(markdown)) }
}

/// What people read of a text with marks.
enum PlainText {
    private static let entities = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&nbsp;", "\u{A0}"),
        ("&amp;", "&"),
    ]

    static func ofHTML(_ html: String) -> String {
        var text = html.replacing(/(?is)<(script|style|head)\b.*?<\/\1>/, with: "")
        text = text.replacing(/\s+/, with: " ").replacing(/(?i)<br\s*\/?>|<\/(p|div|li|h[1-6]|tr)>/, with: "\n")
        text = text.replacing(/(?i)<li\b[^>]*>/, with: "\u{2022} ").replacing(/<[^>]*>/, with: "")
        for (entity, character) in entities { text = text.replacing(entity, with: character) }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    static func ofMarkdown(_ markdown: String) -> String {
        markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
            .replacing(/(\*\*|__|~~|`)(.+?)\1/) { $0.output.2 }
            .replacing(/(?:\*|\b_)([^*_\s][^*_]*)(?:\*|_\b)/) { $0.output.1 }
    }
}
