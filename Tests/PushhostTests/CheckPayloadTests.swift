import Foundation
import JSON
import TestSupport
import Testing

/// `checkPayload` as a method: what it does not do.
@Suite(.hangs, .wire) struct CheckPayloadTests {
    @Test("A check starts no process, shows nothing and stores nothing, and knows the bundles after a reload")
    func effects() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let payload: JSON = ["payload": ["aps": ["alert": "x", "category": "late"]]]
            let first = try host.result("checkPayload", payload)
            #expect(first["extension"] == JSON.null)
            #expect(first["findings"]?[0]?["reason"] == "noExtension")
            try workspace.add(named: "late", script: try Workspace.script("good"))
            try host.result("reloadExtensions")
            let second = try host.result("checkPayload", payload)
            #expect(second["extension"] == "com.example.late")
            #expect(second["findings"] == [])
            for bundle in try host.result("extensions")["extensions"]?.array.map(Array.init) ?? [] {
                #expect(bundle["starts"] == 0)
            }
            #expect(try host.result("notifications")["notifications"] == [])
            #expect(try host.result("suites")["suites"] == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A registered category that no extension shows is not an error")
    func registered() throws {
        try Workspace.open { workspace in
            let host = try workspace.host()
            try host.result("setNotificationCategories", ["categories": [["identifier": "own"]]])
            let result = try host.result("checkPayload", ["payload": ["aps": ["alert": "x", "category": "own"]]])
            #expect(result["findings"]?[0]?["level"] == "information")
            #expect(try host.finish() == .code(0))
        }
    }
}
