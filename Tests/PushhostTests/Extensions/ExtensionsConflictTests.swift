import JSON
import TestSupport
import Testing

/// Two bundles that claim the same category.
@Suite(.waits, .wire) struct ExtensionsConflictTests {
    @Test("Of several extensions for a category, the lowest identifier shows it, and each reply names the others")
    func conflict() throws {
        try Workspace.open { workspace in
            let script = "exec '\(try builtProduct("hostile-extension"))' good"
            for name in ["b", "a", "c"] {
                let categories = [
                    "UNNotificationExtensionCategory": name == "c" ? ["other"] : ["shared", "own-\(name)"]
                ]
                try workspace.add(named: name, script: script, attributes: categories)
            }
            let host = try workspace.host()
            for _ in 0..<2 {
                let result = try host.result("didReceive", HostProcess.payload("shared"))
                #expect(result["extension"] == "com.example.a")
                let diagnostic = try #require(result["diagnostics"]?[0])
                #expect(diagnostic["reason"] == "categoryConflict")
                #expect(diagnostic["path"] == "/params/payload/aps/category")
                let message = diagnostic["message"]?.string ?? ""
                #expect(message.contains("com.example.b"), "\(message)")
                #expect(message.contains("shared"), "\(message)")
                #expect(!message.contains("com.example.c"))
            }
            #expect(try host.result("didReceive", HostProcess.payload("own-b"))["diagnostics"] == [])
            #expect(try host.finish() == .code(0))
        }
    }
}
