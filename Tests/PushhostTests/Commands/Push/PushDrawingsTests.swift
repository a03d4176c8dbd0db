import Foundation
import TestSupport
import Testing

/// How `pushhost push` draws the payload of each bundle, compared with the files in `Tests/Fixtures/drawings`.
///
/// `PUSHHOST_UPDATE_DRAWINGS=1` writes the files.
@Suite(.waits, .wire) struct PushDrawingsTests {
    /// A way to draw.
    struct Style: CustomTestStringConvertible {
        let name: String
        let arguments: [String]

        var testDescription: String { name }
    }

    private static let folder = "\(repositoryRoot)/Tests/Fixtures/drawings"

    /// A profile for the bundle whose payload is a template.
    static let profile = #"""
        {"first_name": "Ada", "custom_attribute": {"level": "advanced", "completed_sessions": ["a", "b", "c"]},
         "api_trigger_properties": {"next_session_name": "Currents", "due": "2026-02-01T10:00:00Z"},
         "time_zone": "UTC"}
        """#

    private static let styles = [60, 120].flatMap { width in
        [
            ("dark", ["--color"]), ("light", ["--color", "--appearance", "light"]),
            ("ascii", ["--no-color", "--ascii"]),
        ]
        .map { Style(name: "\($0.0)-\(width)", arguments: $0.1 + ["--width", "\(width)"]) }
    }

    private static func bundles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(repositoryRoot)/plugins").sorted()
            .filter { FileManager.default.fileExists(atPath: "\(repositoryRoot)/plugins/\($0)/payload.apns") }
    }

    @Test("The payload of each bundle is drawn as in its file", arguments: styles)
    func drawings(style: Style) throws {
        try withTemporaryDirectory { folder in
            try Data(Self.profile.utf8).write(to: URL(filePath: "\(folder)/profile.json"))
            for bundle in try Self.bundles() {
                let options = ["--plugins", "\(repositoryRoot)/plugins", "--seed", "1"]
                let profile = bundle == "liquid" ? ["--profile", "\(folder)/profile.json"] : []
                let run = try CommandRun.push(
                    ["\(repositoryRoot)/plugins/\(bundle)/payload.apns"] + options + profile + style.arguments,
                    environment: ["LC_ALL": "C.UTF-8", "COLORFGBG": ""]
                )
                #expect(run.status == .code(0), "\(bundle): \(run.standardError)")
                try compare(run.output, with: "\(Self.folder)/\(style.name)/\(bundle).txt")
            }
        }
    }

    @Test("Every line of a drawing has at most the width at hand, and ASCII drawings have nothing but ASCII")
    func bounds() throws {
        for width in [60, 120] {
            for bundle in try Self.bundles() {
                let text = try String(contentsOfFile: "\(Self.folder)/ascii-\(width)/\(bundle).txt", encoding: .utf8)
                #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }, "\(bundle)")
                #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= width }, "\(bundle)")
            }
        }
    }

    private func compare(_ drawing: String, with file: String) throws {
        if ProcessInfo.processInfo.environment["PUSHHOST_UPDATE_DRAWINGS"] == "1" {
            let folder = URL(filePath: file).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(drawing.utf8).write(to: URL(filePath: file))
        }
        let recorded = try? String(contentsOfFile: file, encoding: .utf8)
        #expect(drawing == recorded, "\(file) is drawn differently:\n\(drawing)")
    }
}
