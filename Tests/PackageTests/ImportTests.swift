import TestSupport
import Testing

@Suite struct ImportTests {
    @Test("Every import in Sources and plugins is allowed for its target")
    func imports() throws {
        let files = try Repository.files(under: ["Sources", "plugins"]).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 10, "the files were not found")
        for file in files {
            let violations = ImportRules.violations(in: try Repository.text(of: file), at: file)
            #expect(violations.isEmpty)
        }
    }

    @Test(
        "Programs and bundles do without all of Foundation, whose data would be most of a bundle's program",
        arguments: ImportRules.targets.keys.sorted().map { "Sources/\($0)" }
            + ["achievements", "braze", "match-game", "push-story", "register", "rich-push", "session-progress"]
            .map { "plugins/\($0)" }
    )
    func essentials(folder: String) throws {
        for file in try Repository.files(under: [folder]).filter({ $0.hasSuffix(".swift") }) {
            let text = try Repository.text(of: file)
                .replacing(/(?s)#if canImport\(FoundationEssentials\)(.*?)#else.*?#endif/) { String($0.output.1) }
            #expect(!text.contains(/(?m)^[^\/\n]*\bimport Foundation$/), "\(file)")
        }
    }

    @Test("Every target with import rules has Swift files", arguments: ImportRules.targets.keys.sorted())
    func targets(name: String) throws {
        #expect(try Repository.files(under: ["Sources/\(name)"]).contains { $0.hasSuffix(".swift") })
    }

    @Test(
        "A forbidden import is found in every form",
        arguments: [
            ("import GRDB", "Sources/HostCore/Turn.swift"),
            ("import Foundation", "Sources/JSON/Node.swift"),
            ("import Glibc", "Sources/JSON/Node.swift"),
            ("import CJansson", "Sources/JSONRPC/Message.swift"),
            ("public import Suites", "Sources/ExtensionHost/Bundle.swift"),
            ("import JSONRPC", "Sources/Suites/Suite.swift"),
            ("import GRDB", "Sources/pushhost/main.swift"),
            ("import ArgumentParser", "Sources/HostCore/Turn.swift"),
            ("import FoundationNetworking", "Sources/HostCore/Turn.swift"),
            ("#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif", "Sources/Suites/Suite.swift"),
            ("import HostCore", "plugins/braze/main.swift"),
            ("import FoundationNetworking", "plugins/braze/main.swift"),
            ("import FoundationNetworking", "Sources/HTTPClient/HTTPClient.swift"),
            ("import CCurl", "plugins/braze/main.swift"),
            ("import CCurl", "Sources/ExtensionKit/View.swift"),
            ("import HTTPClient", "Sources/HostCore/Turn.swift"),
            ("import HTTPClient", "Sources/ExtensionKit/View.swift"),
            ("import GRDB", "plugins/braze/Sources/deep/main.swift"),
            ("@preconcurrency import GRDB", "Sources/HostCore/Turn.swift"),
            ("@_spi(Testing) @testable internal import Suites", "Sources/ExtensionHost/Bundle.swift"),
            ("import struct GRDB.Row", "Sources/HostCore/Turn.swift"),
            ("import Foundation; import GRDB", "Sources/HostCore/Turn.swift"),
            ("  import GRDB // why not", "Sources/HostCore/Turn.swift"),
            ("import\tGRDB", "Sources/HostCore/Turn.swift"),
            ("import JSON", "Sources/Unknown/File.swift"),
        ]
    )
    func planted(text: String, path: String) {
        #expect(ImportRules.violations(in: "/// A file.\nimport JSON\n\(text)\n", at: path).isEmpty == false)
        #expect(ImportRules.violations(in: text, at: path).count == 1)
    }

    @Test(
        "An allowed import is not reported, and neither is the word in a comment",
        arguments: [
            ("import GRDB", "Sources/Suites/Suite.swift"),
            ("internal import CJansson", "Sources/JSON/Node.swift"),
            ("public import JSON", "Sources/ExtensionKit/View.swift"),
            ("import Logging\nimport Foundation", "Sources/pushhost/main.swift"),
            ("import HTTPClient\nimport ExtensionKit", "plugins/braze/main.swift"),
            ("internal import CCurl", "Sources/HTTPClient/Transfer.swift"),
            ("// import GRDB\n/// import GRDB\nlet important = imports", "Sources/HostCore/Turn.swift"),
        ]
    )
    func allowed(text: String, path: String) {
        #expect(ImportRules.violations(in: text, at: path) == [])
    }
}
