internal import Foundation
internal import HostClient
internal import Platform

/// The folder of a new extension.
struct NewBundle {
    private let template: ExtensionTemplate
    private let folder: String

    init(_ template: ExtensionTemplate, folder: String) { (self.template, self.folder) = (template, folder) }

    /// Writes the whole bundle, or nothing.
    ///
    /// - Throws: An error if something has that path already, or if it cannot be written.
    func write() throws(ClientError) {
        // The folder must not be writable by other users, whatever umask says: the host would refuse it.
        guard mkdir(folder, 0o755) == 0 else {
            let reason = errno == EEXIST ? "it exists already; choose another name" : String(cString: strerror(errno))
            throw .failed("\(folder) cannot be created: \(reason)")
        }
        do {
            try writeFiles()
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw .failed("\(folder) cannot be written: \(SystemError.text(of: error))")
        }
    }

    private func writeFiles() throws {
        let manager = FileManager.default
        for file in template.files {
            let path = "\(folder)/\(file.path)"
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try manager.createDirectory(
                atPath: parent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755]
            )
            try file.content.write(to: URL(fileURLWithPath: path))
            try manager.setAttributes([.posixPermissions: file.isExecutable ? 0o755 : 0o644], ofItemAtPath: path)
        }
        guard template.language == .swift else { return }
        try manager.createSymbolicLink(
            atPath: "\(folder)/\(template.executable)",
            withDestinationPath: ".build/debug/\(template.executable)"
        )
    }
}
