internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// The folder of a bundle, which gets the files of its target.
///
/// Other files in it stay, such as payloads and sessions; those that an earlier build wrote go when the target loses them.
struct BundleFolder {
    /// The folder.
    let path: String
    /// The list of the files that the last build wrote.
    private let record: String
    private let plan: NotificationExtension
    private let resources: [Resource]

    /// The bundle of a target in a folder of bundles, with the resources of the frameworks that it uses.
    init(_ plan: NotificationExtension, frameworks: [SourceModule], in output: String) {
        self.plan = plan
        resources = plan.code.resources + frameworks.flatMap(\.resources)
        path = "\(output)/\(plan.code.target)"
        record = "\(output)/.build/\(plan.code.target)/files"
    }

    /// The program of the bundle.
    var executable: String { "\(path)/\(plan.product)" }

    /// Writes everything but the program; files that are right already stay as they are.
    ///
    /// - Throws: A diagnostic if a file cannot be read or written.
    func update() throws(Diagnostic) {
        do {
            try checkOwner()
            try createFolder(path)
            var names: Set = [plan.product, "Info.plist"]
            try write(plan.infoPlist.data(), to: "Info.plist")
            if let path = plan.entitlementsPath {
                let entitlements = try plan.entitlements(at: path)
                names.insert("\(plan.product).entitlements")
                let data = try PropertyListSerialization.data(fromPropertyList: entitlements, format: .xml, options: 0)
                try write(data, to: "\(plan.product).entitlements")
                try makeContainers(of: entitlements["com.apple.security.application-groups"] as? [String] ?? [])
            }
            for (source, destination) in files() where names.insert(destination).inserted {
                try copy(source, to: destination)
            }
            try removeOthers(than: names)
        } catch let diagnostic as Diagnostic {
            throw diagnostic
        } catch {
            throw Diagnostic(.error, path, "the bundle cannot be written: \(error.localizedDescription)")
        }
    }

    // MARK: Files

    /// The files of the resources with their places; those of an asset catalog one by one.
    private func files() -> [(source: String, destination: String)] {
        resources.flatMap { resource -> [(String, String)] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: resource.path, isDirectory: &isFolder), isFolder.boolValue
            else {
                return [(resource.path, resource.destination)]
            }
            let below = FileManager.default.enumerator(atPath: resource.path)?.compactMap { $0 as? String } ?? []
            return below.sorted().compactMap { name in
                let path = "\(resource.path)/\(name)"
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                    return nil
                }
                return (path, "\(resource.destination)/\(name)")
            }
        }
    }

    /// Makes the folders of App Groups, which a system makes when it installs an app: the sandbox of the extension allows
    /// it to write them, but not to make them.
    private func makeContainers(of groups: [String]) throws {
        let base = "\(NSHomeDirectory())/.local/share/pushhost/groups"
        for group in groups where !group.contains("/") && !group.contains("$") {
            try FileManager.default.createDirectory(
                atPath: "\(base)/\(group)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    /// A folder that nobody else can write to, because the host refuses others.
    private func createFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    private func write(_ data: Data, to name: String) throws {
        let file = "\(path)/\(name)"
        guard FileManager.default.contents(atPath: file) != data else { return }
        try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }

    private func copy(_ source: String, to name: String) throws {
        let (manager, file) = (FileManager.default, "\(path)/\(name)")
        let state = FileState(source)
        if let state, let known = FileState(file), known.size == state.size, known.modified == state.modified { return }
        try createFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path)
        try? manager.removeItem(atPath: file)
        try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: file))
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
        attributes[.modificationDate] = state?.modified
        try manager.setAttributes(attributes, ofItemAtPath: file)
    }

    /// Refuses a folder that no build has made, such as that of the sources.
    private func checkOwner() throws(Diagnostic) {
        let manager = FileManager.default
        let isKnown = manager.fileExists(atPath: URL(fileURLWithPath: record).deletingLastPathComponent().path)
        guard !isKnown, let names = try? manager.contentsOfDirectory(atPath: path), !names.isEmpty else { return }
        throw Diagnostic(.error, path, "the folder is there already, and no build has made it: name another output")
    }

    /// Removes what the last build wrote and the target does not have any more.
    private func removeOthers(than names: Set<String>) throws {
        let manager = FileManager.default
        let known = Files.read(record)?.split(separator: "\n").map(String.init) ?? []
        for name in known where !names.contains(name) {
            try? manager.removeItem(atPath: "\(path)/\(name)")
            // A folder goes with its last file; `rmdir` refuses any other.
            var parts = name.split(separator: "/").dropLast()
            while !parts.isEmpty, rmdir("\(path)/\(parts.joined(separator: "/"))") == 0 { parts.removeLast() }
        }
        let list = names.sorted().joined(separator: "\n")
        guard known.joined(separator: "\n") != list else { return }
        try createFolder(URL(fileURLWithPath: record).deletingLastPathComponent().path)
        try Data(list.utf8).write(to: URL(fileURLWithPath: record), options: .atomic)
    }
}
