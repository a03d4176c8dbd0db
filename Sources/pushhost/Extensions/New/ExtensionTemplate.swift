internal import ArgumentParser
internal import CTemplates
internal import HostClient
internal import JSON
internal import Platform

/// The files of a new extension: those of `plugins/kits/templates` with the names of the extension, and its kit.
struct ExtensionTemplate {
    /// A file, with its path in the bundle.
    private struct File {
        let path: String
        let content: Data
        let isExecutable: Bool
    }

    let language: TemplateLanguage
    /// The name of the extension and of its folder.
    let name: String
    /// `CFBundleIdentifier`.
    let identifier: String
    /// The folder of the package that has ExtensionKit; only for Swift.
    let package: String?

    /// `CFBundleExecutable`.
    private var executable: String { name + language.suffix }

    /// The files, sorted by path.
    private var files: [File] {
        UnsafeBufferPointer(start: ctemplates_files(), count: ctemplates_count())
            .compactMap(file)
            .sorted { $0.path < $1.path }
    }

    /// A file of the template; nil if it belongs to another language.
    private func file(_ source: ctemplates_file) -> File? {
        let parts = String(cString: source.path).split(separator: "/", maxSplits: 1)
        guard parts[0] == "common" || parts[0] == language.rawValue else { return nil }
        let path = filled(String(parts[1]))
        let text = String(decoding: UnsafeRawBufferPointer(start: source.bytes, count: source.size), as: UTF8.self)
        return File(path: path, content: Data(filled(text).utf8), isExecutable: path == executable)
    }

    /// A text with the names of the extension in place of those of the template.
    ///
    /// All are replaced in one pass, because the new names may contain the old ones.
    private func filled(_ text: String) -> String {
        let placeholder =
            #/com\.example\.my-coupon|my-coupon\.executable|my-coupon|my_coupon|MyCouponExtension|/path/to/pushhost/#
        return text.replacing(placeholder) { match in
            switch match.output {
            case "com.example.my-coupon": identifier
            case "my-coupon.executable": executable
            case "my_coupon": category
            case "MyCouponExtension": className
            case "/path/to/pushhost": package.map(Self.escapedForSwift) ?? ""
            default: name
            }
        }
    }

    private var category: String { name.replacing("-", with: "_") }

    private var className: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Extension"
    }

    private static func escapedForSwift(_ path: String) -> String {
        path.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"")
    }

    // MARK: The folder

    /// Writes the whole bundle, or nothing.
    ///
    /// - Throws: An error if something has that path already, or if it cannot be written.
    func write(to folder: String) throws(ClientError) {
        // The folder must not be writable by other users, whatever umask says: the host would refuse it.
        guard mkdir(folder, 0o755) == 0 else {
            let reason = errno == EEXIST ? "it exists already; choose another name" : String(cString: strerror(errno))
            throw .failed("\(folder) cannot be created: \(reason)")
        }
        do {
            try writeFiles(to: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw .failed("\(folder) cannot be written: \(SystemError.text(of: error))")
        }
    }

    private func writeFiles(to folder: String) throws {
        let manager = FileManager.default
        for file in files {
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
        guard language == .swift else { return }
        try manager.createSymbolicLink(
            atPath: "\(folder)/\(executable)",
            withDestinationPath: ".build/debug/\(executable)"
        )
    }
}

/// A language for which there is a template of an extension.
enum TemplateLanguage: String, ExpressibleByArgument, CaseIterable {
    case swift, python, node, shell

    /// What follows the name of the extension in the name of its executable.
    var suffix: String {
        switch self {
        case .swift: ""
        case .python: ".py"
        case .node: ".mjs"
        case .shell: ".sh"
        }
    }
}
