import JSON
import Testing

@testable import HostCore

@Suite struct SchemaClosureTests {
    private static let components: JSON = [
        "Leaf": ["type": "string", "x-volatile": "run"],
        "Tree": [
            "type": "object",
            "properties": [
                "$ref": ["$ref": "#/components/schemas/Leaf"], "x-own": ["type": "integer"],
                "kids": ["type": "array", "items": ["$ref": "#/components/schemas/Tree"]],
            ],
        ],
        "Both": [
            "anyOf": [["$ref": "#/components/schemas/Leaf"], ["not": ["$ref": "#/components/schemas/Tree"]], true],
            "const": ["$ref": "#/components/schemas/Never"],
        ],
        "Never": ["type": "null"],
    ]

    private func closure(of name: String) -> JSON {
        var closure = SchemaClosure(Self.components)
        let schema = closure.convert(closure.resolve(["$ref": .string("#/components/schemas/\(name)")]))
        return closure.root(schema.object?.map { ($0.name, $0.value) } ?? [])
    }

    @Test("A schema without references has no definitions, and loses this project's own keywords")
    func leaf() {
        #expect(closure(of: "Leaf") == ["type": "string"])
    }

    @Test("A schema that contains itself has itself as a definition; names of properties are not treated as keywords")
    func recursive() {
        let properties: JSON = [
            "$ref": ["$ref": "#/$defs/Leaf"], "x-own": ["type": "integer"],
            "kids": ["type": "array", "items": ["$ref": "#/$defs/Tree"]],
        ]
        #expect(
            closure(of: "Tree") == [
                "type": "object", "properties": properties,
                "$defs": ["Leaf": ["type": "string"], "Tree": ["type": "object", "properties": properties]],
            ]
        )
    }

    @Test("The definitions are all schemas that can be reached; a constant is not a schema")
    func reached() {
        let both = closure(of: "Both")
        #expect(both["anyOf"] == [["$ref": "#/$defs/Leaf"], ["not": ["$ref": "#/$defs/Tree"]], true])
        #expect(both["const"] == ["$ref": "#/components/schemas/Never"])
        #expect(both["$defs"]?.object?.map(\.name) == ["Leaf", "Tree"])
    }
}
