import Foundation
import Notifications
import TestSupport
import Testing

@testable import ExtensionHost

/// The key-value pairs that a property list declares.
@Suite struct UserInfoKeyAttributesTests {
    private func load(_ keys: Any, point: String = BundleFolder.content) throws -> ExtensionBundle {
        try withTemporaryDirectory { root in
            let changes: [String: Any] = ["PushhostUserInfoKeys": keys, "NSExtensionPointIdentifier": point]
            return try ExtensionBundle(folder: try BundleFolder("\(root)/bundle", changes).path)
        }
    }

    @Test("Name, type, example and need of each pair are read; a pair is needed unless the list says otherwise")
    func values() throws {
        let bundle = try load([
            "total": ["Type": "integer", "Example": "8"],
            "name": ["Type": "string", "Example": "Ada", "Required": false],
            "/ab/c_items": ["Type": "array", "Example": "[]"],
        ])
        #expect(bundle.problems == [])
        #expect(
            bundle.userInfoKeys == [
                UserInfoKey("/ab/c_items", .array, example: "[]"),
                UserInfoKey("name", .string, isRequired: false, example: "Ada"),
                UserInfoKey("total", .integer, example: "8"),
            ]
        )
    }

    @Test(
        "A pair that is not valid is ignored and reported with its name, and the others count",
        arguments: [
            (["Type": "int", "Example": "8"], "Type must be one of string, integer"),
            (["Type": "integer", "Example": "x"], "Example must be a value of the type integer"),
            (["Type": "array", "Example": "x"], "Example must be a value of the type array"),
            (["Type": "integer"], "Example must be a non-empty string"),
            (["Type": "string", "Example": "x", "Requird": "x"], "there is no member Requird"),
        ] as [([String: String], String)]
    )
    func invalid(entry: [String: String], message: String) throws {
        let bundle = try load(["wrong": entry, "right": ["Type": "string", "Example": "x"]])
        #expect(bundle.userInfoKeys.map(\.name) == ["right"])
        #expect(bundle.problems.count == 1)
        #expect(bundle.problems.first?.message.hasPrefix("PushhostUserInfoKeys, wrong: \(message)") == true)
    }

    @Test("A name is a key, a JSON Pointer, or a key with one number", arguments: ["", "a_#_#", "/a/#"])
    func names(name: String) throws {
        let bundle = try load([name: ["Type": "string", "Example": "x"]])
        #expect(bundle.userInfoKeys == [])
        #expect(bundle.problems.first?.message.contains("a name is a key, a JSON Pointer, or") == true)
    }

    @Test("A list that is no dictionary is reported")
    func noDictionary() throws {
        let bundle = try load(["name"])
        #expect(bundle.userInfoKeys == [])
        #expect(bundle.problems.first?.message.hasPrefix("PushhostUserInfoKeys must be a dictionary") == true)
    }
}
