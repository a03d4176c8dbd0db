import JSON
import Testing

@testable import HostCore

@Suite struct ViewTests {
    private static func nested(_ depth: Int) -> JSON {
        (1..<depth).reduce(["type": "stack"] as JSON) { view, _ in ["type": "stack", "children": [view]] }
    }

    @Test("Every type of node is known, and its ids are its elements")
    func types() throws {
        for (type, hasChildren) in View.types {
            let child: JSON = ["type": "text", "id": "child", "text": "x", "anything": [1]]
            let node: JSON = ["type": .string(type), "id": "node", "children": [child, ["type": "text"]]]
            if hasChildren {
                #expect(try View(node).elements == ["node", "child"])
            } else {
                #expect(throws: ViewError.self, "\(type)") { try View(node) }
                #expect(try View(["type": .string(type), "id": "node"]).elements == ["node"])
            }
        }
        #expect(Set(View.types.keys) == ["stack", "text", "image", "grid", "card", "button", "field", "progress"])
    }

    @Test("A view is kept as it came")
    func kept() throws {
        let json: JSON = ["future": .null, "type": "grid", "columns": 2.0, "children": []]
        #expect(try View(json).json.description == json.description)
        #expect(try View(json).elements == [])
    }

    @Test(
        "What is no view is refused",
        arguments: [
            .null, [], "text", 5, [:], ["type": "marquee"], ["type": 5], ["type": "Text"],
            ["type": "text", "id": 5], ["type": "text", "id": .null], ["type": "stack", "children": [:]],
            ["type": "stack", "children": .null], ["type": "stack", "children": [5]],
            ["type": "stack", "id": "a", "children": [["type": "text", "id": "a"]]],
        ] as [JSON]
    )
    func refused(json: JSON) {
        #expect(throws: ViewError.self) { try View(json) }
    }

    @Test("The place of a bad node is told")
    func place() throws {
        let bad: JSON = [
            "type": "stack", "children": [["type": "text"], ["type": "grid", "children": [["type": "x"]]]],
        ]
        let error = #expect(throws: ViewError.self) { try View(bad) }
        #expect(error?.text.contains("/children/1/children/0") == true)
        let double: JSON = ["type": "stack", "children": [["type": "text", "id": "a"], ["type": "text", "id": "a"]]]
        #expect(#expect(throws: ViewError.self) { try View(double) }?.text.contains("the id a") == true)
    }

    @Test("A view nests 64 deep and no deeper")
    func depth() throws {
        #expect(try View(Self.nested(64)).elements == [])
        #expect(throws: ViewError.self) { try View(Self.nested(65)) }
        #expect(throws: ViewError.self) { try View(Self.nested(2_000)) }
    }
}
