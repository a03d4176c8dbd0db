import JSON
import Notifications
import TestSupport
import Testing

@Suite struct BoxDrawerTests {
    private func draw(
        _ view: JSON,
        width: Int = 40,
        _ glyphs: Glyphs = .unicode,
        focus: Drawing.Target? = nil,
        entry: String? = nil,
        ids: BoxDrawer.IDs = .hidden
    ) -> [String] {
        let drawer = BoxDrawer(glyphs, focus: focus, entry: entry, ids: ids)
        return ViewLayout(drawer).draw(view, width: width)?.lines.map(\.text) ?? []
    }

    @Test(
        "Each type of node has its form",
        arguments: [
            (["type": "text", "text": "one two"], ["one two"]), (["type": "text", "text": "a\nb"], ["a", "b"]),
            (["type": "text", "text": "end", "alignment": "end"], ["       end"]),
            (["type": "text", "text": "mid", "alignment": "center"], ["   mid    "]),
            (["type": "text", "text": "longer than a line"], ["longer", "than a", "line"]),
            (["type": "text", "text": "unbreakable-word"], ["unbreakabl", "e-word"]), (["type": "text"], [""]),
            (["type": "button", "id": "b", "title": "Go"], ["╭────╮", "│ Go │", "╰────╯"]),
            (["type": "card", "id": "c", "faceUp": false], ["╭────────╮", "│ ░░░░░░ │", "╰────────╯"]),
            (["type": "card", "id": "c", "faceUp": true, "face": "A"], ["╭────────╮", "│   A    │", "╰────────╯"]),
            (
                ["type": "card", "id": "c", "faceUp": true, "face": "longname", "matched": true],
                ["╭────────╮", "│ lon… ✓ │", "╰────────╯"]
            ),
            (["type": "field", "id": "f", "placeholder": "Name"], ["╭────────╮", "│ Name   │", "╰────────╯"]),
            (["type": "field", "id": "f", "value": "Ada Lovelace"], ["╭────────╮", "│ Ada L… │", "╰────────╯"]),
            (
                ["type": "image", "url": "https://a.example/b.png"],
                ["┌┄┄┄┄┄┄┄┄┐", "┊        ┊", "┊ b.png  ┊", "┊        ┊", "└┄┄┄┄┄┄┄┄┘"]
            ),
            (
                ["type": "image", "alt": "A cat on a mat"],
                ["┌┄┄┄┄┄┄┄┄┐", "┊ A cat  ┊", "┊  on a  ┊", "┊  mat   ┊", "└┄┄┄┄┄┄┄┄┘"]
            ),
            (["type": "progress", "value": 1, "total": 2], ["███░░░ 1/2"]),
            (["type": "progress", "value": "half"], ["half"]),
            (["type": "progress", "value": 1, "total": 1_000_000], ["1/1000000"]),
            (["type": "carousel", "id": "s", "page": 0, "children": []], ["(no pages)"]),
            (
                [
                    "type": "carousel", "id": "s", "page": 1,
                    "children": [["type": "text"], ["type": "text", "text": "x"]],
                ],
                ["x", " ‹ ○ ● ›  "]
            ),
            (["type": "later", "children": [["type": "text", "text": "x"]]], ["(later)", "x"]), (["type": "stack"], []),
            (
                ["type": "media", "source": "a/b.mp4", "kind": "video", "state": "playing", "time": 3, "duration": 12],
                ["┌┄┄┄┄┄┄┄┄┐", "┊ b.mp4  ┊", "┊ ▶ 0:03 ┊", "┊ / 0:12 ┊", "└┄┄┄┄┄┄┄┄┘"]
            ),
            (
                ["type": "media", "id": "m", "source": "b.wav", "kind": "audio", "state": "paused"],
                ["╭────────╮", "│ b.wav  │", "│ ‖ 0:00 │", "╰────────╯"]
            ),
            (
                ["type": "map", "latitude": 1, "longitude": -2],
                ["┌┄┄┄┄┄┄┄┄┐", "┊ ●      ┊", "┊ 1.0000 ┊", "┊ ° N,   ┊", "┊ 2.0000 ┊", "┊ ° W    ┊", "└┄┄┄┄┄┄┄┄┘"]
            ),
        ] as [(JSON, [String])]
    )
    func nodes(view: JSON, lines: [String]) {
        #expect(draw(view, width: 10) == lines)
    }

