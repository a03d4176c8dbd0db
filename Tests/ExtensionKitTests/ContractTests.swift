import Foundation
import JSON
import TestSupport
import Testing

@testable import ExtensionKit

/// What the generated part of the kit cannot know of the document.
@Suite struct ContractTests {
    private let `extension`: JSON

    init() throws {
        let file = URL(filePath: "\(repositoryRoot)/protocol/extension.openrpc.json")
        `extension` = try JSON(parsing: [UInt8](try Data(contentsOf: file)))
    }

    private func elements(_ json: JSON?) -> [JSON] { json?.array.map(Array.init) ?? [] }

    @Test("A host of the document's version serves the kit: the same major version, and no older")
    func version() {
        let parts = [`extension`["info"]?["version"]?.string, HostConnection.contractVersion].map { version in
            (version ?? "").split(separator: ".").compactMap { Int($0) }
        }
        #expect(parts.allSatisfy { $0.count == 2 } && parts[0][0] == parts[1][0] && parts[0][1] >= parts[1][1])
    }

    @Test("In the document, the calls that the kit answers have a result, and its notifications have none")
    func results() {
        let without = elements(`extension`["methods"]).filter { $0["result"] == nil }.compactMap { $0["name"]?.string }
        #expect(without == ["serviceExtensionTimeWillExpire", "didDismiss", "deactivate"])
    }

    @Test("The reasons of the kit's own refusals are in the document")
    func reasons() throws {
        let folder = "\(repositoryRoot)/Sources/ExtensionKit"
        let texts = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        let found = texts.flatMap { $0.matches(of: /reason: "(\w+)"/).map { String($0.output.1) } }
        let row = elements(`extension`["x-errors"]).first { $0["code"] == 1 }
        #expect(Set(elements(row?["reasons"]).compactMap(\.string)) == Set(found))
    }
}
