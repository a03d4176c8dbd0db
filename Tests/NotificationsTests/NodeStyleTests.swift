import JSON
import Notifications
import Testing

/// The colours and the weight of nodes, and what a drawing makes of them.
@Suite struct NodeStyleTests {
    private func draw(_ view: JSON, width: Int = 12, focus: Drawing.Target? = nil) -> [[JSON]] {
        ViewLayout(BoxDrawer(.unicode, focus: focus)).draw(view, width: width)?.lines.map {
            $0.json.array?.map { $0 } ?? []
        } ?? []
    }

    @Test("A colour is six digits, or two of them by appearance")
    func colors() {
        let both = NodeStyle(["type": "text", "color": "#0a84FF"]).color
        #expect(both?.light == 0x0A84FF && both?.dark == 0x0A84FF)
        let pair = NodeStyle(["type": "text", "color": ["light": "#00000f", "dark": "#FFFFFF"]]).color
        #expect(pair?.light == 0xF && pair?.dark == 0xFFFFFF)
    }

    @Test("A node has the members of its type only, as others may mean something to the client")
    func types() {
        let all: JSON = ["color": "#ff0000", "bold": true, "background": "#00ff00"]
        func style(_ type: String) -> NodeStyle { NodeStyle(JSON(present: all.members + ["type": .string(type)])) }
        let (red, green) = (style("text").color, style("grid").background)
        #expect(red != nil && green != nil)
        #expect(style("text") == NodeStyle(color: red, isBold: true))
        #expect(style("button") == NodeStyle(color: red, background: green, isBold: true))
        #expect(style("progress") == NodeStyle(color: red))
        for type in ViewTree.typesWithChildren { #expect(style(type) == NodeStyle(background: green)) }
        for type in ["image", "card", "field", "media", "map"] { #expect(style(type) == NodeStyle()) }
    }

    @Test(
        "What is not valid counts as absent, and is a problem of its member",
        arguments: [
            "red", "#fff", "#ff00000", "ff0000#", "#+f0000", "#٣f000", 5, .null, [], ["light": "#ffffff"],
            ["dark": "#000000"], ["light": "#ffffff", "dark": "black"],
        ] as [JSON]
    )
    func problems(value: JSON) {
        let node: JSON = ["type": "button", "title": "x", "color": value, "bold": "yes", "background": value]
        #expect(NodeStyle(node) == NodeStyle())
        #expect(NodeStyle.problems(of: node).map(\.member) == ["background", "bold", "color"])
        #expect(NodeStyle.problems(of: ["type": "image", "color": value]).isEmpty)
        #expect(NodeStyle.problems(of: ["type": "text", "color": "#ff0000", "bold": false]).isEmpty)
    }

    @Test("Spans have the look of their node beside the role, and only where it has one")
    func spans() {
        let pair: JSON = ["light": "#AA0000", "dark": "#ff0000"]
        let text: JSON = ["type": "text", "text": "hi", "color": pair, "bold": true]
        let written: JSON = ["light": "#aa0000", "dark": "#ff0000"]
        #expect(draw(text) == [[["text": "hi", "color": written, "bold": true]]])
        let caption: JSON = ["type": "text", "text": "hi", "style": "caption", "color": "#123456"]
        #expect(draw(caption) == [[["text": "hi", "role": "dim", "color": "#123456"]]])
        let bar: JSON = ["type": "progress", "value": 1, "total": 2, "color": "#00ff00"]
        #expect(draw(bar)[0][0] == ["text": "████", "role": "done", "color": "#00ff00"])
        #expect(draw(bar)[0][1] == ["text": "░░░░ 1/2", "role": "dim"])
    }

    @Test("A button has its background in its whole box; one that has the focus looks as usual")
    func buttons() {
        let button: JSON = ["type": "button", "id": "b", "title": "Go", "color": "#ffffff", "background": "#0000ff"]
        let lines = draw(button)
        #expect(lines.allSatisfy { line in line.allSatisfy { $0["background"] == "#0000ff" } })
        #expect(lines[1].compactMap { $0["color"] } == ["#ffffff"])
        for span in draw(button, focus: .element("b")).flatMap({ $0 }) {
            #expect(span["background"] == nil && span["color"] == nil && span["role"] == "focus")
        }
    }

    @Test("A background fills all columns of its node, also at the end of a line and between cells, below inner ones")
    func backgrounds() {
        let inner: JSON = ["type": "stack", "background": "#0000ff", "children": [["type": "text", "text": "in"]]]
        let row: JSON = ["type": "row", "children": [["type": "text", "text": "out"], inner]]
        let filled = draw(["type": "stack", "background": "#ff0000", "children": [row]])
        #expect(
            filled == [
                [
                    ["text": "out ", "background": "#ff0000"], ["text": "in", "background": "#0000ff"],
                    ["text": "      ", "background": "#ff0000"],
                ]
            ]
        )
        let grid: JSON = ["type": "grid", "columns": 2, "children": [["type": "text", "text": "a"], inner]]
        #expect(draw(grid) == [[["text": "a    "], ["text": "in  ", "background": "#0000ff"]]])
    }
}
