internal import HostClient
internal import JSON
internal import Localization
internal import Platform
internal import PropertyLists
internal import PushClient
internal import Spelling

/// The bundle that is checked: the author's own, or one that is generated for an executable.
struct CheckSubject {
    private static let identifier = "com.example.checked"
    private static let category = "checked"

    /// The path on the command line, links resolved.
    let title: String
    /// The bundle, links resolved.
    let folder: String
    /// The file of the payload on the command line; nil if none was named.
    let payload: String?
    /// Whether the bundle starts another program than its own executable, which no bundle declares.
    let startsOtherProgram: Bool

    /// Finds or generates the bundle.
    ///
    /// - Parameters:
    ///   - path: A folder with an `Info.plist`, a payload in such a folder, or an executable.
    ///   - arguments: The arguments of an executable.
    ///   - executable: The executable to start in place of the one that the bundle names.
    ///   - payload: The file of the payload; nil if none was named.
    ///   - root: A temporary folder for a generated bundle.
    /// - Throws: What is missing.
    init(
        path: String,
        arguments: [String],
        executable: String?,
        payload: String?,
        in root: String
    ) throws(ClientError) {
        let manager = FileManager.default
        var (path, payload) = (path, payload)
        if let payload, !manager.isReadableFile(atPath: payload) {
            throw .failed("--payload \(payload): there is no such file, or it cannot be read")
        }
        var isFolder = false
        guard manager.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .failed("\(path): there is no such folder or executable")
        }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !isFolder, path.hasSuffix(".apns"), manager.fileExists(atPath: "\(parent)/Info.plist") {
            payload = payload ?? path
            (path, isFolder) = (parent, true)
        }
        self.payload = payload
        title = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        startsOtherProgram = !isFolder || executable != nil
        guard isFolder else {
            let program = try Self.executable(path)
            folder = "\(root)/bundle"
            try Self.makeBundle(folder, category: payload.flatMap(Self.category))
            try Self.writeLauncher(program, arguments, from: Paths.workingFolder, to: "\(folder)/run")
            return
        }
        try Self.requireInfoPlist(path)
        guard let executable else {
            folder = title
            return
        }
        let program = try Self.executable(executable)
        // A folder of the same name, because the name replaces build variables in the plist.
        folder = "\(root)/\(URL(fileURLWithPath: title).lastPathComponent)"
        let name = try Self.copyBundle(title, to: folder)
        try Self.writeLauncher(program, arguments, from: title, to: "\(folder)/\(name)")
    }

    private static func requireInfoPlist(_ path: String) throws(ClientError) {
        let entries: [String]
        do throws(SystemError) { entries = try Folders.names(in: path) } catch {
            throw .failed("\(path): the folder cannot be read: \(error)")
        }
        guard !entries.contains("Info.plist") else { return }
        let near = EditDistance.nearest("Info.plist", in: entries)
        let hint = near.map { "; rename \($0), case counts" } ?? ""
        throw .failed("\(path): it has no Info.plist, so it is not a bundle\(hint)")
    }

    private static func executable(_ path: String) throws(ClientError) -> String {
        let kind = FileStamp(of: path)?.kind
        guard kind != nil, kind != .folder, access(path, X_OK) == 0 else {
            throw .failed("\(path): it is not an executable file; name a bundle's folder, or make a program executable")
        }
        return path
    }

    // MARK: Bundles around an executable

    private static func category(_ payload: String) -> String? {
        // The trial run reads it again, and reports what is wrong with it.
        (try? PushFile(payload).object())?["aps"]?["category"]?.string
    }

    /// Writes the bundle of a content extension with user interaction and a suite.
    private static func makeBundle(_ folder: String, category: String?) throws(ClientError) {
        let attributes = Info.Attributes(
            UNNotificationExtensionCategory: category ?? Self.category,
            UNNotificationExtensionUserInteractionEnabled: true
        )
        let info = Info(
            CFBundleIdentifier: identifier,
            CFBundleExecutable: "run",
            NSExtension: Info.Extension(
                NSExtensionPointIdentifier: "com.apple.usernotifications.content-extension",
                NSExtensionAttributes: attributes
            )
        )
        let groups = ["com.apple.security.application-groups": ["group.\(identifier)"]]
        try translating(folder) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .xml
            try encoder.encode(info).write(to: URL(fileURLWithPath: "\(folder)/Info.plist"))
            try encoder.encode(groups).write(to: URL(fileURLWithPath: "\(folder)/run.entitlements"))
        }
    }

    /// The property list of the bundle, with Apple's names of its keys.
    ///
    /// Encoded, since `PropertyListSerialization` writes no array in a program that is linked statically.
    private struct Info: Encodable {
        struct Extension: Encodable {
            let NSExtensionPointIdentifier: String
            let NSExtensionAttributes: Attributes
        }
        struct Attributes: Encodable {
            let UNNotificationExtensionCategory: String
            let UNNotificationExtensionUserInteractionEnabled: Bool
        }
        let CFBundleIdentifier: String
        let CFBundleExecutable: String
        let NSExtension: Extension
    }

    /// Copies the files of a bundle that the host reads.
    ///
    /// - Returns: The name of its executable.
    private static func copyBundle(_ bundle: String, to folder: String) throws(ClientError) -> String {
        let info = try? BundleFile.dictionary("Info.plist", in: bundle)
        let name = info?["CFBundleExecutable"]?.text ?? ""
        let ownName = URL(fileURLWithPath: bundle).lastPathComponent
        try translating(folder) {
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for entry in try manager.contentsOfDirectory(atPath: bundle) {
                let isRead =
                    ["Info.plist", "payload.apns", "profile.json"].contains(entry)
                    || [".entitlements", ".lproj", ".strings", ".xcstrings"].contains(where: entry.hasSuffix)
                if isRead { try manager.copyItem(atPath: "\(bundle)/\(entry)", toPath: "\(folder)/\(entry)") }
            }
        }
        return name.isEmpty || name.hasPrefix("$") ? ownName : name
    }

    /// Writes a script that starts a program in the folder in which its author would start it.
    private static func writeLauncher(
        _ program: String,
        _ arguments: [String],
        from directory: String,
        to path: String
    ) throws(ClientError) {
        let command = ([program] + arguments).map(\.quotedForShell).joined(separator: " ")
        try translating(path) {
            try Data("#!/bin/sh\ncd \(directory.quotedForShell) && exec \(command)\n".utf8)
                .write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    private static func translating(_ path: String, _ body: () throws -> Void) throws(ClientError) {
        do { try body() } catch {
            throw .failed("\(path) cannot be written: \(SystemError.text(of: error))")
        }
    }
}
