import Foundation
import JSON
import TestSupport
import Testing

/// The templates of `pushhost extensions new`, which the program embeds.
@Suite struct TemplateTests {
    private static let folder = "plugins/kits/templates"

    @Test("Every file of the templates is embedded, under its own path")
    func embedded() throws {
        let source = try Repository.text(of: "Sources/CTemplates/CTemplates.c")
        let files = try Repository.files(under: [Self.folder])
        #expect(files.count >= 15)
        for file in files {
            let path = String(file.dropFirst(Self.folder.count + 1))
            let symbol = path.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
            #expect(source.contains("unsigned char \(symbol)[] = {\n#embed \"../../\(file)\"\n"), "\(file)")
            #expect(source.contains("{\"\(path)\", \(symbol), sizeof \(symbol)}"), "\(file)")
        }
    }

    @Test("The session of the templates delivers their payload")
    func payload() throws {
        let payload = try JSON(parsing: try Repository.text(of: "\(Self.folder)/common/payload.apns"))
        let session = try Repository.text(of: "\(Self.folder)/common/session.jsonl").split(separator: "\n")
        #expect(try JSON(parsing: String(session[0]))["params"]?["payload"] == payload)
    }
}
