import Foundation
import TestSupport
import Testing

/// What `pushhost extensions check` says of links in a bundle.
@Suite(.waits, .wire) struct ExtensionsCheckLinksTests {
    @Test("A link out of a bundle is a warning, which says what to declare if it leads to the file of a neighbour")
    func links() throws {
        try withTemporaryDirectory { root in
            let (bundle, secret) = ("\(root)/plugins/pic", "\(root)/secret")
            for folder in [bundle, "\(root)/plugins/common"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            for name in ["Info.plist", "like.mjs"] {
                let source = "\(repositoryRoot)/plugins/like/\(name)"
                try FileManager.default.copyItem(atPath: source, toPath: "\(bundle)/\(name)")
            }
            for file in [secret, "\(root)/plugins/common/kit"] { try Data("s".utf8).write(to: URL(filePath: file)) }
            for (target, warning) in [
                (secret, "leaves the bundle, to \(secret): a copy of the bundle elsewhere lacks it"),
                ("/etc", "leaves the bundle"), ("../common", "leaves the bundle"), ("..", "leaves the bundle"),
                ("nothing", "a link to nothing"), ("docs", "cannot be read"), (".", "a folder that it is in"),
                ("/dev/zero", "not a regular file"), ("like.mjs", nil),
                ("../common/kit", "which the sandbox keeps from the extension: add <string>docs</string> to Read"),
            ] as [(String, String?)] {
                try FileManager.default.createSymbolicLink(atPath: "\(bundle)/docs", withDestinationPath: target)
                let check = try CommandRun(["extensions", "check", bundle, "--only", "stop"])
                let found = check.output.split(separator: "\n").filter { $0.contains("docs: ") }
                #expect(found.count == (warning == nil ? 0 : 1), "\(target): \(check.output)")
                if let warning { #expect(found.first?.contains(warning) == true, "\(target): \(check.output)") }
                try FileManager.default.removeItem(atPath: "\(bundle)/docs")
            }
        }
    }
}
