import Foundation
import JSON
import Notifications
import Testing

@Suite struct NotificationDrawerTests {
    private static let result: JSON = [
        "notification": "n-1", "extension": "com.example.card",
        "content": [
            "title": "System", "subtitle": "Sub", "body": "Body",
            "attachments": [["identifier": "a", "url": "file:///a.png", "type": "png"]],
        ],
        "layout": ["defaultContentHidden": false], "title": "Own",
        "view": ["type": "button", "id": "go", "title": "Go"],
        "media": ["button": "default", "playing": true],
        "actions": [
            ["identifier": "OK", "title": "Fine", "options": ["destructive"]],
            ["identifier": "SAY", "title": "Say", "options": ["foreground"], "textInput": [:]],
        ],
        "diagnostics": [["reason": "odd", "message": "It is\nodd."]],
    ]

    private func draw(_ result: JSON, _ width: Int = 32) -> [Drawing.Line] {
        NotificationDrawer(BoxDrawer(.unicode), width: width).draw(ShownNotification(result)).lines
    }

    @Test("The text has the parts of a notification in the order in which a person sees them, and what a call needs")
    func text() {
        let text = NotificationDrawer.text(Self.result) ?? ""
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "│ ")) }
        #expect(
            lines.filter { !$0.hasPrefix("╰") && !$0.hasPrefix("├") } == [
                "notification n-1, shown by com.example.card",
                "╭─ Own ────────────────────────────────────────────────────────────────╮",
                "╭─ #go ─╮", "Go", "attachment file:///a.png", "The media plays; mediaPause pauses it.",
                "Own", "Sub", "Body",
                "1  Fine  OK, destructive", "2  Say  SAY, foreground, asks for a text", "▲ It is odd.",
            ],
            "\(text)"
        )
    }

    @Test("Hidden parts are not in the text, and what was dismissed has no view")
    func hidden() {
        let hidden: JSON = [
            "notification": "n-1", "extension": .null, "layout": ["defaultContentHidden": true],
            "content": ["title": "System", "body": "Body"], "view": ["type": "text", "text": "View"], "actions": [],
            "media": ["button": "none", "playing": false],
        ]
        let text = NotificationDrawer.text(hidden) ?? ""
        #expect(text.hasPrefix("notification n-1, shown by the system\n╭─ System ─"))
        #expect(text.contains("│ View ") && !text.contains("Body") && !text.contains("media"))
        let gone: JSON = [
            "option": "dismissAndForward", "forwarded": true, "url": "myapp://home",
            "view": ["type": "text", "text": "x"],
        ]
        #expect(NotificationDrawer.text(gone)?.contains("│ The notification was dismissed.") == true)
        #expect(NotificationDrawer.text(gone)?.contains("│ The app opens myapp://home.") == true)
        #expect(NotificationDrawer.text(["option": "dismiss"]) == nil)
    }

    @Test("Details of an action that have no room in its line are below it, and none is lost")
    func details() {
        let action: JSON = [
            "identifier": .string(String(repeating: "LONG_", count: 10)), "title": "A title of some length",
        ]
        let text = NotificationDrawer.text(["view": ["type": "text", "text": "x"], "actions": [action]]) ?? ""
        #expect(text.contains("│  1  A title of some length "))
        #expect(text.contains("│     LONG_LONG_LONG_LONG_LONG_LONG_LONG_LONG_LONG_LONG_ "))
    }

    @Test("Every span of what can be pressed says so, and neighbours that differ in text only are one span")
    func spans() throws {
        let lines = draw(Self.result)
        let button = try #require(lines.first { $0.text.contains("Go") })
        #expect(
            button.json == [
                ["text": "│ ", "role": "dim"], ["text": "│ Go │", "role": "button", "target": ["element": "go"]],
                ["text": "                      "], ["text": " │", "role": "dim"],
            ]
        )
        let media = try #require(lines.first { $0.text.contains("media") })
        #expect(media.json[1]?["target"] == ["media": "mediaPause"])
        let action = try #require(lines.first { $0.text.contains("Fine") })
        #expect(action.json[2] == ["text": "Fine", "role": "destructive", "target": ["action": "OK"]])
        #expect(lines.allSatisfy { $0.width == 32 })
    }

    @Test("A drawing has from 24 to 72 columns and at most 2000 lines, for every view")
    func limits() {
        func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }
        #expect(draw(Self.result, 1).allSatisfy { $0.width == 24 })
        #expect(draw(Self.result, .max)[0].width == 72)
        let tall = draw(["view": text(String(repeating: "\n", count: 1_000_000))])
        #expect(tall.count == 2_000)
        #expect(tall.suffix(2).map(\.text) == ["The lines after these are not", "drawn."])
        #expect(draw(["view": text(String(repeating: "é", count: 100_000))]).count == 2_000)
        // One tall cell would make all cells beside it as tall.
        let cells = JSON((0..<900).map { text($0 == 0 ? String(repeating: "\n", count: 10_000) : "x") })
        #expect(draw(["view": ["type": "grid", "columns": 900, "children": cells]]).count == 2_000)
        let many: JSON = ["type": "stack", "children": JSON((0..<1_000).map { _ in text("x") })]
        #expect(draw(["view": many]).contains { $0.text.contains("more than 1000") })
    }

    @Test("Views that are nested as deep as they may be are drawn in no time, and need no more columns than there are")
    func deep() {
        let text: JSON = ["type": "text", "text": .string(String(repeating: "x\n", count: 20))]
        let rows = (0..<60).reduce(text) { inner, _ in ["type": "row", "children": [inner]] }
        #expect(draw(["view": rows]).count == 26)
        let cells: [JSON] = Array(repeating: ["type": "text", "text": "x"], count: 14)
        let grids = (0..<60).reduce(text) { inner, _ in
            ["type": "grid", "columns": 15, "children": JSON([inner] + cells)]
        }
        #expect(draw(["view": grids]).allSatisfy { $0.width == 32 })
    }
}
