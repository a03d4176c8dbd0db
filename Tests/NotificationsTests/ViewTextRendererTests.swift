import JSON
import Testing

@testable import Notifications

@Suite struct ViewTextRendererTests {
    private func draw(_ view: JSON) -> [String] {
        ViewTextRenderer.render(view).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(
        "Each type of node has its form, followed by its id",
        arguments: [
            (["type": "text", "id": "t", "text": "Hello"], "Hello"),
            (["type": "text", "text": "two\nlines"], "two\nlines"),
            (["type": "text"], ""),
            (["type": "card", "id": "c", "faceUp": false, "face": "seen"], "[?] #c"),
            (["type": "card", "id": "c"], "[?] #c"),
            (["type": "card", "faceUp": true, "face": "A"], "[A]"),
            (["type": "card", "id": "c", "faceUp": true, "face": 5, "matched": true], "[5 ✓] #c"),
            (["type": "button", "id": "go", "title": "Go on"], "( Go on ) #go"),
            (["type": "field", "id": "f", "value": "", "placeholder": "E-mail"], "field (E-mail) #f"),
            (["type": "field", "id": "f", "value": "a \"b\""], #"field "a \"b\"" #f"#),
            (["type": "image", "url": "file:///a.png"], "image file:///a.png"),
            (["type": "image", "id": "i", "url": "file:///a.png", "alt": "A \"cat\""], #"image "A \"cat\"" #i"#),
            (["type": "text", "text": "Hello", "style": "title", "alignment": "end"], "Hello"),
            (["type": "row"], ""), (["type": "carousel", "id": "s", "page": 0, "children": []], "no pages #s"),
            (["type": "progress", "value": 3, "total": 4], "progress [###############-----] 3 of 4"),
            (["type": "progress", "value": 9, "total": 4], "progress [####################] 9 of 4"),
            (["type": "progress", "value": -1, "total": 4.0], "progress [--------------------] -1 of 4.0"),
            (["type": "progress", "value": "half"], "progress half"),
            (["type": "progress", "value": 1, "total": 0], "progress 1"),
            (["type": "stack"], ""), (["type": "grid", "columns": 2], ""),
        ] as [(JSON, String)]
    )
    func nodes(view: JSON, text: String) {
        #expect(ViewTextRenderer.render(view) == text)
    }

    @Test("The children of stacks are below each other, and grids have aligned columns for letters of any width")
    func layout() {
        let cells: [JSON] = ["a", "😀", "ccc", "日本", "e"].map { ["type": "text", "text": .string($0)] }
        let grid: JSON = ["type": "grid", "columns": 2, "children": JSON(cells)]
        #expect(
            draw(["type": "stack", "children": [grid, ["type": "text", "text": "end"]]]) == [
                "a    😀", "ccc  日本", "e", "end",
            ]
        )
    }

    @Test("The children of rows are side by side, even if a cell has several lines")
    func rows() {
        let button: JSON = ["type": "button", "id": "next", "title": "Next"]
        let text: JSON = ["type": "text", "text": "日本"]
        #expect(draw(["type": "row", "children": [text, button, text]]) == ["日本  ( Next ) #next  日本"])
        let stack: JSON = ["type": "stack", "children": [text, button]]
        #expect(draw(["type": "row", "children": [stack, text]]) == ["日本            日本", "( Next ) #next"])
    }

    @Test("A carousel shows its current page, its number and its id")
    func carousel() {
        let pages = JSON(
            ["a", "b", "c"].map { ["type": "stack", "children": [["type": "text", "text": .string($0)]]] as JSON }
        )
        #expect(
            draw(["type": "carousel", "id": "story", "page": 1, "children": pages]) == ["b", "page 2 of 3 #story"]
        )
        #expect(draw(["type": "carousel", "id": "story", "page": 3, "children": pages]) == ["no pages #story"])
    }

    @Test("A cell may have several lines, and a grid may contain grids")
    func nested() {
        func stack(_ texts: String...) -> JSON {
            ["type": "stack", "children": JSON(texts.map { ["type": "text", "text": .string($0)] as JSON })]
        }
        let inner: JSON = ["type": "grid", "columns": 2, "children": [stack("1"), stack("2"), stack("3"), stack("4")]]
        #expect(
            draw(["type": "grid", "columns": 2, "children": [stack("long", "x", "y"), inner]]) == [
                "long  1  2", "x     3  4", "y",
            ]
        )
    }

    @Test(
        "A grid with an invalid number of columns is drawn nevertheless",
        arguments: [
            (.null, ["1  2  3"]), (0, ["1", "2", "3"]), (-5, ["1", "2", "3"]), (.integer(.max), ["1  2  3"]),
            ("two", ["1  2  3"]), (2.0, ["1  2  3"]),
        ] as [(JSON, [String])]
    )
    func columns(columns: JSON, rows: [String]) {
        let cells: [JSON] = ["1", "2", "3"].map { ["type": "text", "text": .string($0)] }
        #expect(draw(["type": "grid", "columns": columns, "children": JSON(cells)]) == rows)
    }

    @Test("A text of an extension can neither control a terminal nor leave its line")
    func control() {
        let hostile = "a\u{1B}[2Jb\nc\u{2028}d\u{85}e\r\nf\u{0}"
        #expect(draw(["type": "button", "title": .string(hostile)]) == ["( a [2Jb c d e  f  )"])
        #expect(draw(["type": "text", "text": .string(hostile)]) == ["a [2Jb", "c", "d", "e", "f "])
    }

    @Test("Control characters of the text direction are removed; letters keep their direction")
    func direction() {
        let cells = ["\u{202E}gpj.exe", "a\u{2066}b\u{2069}", "שלום"]
            .map { ["type": "text", "text": .string($0)] as JSON }
        #expect(draw(["type": "grid", "columns": 3, "children": JSON(cells)]) == [" gpj.exe  a b   שלום"])
    }

    @Test("The size of the text is limited for every view")
    func limits() {
        func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }
        let wide = text(String(repeating: "w", count: 10_000))
        let rows: JSON = ["type": "grid", "columns": 2, "children": JSON((0..<900).map { $0 == 0 ? wide : text("x") })]
        #expect(ViewTextRenderer.render(rows).count < 10_000 + 900 * 50)
        // One tall cell would make all cells beside it as tall.
        let tall = text(String(repeating: "\n", count: 10_000))
        let row: JSON = [
            "type": "grid", "columns": 900, "children": JSON((0..<900).map { $0 == 0 ? tall : text("x") }),
        ]
        #expect(ViewTextRenderer.render(row).count < 20_000)
        let many: JSON = ["type": "stack", "children": JSON((0..<1_000).map { _ in text("x") })]
        #expect(ViewTextRenderer.render(many).contains("more than 1000 nodes"))
        let most: JSON = ["type": "stack", "children": JSON((0..<999).map { _ in text("x") })]
        #expect(draw(most).count == 999)
    }
}
