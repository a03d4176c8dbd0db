import JSON
import NotificationHTML
import Notifications
import TestSupport
import Testing

/// A text of a payload or an extension never becomes markup.
@Suite(.waits) struct HostileTextTests {
    private static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</style><svg>",
        "]]></foreignObject></svg>", "<!--", "--><b>", "&lt;b&gt;", "&#60;", "javascript:alert(1)",
        "\u{202E}evil\u{202C}",
        "\u{2066}a\u{2069}", "a\u{0}b\u{1B}[2Jc\u{7F}", "\u{FFFE}\u{FFFF}\u{FEFF}", "line\nline\r\nline\u{2028}line",
        "",
        "   ", "\u{1F600}\u{200D}\u{1F680}", String(repeating: "\u{301}", count: 300),
        String(repeating: "w", count: 9_000),
        "data:text/html,<script>alert(1)</script>", "data:image/svg+xml;base64,PHN2Zz4=", "url(x)", "expression(1)",
        "https://example.com/a\" onload=\"alert(1)", "{}", "a;color:red", "\u{5D0}\u{5D1} abc \u{627}",
    ]

    private static let elements: Set<String> = [
        "html", "head", "meta", "title", "style", "body", "main", "svg", "foreignObject", "path", "div", "section",
        "figure",
        "figcaption", "span", "p", "h1", "h2", "h3", "ul", "li", "img", "input", "button", "br", "bdi",
    ]

    private static let attributes: Set<String> = [
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "dir", "width", "height", "viewBox", "d",
        "alt",
        "src", "referrerpolicy", "type", "value", "placeholder", "autocomplete", "role", "title", "disabled",
    ]

    @Test("Every member may hold any value: the document stays well-formed, and has no other elements and attributes")
    func everyMember() throws {
        var generator = SeededGenerator(seed: 17)
        var documents: [String] = []
        for round in 0..<400 {
            let shown = Self.notification(using: &generator)
            let text = Self.texts[round % Self.texts.count]
            let renderer = HTMLRenderer {
                $0.isInteractive = round.isMultiple(of: 2)
                ($0.appName, $0.appIcon) = (text, text)
                $0.images = { round.isMultiple(of: 3) ? .remote($0) : .embedded($0) }
            }
            let figure: HTMLRenderer.Figure = (text, shown, round.isMultiple(of: 5) ? text : "ar")
            documents.append(
                round.isMultiple(of: 2) ? renderer.page([figure], title: text) : renderer.svg([figure], title: text)
            )
        }
        for (index, document) in try XMLDocuments(documents).documents.enumerated() {
            #expect(document.elements.subtracting(Self.elements) == [], "document \(index)")
            let others = document.attributes.keys.filter {
                !Self.attributes.contains($0) && !$0.hasPrefix("data-") && !$0.hasPrefix("aria-")
            }
            #expect(others == [], "document \(index)")
            for source in document.attributes["src"] ?? [] {
                #expect(source.hasPrefix("https://") || source.hasPrefix("data:image/"), "document \(index): \(source)")
                #expect(!source.contains { $0 == "<" || $0.isWhitespace || $0 == "\"" }, "document \(index): \(source)")
            }
            for style in document.attributes["style"] ?? [] {
                let others = style.replacing(/light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)/, with: "")
                #expect(
                    !others.contains("(") || others.hasPrefix("grid-template-columns:repeat("),
                    "document \(index): \(style)"
                )
            }
        }
    }

    @Test("A text is shown as it is written, except for what could control the text beside it")
    func shownAsWritten() throws {
        let texts = ["<script>alert(1)</script>", "\"><img src=x>", "a & b", "&amp;"]
        let documents = try XMLDocuments(
            texts.map {
                HTMLRenderer.expanded.svg([("", .node(["type": "text", "text": .string($0)]), nil)], title: "")
            }
        )
        for (document, text) in zip(documents.documents, texts) { #expect(document.texts.contains(text)) }
        let overridden = HTMLRenderer.expanded.figure(.node(["type": "text", "text": "a\u{202E}b\u{1B}c"]))
        #expect(overridden.contains(">a b c<"))
    }

    /// A notification whose members hold hostile texts and values of any type.
    private static func notification(using generator: inout SeededGenerator) -> ShownNotification {
        let text = { (generator: inout SeededGenerator) in JSON.string(texts.randomElement(using: &generator) ?? "") }
        let value = { (generator: inout SeededGenerator) in
            Bool.random(using: &generator) ? text(&generator) : JSON.random(depth: 1, using: &generator)
        }
        let actions = (0..<3).map { _ -> JSON in
            [
                "identifier": text(&generator), "title": text(&generator),
                "options": ["destructive", "authenticationRequired", "foreground"],
                "textInput": ["buttonTitle": value(&generator), "placeholder": value(&generator)],
            ]
        }
        let attachment: JSON = ["identifier": "", "url": text(&generator), "type": text(&generator)]
        return .sample(
            view: node(depth: 3, value, using: &generator),
            actions: JSON(actions),
            content: [
                "title": text(&generator), "subtitle": text(&generator), "body": text(&generator),
                "attachments": [attachment],
            ],
            layout: ["initialContentSizeRatio": value(&generator), "defaultContentHidden": false],
            title: text(&generator),
            media: [
                "button": "default", "playing": value(&generator), "tintColor": value(&generator),
                "frame": ["x": value(&generator), "y": value(&generator), "width": 1e300, "height": -1],
            ]
        )
    }

    private static func node(
        depth: Int,
        _ value: (inout SeededGenerator) -> JSON,
        using generator: inout SeededGenerator
    ) -> JSON {
        let leaves = ["text", "image", "card", "button", "field", "progress", "<b>"]
        let types = depth > 0 ? ["stack", "row", "grid", "carousel"] + leaves : leaves
        let names = [
            "id", "text", "style", "alignment", "url", "alt", "columns", "page", "face", "title", "value",
            "placeholder",
            "total", "background",
        ]
        var members = names.map { ($0, value(&generator)) }
        let pair: JSON = ["light": "#0a0b0c", "dark": "#ffffff"]
        members.append(("color", Bool.random(using: &generator) ? value(&generator) : pair))
        members += ["faceUp", "matched"].map { ($0, .bool(Bool.random(using: &generator))) }
        members.append(("type", .string(types.randomElement(using: &generator) ?? "text")))
        let children = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            depth > 0 ? node(depth: depth - 1, value, using: &generator) : ["type": "text", "text": "x"]
        }
        return .object(JSON.Object(members + [("children", JSON(children))]))
    }
}