    @Test("What has the focus has heavy lines, and a text that is entered shows its end")
    func focus() {
        let field: JSON = ["type": "field", "id": "f", "value": "old", "placeholder": "Name"]
        #expect(
            draw(field, width: 12, focus: .element("f"), entry: "0123456789") == [
                "┏━━━━━━━━━━┓", "┃ …456789▏ ┃", "┗━━━━━━━━━━┛",
            ]
        )
        #expect(draw(field, width: 12, .ascii, focus: .element("f"), entry: "x")[1] == "H x_       H")
        #expect(draw(field, width: 12, focus: .element("g"), entry: "x")[1] == "│ old      │")
    }

    @Test("Ids stand in the upper lines if they are asked for, and below a box that is too narrow")
    func ids() {
        let view: JSON = ["type": "button", "id": "play-again", "title": "Go"]
        #expect(draw(view, ids: .plain) == ["╭─ play-again ─╮", "│      Go      │", "╰──────────────╯"])
        #expect(draw(view, ids: .marked)[0] == "╭─ #play-again ─╮")
        #expect(draw(view, width: 11, ids: .marked) == ["╭─────────╮", "│   Go    │", "╰─────────╯", "#play-again"])
        let story: JSON = [
            "type": "carousel", "id": "story-of-ada", "page": 0, "children": [["type": "text", "text": "x"]],
        ]
        #expect(draw(story, width: 24, ids: .marked) == ["x", "  ‹ ● ›  #story-of-ada  "])
        #expect(draw(story, width: 14, ids: .marked) == ["x", "‹ ● ›", "#story-of-ada"])
    }

    @Test("A row puts low cells in the middle, and gives what is left to fields and aligned texts")
    func row() {
        let name: JSON = ["type": "text", "text": "Name"]
        let button: JSON = ["type": "button", "id": "b", "title": "Go"]
        #expect(draw(["type": "row", "children": [name, button]]) == ["     ╭────╮", "Name │ Go │", "     ╰────╯"])
        let count: JSON = ["type": "text", "text": "3/8", "alignment": "end"]
        #expect(draw(["type": "row", "children": [name, count]], width: 12) == ["Name     3/8"])
        let long: JSON = ["type": "text", "text": "one two three four"]
        #expect(draw(["type": "row", "children": [long, name]], width: 12) == ["one two", "three   Name", "four"])
    }

    @Test("Grids have aligned columns for letters of any width, and may contain stacks and grids")
    func grids() {
        func texts(_ texts: String...) -> JSON { JSON(texts.map { ["type": "text", "text": .string($0)] as JSON }) }
        let grid: JSON = ["type": "grid", "columns": 2, "children": texts("a", "😀", "ccc", "日本", "e")]
        #expect(draw(grid) == ["a      😀", "ccc    日本", "e"])
        let stack: JSON = ["type": "stack", "children": texts("long", "x", "y")]
        let inner: JSON = ["type": "grid", "columns": 2, "children": texts("1", "2", "3", "4")]
        let outer: JSON = ["type": "grid", "columns": 2, "children": [stack, inner]]
        #expect(draw(outer) == ["long   1  2", "x      3  4", "y"])
    }

    @Test(
        "A grid with an invalid number of columns is drawn nevertheless",
        arguments: [
            (.null, 1), (0, 3), (-5, 3), (.integer(.max), 1), ("two", 1), (2.0, 1),
        ] as [(JSON, Int)]
    )
    func columns(columns: JSON, rows: Int) {
        let cells: [JSON] = ["1", "2", "3"].map { ["type": "text", "text": .string($0)] }
        #expect(draw(["type": "grid", "columns": columns, "children": JSON(cells)]).count == rows)
    }

    @Test("Members of any type are drawn, as the host passes them on")
    func oddMembers() {
        let nodes: [(JSON, String)] = [
            (["type": "text", "text": 7], "7"), (["type": "text", "text": .null], ""),
            (["type": "text", "text": "styled", "style": 5, "alignment": []], "styled"),
            (["type": "image", "url": ["a"]], #"["a"]"#), (["type": "button", "title": true], "true"),
            (["type": "field", "value": 1.5], "1.5"), (["type": "progress", "value": -1, "total": 0], "-1"),
            (["type": "stack", "children": "none"], ""), (["type": "row", "children": 5], ""),
            (["type": "carousel", "page": "two", "children": [["type": "text", "text": "first"]]], "first"),
        ]
        for (node, text) in nodes { #expect(draw(node).joined().contains(text) || text.isEmpty, "\(node)") }
    }

    @Test("A card that lies face down tells nothing, whatever its extension sent")
    func faceDown() {
        let card: JSON = ["type": "card", "id": "c", "faceUp": false, "face": "rainbow"]
        #expect(!draw(card).joined().contains("rainbow"))
    }

    @Test("A text of an extension can neither control a terminal, leave its line, nor turn the direction of others")
    func control() {
        let hostile = "a\u{1B}[2Jb\nc\u{2028}d\u{85}e\r\nf\u{0}"
        #expect(draw(["type": "button", "title": .string(hostile)])[1] == "│ a [2Jb c d e  f  │")
        #expect(draw(["type": "text", "text": .string(hostile)]) == ["a [2Jb", "c", "d", "e", "f "])
        #expect(draw(["type": "text", "text": "\u{202E}gpj a\u{2066}b שלום"]) == ["gpj a b שלום"])
    }

    @Test("Letters that ASCII lacks have a likeness, and no other character is left")
    func ascii() {
        let text = "Café – 54 m² “✓” ♡ € 😀"
        #expect(draw(["type": "text", "text": .string(text)], .ascii) == [#"Cafe - 54 m2 "x" <3 EUR ?"#])
    }

    @Test("No line is wider than the room, whatever the view is", arguments: 1...200)
    func widths(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let view = Self.view(&generator, depth: 4)
        for width in [20, 37, 60] {
            let lines =
                ViewLayout(BoxDrawer(.unicode, ids: seed % 2 == 0 ? .marked : .hidden)).draw(view, width: width)?.lines
                ?? []
            #expect(
                lines.allSatisfy { $0.width <= width },
                "\(view) at \(width):\n\(lines.map(\.text).joined(separator: "\n"))"
            )
        }
    }

    private static func view(_ generator: inout SeededGenerator, depth: Int) -> JSON {
        let texts = ["", "Go", "a longer title of a button", "日本語のテキスト", "unbreakable-and-quite-long-word", "😀"]
        let text = JSON.string(texts.randomElement(using: &generator) ?? "")
        let leaves: [JSON] = [
            ["type": "text", "text": text, "alignment": "end"], ["type": "button", "id": text, "title": text],
            ["type": "field", "id": "f", "value": text, "placeholder": text], ["type": "image", "url": text],
            ["type": "card", "id": "c", "faceUp": true, "face": text, "matched": true],
            ["type": "progress", "value": 3, "total": 7], ["type": "later", "text": text],
            ["type": "media", "id": text, "source": text, "state": "playing", "time": 1e300, "duration": -1],
            ["type": "map", "latitude": 91, "annotations": [["title": text, "latitude": 1, "longitude": 2]]],
        ]
        let kinds = ["stack", "row", "grid", "carousel"]
        guard depth > 0, Bool.random(using: &generator), let kind = kinds.randomElement(using: &generator) else {
            return leaves.randomElement(using: &generator) ?? .null
        }
        let children = (0..<Int.random(in: 1...6, using: &generator)).map { _ in view(&generator, depth: depth - 1) }
        let columns = Int64.random(in: 1...6, using: &generator)
        return ["type": .string(kind), "id": "n", "columns": .integer(columns), "page": 0, "children": JSON(children)]
    }
}
