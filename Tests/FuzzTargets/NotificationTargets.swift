import Contract
import JSON
import JSONRPC
import Localization
import NotificationHTML

@testable import Notifications

extension FuzzTarget {
    static let notifications = [
        FuzzTarget("payload", checkPayload), FuzzTarget("view", checkView), FuzzTarget("reply", checkReply),
    ]
}

// MARK: Payloads

/// The texts of a bundle that has some of the payload's keys.
private func texts() -> LocalizedStrings {
    let table = "\"A\" = \"%2$@ %@ %d %%\"; \"TITLE\" = \"t\";"
    return LocalizedStrings(folder: "/nowhere", unsaved: ["en.lproj/Localizable.strings": Array(table.utf8)])
}

/// Each finding has its words, and a place in the text; a payload that is shown can be drawn.
private func checkPayload(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let mode = input.byte()
    let bytes = input.bytes
    var surroundings = PayloadCheck.Surroundings()
    surroundings.text = bytes
    (surroundings.isTemplate, surroundings.isRendered) = (mode & 1 != 0, mode & 2 != 0)
    surroundings.locale = mode & 4 != 0 ? "de-CH" : "en"
    let keys = [
        UserInfoKey("code", .string, example: "\"A\""), UserInfoKey("count", .number, isRequired: false, example: "1"),
    ]
    surroundings.extensions = [.init(identifier: "a.b", categories: ["offers"], keys: keys, strings: texts())]
    let payload: JSON
    do throws(JSONParseError) {
        payload = try JSON(authored: bytes)
    } catch {
        return try checkFindings(PayloadCheck(error, surroundings), bytes)
    }
    try checkFindings(PayloadCheck(payload, surroundings), bytes)
    guard let object = payload.object else { return }
    let received: ReceivedNotification
    do throws(RPCError) {
        received = ReceivedNotification(
            try Payload(object, path: "/params/payload", depth: 512, isRendered: mode & 2 != 0),
            notification: "n",
            identifier: nil,
            date: 0,
            locale: nil,
            verticalSizeClass: nil
        )
    } catch {
        return try require(!error.message.isEmpty, "the refusal has no message")
    }
    try require(received.diagnostics.allSatisfy { !$0.reason.isEmpty && !$0.message.isEmpty }, "a diagnostic is empty")
    try require(received.content.json["userInfo"] == payload, "the extension gets another userInfo")
    let view = try ViewTree(received.content.defaultView)
    let presentation = Presentation(.init(received), presenter: nil, category: nil, view: view)
    try checkDrawings(of: presentation)
}

private func checkFindings(_ check: PayloadCheck, _ bytes: [UInt8]) throws {
    let lines = bytes.count { $0 == 0x0A } + 1
    for finding in check.json["findings"]?.array.map(Array.init) ?? [] {
        for name in ["reason", "message", "advice"] {
            try require(finding[name]?.string?.isEmpty == false, "it has no \(name): \(finding)")
        }
        try require(finding["path"]?.string?.first ?? "/" == "/", "its path is no pointer: \(finding)")
        guard let line = finding["line"]?.integer, let column = finding["column"]?.integer else { continue }
        try require((1...Int64(lines)).contains(line) && column > 0, "its place is not in the text: \(finding)")
    }
}

// MARK: Views

/// A notification that an extension shows.
private func presentation(_ view: ViewTree) throws -> Presentation {
    let payload: JSON = ["aps": ["alert": "a", "category": "offers", "thread-id": "t"]]
    let received = ReceivedNotification(
        try Payload(try require(payload.object, "it is no object"), path: "", depth: 512),
        notification: "n",
        identifier: nil,
        date: 0,
        locale: nil,
        verticalSizeClass: nil
    )
    return Presentation(.init(received), presenter: ContentExtension(), category: nil, view: view)
}

private final class ContentExtension: Presenter {
    let (identifier, initialContentSizeRatio) = ("a.b", 0.5)
    let (defaultContentHidden, overridesDefaultTitle) = (false, true)
}

