package import Foundation
package import JSON

/// A bundle in a recording: its property lists and localized texts.
package struct RecordedBundle {
    package let identifier: String
    /// The name of its folder.
    package let folder: String
    /// `CFBundleExecutable`.
    package let executable: String
    /// The contents of its files, by path within the folder.
    package let files: [(path: String, content: Data)]

    package init?(_ value: JSON) {
        guard let identifier = value["identifier"]?.string, let folder = value["folder"]?.string,
            let executable = value["executable"]?.string, let files = value["files"]?.object,
            // A path must not lead out of the folder into which the bundle is written.
            ([folder, executable] + files.flatMap { $0.name.split(separator: "/").map(String.init) })
                .allSatisfy({ !["", ".", ".."].contains($0) }),
            !folder.contains("/"), !executable.contains("/")
        else { return nil }
        self.identifier = identifier
        self.folder = folder
        self.executable = executable
        self.files = files.compactMap { path, content in
            let data =
                content.string.map { Data($0.utf8) } ?? content["base64"]?.string.flatMap { Data(base64Encoded: $0) }
            return data.map { (path, $0) }
        }
    }

    /// Writes the bundle into a folder of bundles.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - program: The content of its executable; nil if it is never started.
    /// - Throws: Why a file cannot be written.
    package func write(into root: String, program: String?) throws {
        let manager = FileManager.default
        for (path, content) in files {
            let file = URL(fileURLWithPath: "\(root)/\(folder)/\(path)")
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file)
        }
        guard let program else { return }
        let file = "\(root)/\(folder)/\(executable)"
        try Data(program.utf8).write(to: URL(fileURLWithPath: file))
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
}
