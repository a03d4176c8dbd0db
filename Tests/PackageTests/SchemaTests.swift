import JSON
import TestSupport
import Testing

/// The tests' own JSON Schema validator.
@Suite struct SchemaTests {
    @Test("There are cases for every group of schema keywords")
    func cases() {
        let kinds = ["arrays", "closed", "combinations", "general", "numbers", "objects", "references", "texts"]
        #expect(SchemaCase.all.keys.sorted() == kinds)
        #expect(
            SchemaCase.all.values.allSatisfy { $0.count > 8 && $0.allSatisfy { !($0.fitting + $0.others).isEmpty } }
        )
    }

    @Test(
        "Each schema keyword is checked as draft 7 says, and nothing else",
        arguments: SchemaCase.all.filter { $0.key != "closed" }.flatMap(\.value)
    )
    func keyword(of one: SchemaCase) throws { try check(one, isClosed: false) }

    @Test(
        "A closed check rejects members that no schema of the object declares",
        arguments: SchemaCase.all["closed"] ?? []
    )
    func closed(one: SchemaCase) throws { try check(one, isClosed: true) }

    private func check(_ one: SchemaCase, isClosed: Bool) throws {
        let schema = try JSONSchema(one.schema)
        for value in one.fitting { #expect(schema.findings(in: value, isClosed: isClosed) == [], "\(value)") }
        for value in one.others { #expect(schema.findings(in: value, isClosed: isClosed) != [], "\(value)") }
    }

    @Test(
        "A schema that cannot be checked is refused",
        arguments: [
            (#"{"tpye":"string"}"#, "", "tpye"),
            (#"{"properties":{"a":{"minLenght":1}}}"#, "/properties/a", "minLenght"),
            (#"{"definitions":{"a":{"unevaluatedProperties":false}}}"#, "/definitions/a", "unevaluatedProperties"),
            (#"{"format":"hostname"}"#, "", "hostname"), (#"{"pattern":"("}"#, "", "("),
            (#"{"type":"int"}"#, "", "int"),
            (#"{"pattern":"[\\D]"}"#, "", "pattern"), (##"{"$ref":"#/nowhere"}"##, "", "nowhere"),
            (#"{"$ref":"http://a.example/"}"#, "", "a.example"), (#"{"minLength":-1}"#, "", "minLength"),
            (#"{"required":"a"}"#, "", "required"), (#"{"anyOf":[]}"#, "", "anyOf"),
            (#"{"properties":[]}"#, "", "properties"),
            (#"{"items":1}"#, "/items", "neither"), (#"{"multipleOf":0}"#, "", "multipleOf"),
            (#"{"minimum":"1"}"#, "", "minimum"), (#"{"minItems":2,"maxItems":1}"#, "", "minItems"),
        ]
    )
    func unreadable(schema: String, location: String, word: String) throws {
        let json = try JSON(parsing: schema)
        let error = #expect(throws: SchemaError.self) { try JSONSchema(json) }
        #expect(error?.location == location, "\(String(describing: error))")
        #expect(error?.sentence.contains(word) == true, "\(String(describing: error))")
    }

    @Test("Schema annotations and keywords that begin with x- are ignored")
    func annotations() throws {
        let schema: JSON = [
            "$comment": "c", "title": "t", "description": "d", "default": 1, "examples": [1], "x-volatile": "run",
            "deprecated": true, "readOnly": true, "type": "integer",
        ]
        #expect(try JSONSchema(schema).findings(in: 1) == [])
    }

    @Test("A finding contains the path in the value, the path in the schema, and the problem")
    func places() throws {
        let schema: JSON = [
            "properties": ["a/b": ["items": ["$ref": "#/definitions/n"]]], "definitions": ["n": ["maximum": 1]],
        ]
        let findings = try JSONSchema(schema).findings(in: ["a/b": [1, 2]])
        let wanted = "/a~1b/1 is 2, above the maximum 1 (/definitions/n/maximum)"
        #expect(findings.map(\.description) == [wanted])
        let stranger = try JSONSchema(["properties": [:]]).findings(in: ["x": 1], isClosed: true)
        #expect(stranger.map(\.instance) == ["/x"])
    }

    @Test("A reference by URI is resolved in another document, and references there can lead back")
    func others() throws {
        let other: JSON = [
            "$id": "https://a.example/other/", "type": "object", "additionalProperties": ["$ref": "#/definitions/leaf"],
            "definitions": ["leaf": ["type": "integer"]],
        ]
        let others = ["https://a.example/other/": other]
        let schema = try JSONSchema(["items": ["$ref": "https://a.example/other"]], others: others)
        #expect(schema.findings(in: [["a": 1]]) == [])
        #expect(schema.findings(in: [["a": "x"]]).map(\.instance) == ["/0/a"])
    }

    @Test("A schema within a document resolves references from the document's root")
    func place() throws {
        let document: JSON = ["anything": ["here": ["$ref": "#/there"]], "there": ["type": "null"], "unknown": 1]
        let schema = try JSONSchema(document, at: "/anything/here")
        #expect(schema.findings(in: .null) == [])
        #expect(schema.findings(in: 1) != [])
        #expect(throws: SchemaError.self) { try JSONSchema(document, at: "/anything/gone") }
    }
}