/// A view that is accepted can be drawn, and no text of it becomes markup.
private func checkView(_ bytes: [UInt8]) throws {
    guard let value = try? JSON(parsing: bytes) else { return }
    let view: ViewTree
    do throws(ViewError) {
        view = try ViewTree(value)
    } catch {
        return try require(!error.text.isEmpty, "the refusal has no text")
    }
    try checkDrawings(of: presentation(view))
}

/// A drawing has no line that is wider than it may be, and a picture is well-formed.
private func checkDrawings(of presentation: Presentation) throws {
    let shown = ShownNotification(presentation.detailedJSON)
    for (glyphs, width) in [(Glyphs.unicode, 24), (.ascii, 61)] {
        let drawer = BoxDrawer(glyphs, focus: shown.targets.last, ids: .marked)
        let drawing = NotificationDrawer(drawer, width: width).draw(shown)
        try require(drawing.width <= width, "a line has \(drawing.width) columns, not \(width)")
        try require(drawing.lines.count <= NotificationDrawer.linesLimit, "it has \(drawing.lines.count) lines")
        try require(drawing.lines.allSatisfy { !$0.text.utf8.contains { $0 < 0x20 } }, "a line has a control character")
    }
    var settings = HTMLRenderer.Settings()
    settings.isInteractive = true
    try checkMarkup(HTMLRenderer(settings).svg([("", shown, nil)], title: shown.title))
}

/// Every element is closed, and none runs code.
private func checkMarkup(_ html: String) throws {
    var open: [String] = []
    // A browser reads scalars; of an accent after a bracket, Swift makes one character.
    var rest = html.unicodeScalars[...]
    while let start = rest.firstIndex(of: "<") {
        rest = rest[start...].dropFirst()
        let end = try require(rest.firstIndex(of: ">"), "a tag has no end")
        let tag = rest[..<end]
        try require(!tag.contains("<"), "a tag begins within a tag: \(tag)")
        rest = rest[end...].dropFirst()
        let name = String(tag.prefix { $0 != " " && $0 != "/" })
        if tag.first == "/" {
            try require(open.popLast() == String(tag.dropFirst()), "\(tag) ends another element")
        } else {
            // Texts of others are in quotes, in which they end nothing.
            let names = String(tag).split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "\"")
            try require(name != "script" && !names.contains(" on"), "it runs code: \(tag)")
            if tag.last != "/" { open.append(name) }
        }
    }
    try require(open.isEmpty, "not closed: \(open)")
}

// MARK: Replies of extensions

/// What an extension answers is refused with a sentence, or shown.
private func checkReply(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let kind = input.byte() % 5
    guard let value = try? JSON(parsing: input.bytes) else { return }
    do {
        switch kind {
        case 0: _ = try PersonalizationReply(value) { PayloadFinding.path($0) }
        case 1:
            let findings = try TemplateCheckReply(value).findings
            try require(findings.allSatisfy { $0.json["advice"]?.string?.isEmpty == false }, "a finding has no advice")
        case 2: try checkChange(value)
        default: try checkContent(try ContentExtensionReply(value, needsOption: kind == 3))
        }
    } catch let error as ReplyError {
        try require(!error.text.isEmpty, "the refusal has no text")
    }
}

/// A change of a service extension is void, or is what extensions then receive; a void one changes nothing.
private func checkChange(_ value: JSON) throws {
    let original = try presentation(try ViewTree(["type": "text"])).newest.content
    let reply = ServiceExtensionReply(value, changing: original, author: "a.b", folder: nil, depth: 64)
    try require(reply.diagnostics.allSatisfy { !$0.reason.isEmpty && !$0.message.isEmpty }, "a diagnostic is empty")
    try require(reply.content.hasAlert, "nothing is left to show")
    guard reply.voidReason != nil else { return }
    try require(reply.content.json == original.json, "a void change has an effect")
}

private func checkContent(_ reply: ContentExtensionReply) throws {
    let shown = try presentation(try ViewTree(["type": "text"]))
    shown.apply(reply)
    for diagnostic in shown.drainDiagnostics() { _ = diagnostic.json }
    try checkDrawings(of: shown)
}
