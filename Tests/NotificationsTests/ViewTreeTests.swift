import JSON
import Testing

@testable import Notifications

@Suite struct ViewTreeTests {
    private static func nested(_ depth: Int) -> JSON {
        (1..<depth).reduce(["type": "stack"] as JSON) { view, _ in ["type": "stack", "children": [view]] }
    }

    @Test("Every type of node is known, and the ids of a view are its elements")
    func types() throws {
        for type in ViewTree.types {
            let child: JSON = ["type": "text", "id": "child", "text": "x", "anything": [1]]
            let node: JSON = [
                "type": .string(type), "id": "node", "page": 1, "children": [child, ["type": "text"]],
            ]
            if ViewTree.typesWithChildren.contains(type) {
                #expect(try ViewTree(node).elements == ["node", "child"])
            } else {
                #expect(throws: ViewError.self, "\(type)") { try ViewTree(node) }
                #expect(try ViewTree(["type": .string(type), "id": "node"]).elements == ["node"])
            }
        }
        let types: Set = [
            "stack", "row", "text", "image", "grid", "carousel", "card", "button", "field", "progress", "media", "map",
        ]
        #expect(ViewTree.types == types)
    }

    @Test("A view is kept unchanged")
    func kept() throws {
        let json: JSON = ["future": .null, "type": "grid", "columns": 2.0, "children": []]
        #expect(try ViewTree(json).json.description == json.description)
        #expect(try ViewTree(json).elements == [])
    }

    @Test(
        "A value that is not a view is refused",
        arguments: [
            .null, [], "text", 5, [:], ["type": "marquee"], ["type": 5], ["type": "Text"],
            ["type": "text", "id": 5], ["type": "text", "id": .null], ["type": "stack", "children": [:]],
            ["type": "stack", "children": .null], ["type": "stack", "children": [5]],
            ["type": "stack", "id": "a", "children": [["type": "text", "id": "a"]]],
        ] as [JSON]
    )
    func refused(json: JSON) {
        #expect(throws: ViewError.self) { try ViewTree(json) }
    }

    @Test("A carousel shows one of its children, or page 0 of none", arguments: [(0, 0), (0, 1), (4, 5)])
    func page(page: Int, count: Int) throws {
        let pages = JSON((0..<count).map { ["type": "text", "id": .string("page-\($0)")] as JSON })
        let view = try ViewTree(["type": "carousel", "id": "story", "page": JSON(page), "children": pages])
        #expect(view.elements.count == count + 1)
    }

    @Test(
        "A carousel whose page does not exist is refused, and the error names the valid pages",
        arguments: [
            (nil, 2, "from 0 to 1, the child that is shown; it is absent"), (2, 2, "from 0 to 1"), (-1, 2, "it is -1"),
            (1, 0, "from 0 to 0"), (1.0, 2, "it is 1.0"), ("1", 2, #"it is "1""#), (.null, 2, "it is null"),
        ] as [(JSON?, Int, String)]
    )
    func badPage(page: JSON?, count: Int, text: String) {
        let pages = JSON((0..<count).map { _ in ["type": "text"] as JSON })
        let members: [(String, JSON)] = [("type", "carousel"), ("id", "story"), ("children", pages)]
        let carousel = JSON.object(JSON.Object(members + (page.map { [("page", $0)] } ?? [])))
        let error = #expect(throws: ViewError.self) { try ViewTree(["type": "row", "children": [carousel]]) }
        #expect(error?.text.contains("/children/0 of type carousel") == true)
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
    }

    @Test("The error has the path of the wrong node")
    func place() throws {
        let bad: JSON = [
            "type": "stack", "children": [["type": "text"], ["type": "grid", "children": [["type": "x"]]]],
        ]
        let error = #expect(throws: ViewError.self) { try ViewTree(bad) }
        #expect(error?.text.contains("/children/1/children/0") == true)
        let double: JSON = ["type": "stack", "children": [["type": "text", "id": "a"], ["type": "text", "id": "a"]]]
        #expect(#expect(throws: ViewError.self) { try ViewTree(double) }?.text.contains("the id a") == true)
    }

    @Test("A view nests at most 64 levels deep")
    func depth() throws {
        #expect(try ViewTree(Self.nested(64)).elements == [])
        #expect(throws: ViewError.self) { try ViewTree(Self.nested(65)) }
        #expect(throws: ViewError.self) { try ViewTree(Self.nested(2_000)) }
    }
}
