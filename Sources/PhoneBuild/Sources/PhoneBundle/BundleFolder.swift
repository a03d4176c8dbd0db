internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// The folder of a bundle, which is made to have exactly the files of its target.
struct BundleFolder {
    /// The folder.
    let path: String
    private let plan: NotificationExtension
    private let resources: [Resource]

    /// The bundle of a target in a folder of bundles, with the resources of the frameworks that it uses.
    init(_ plan: NotificationExtension, frameworks: [SourceModule], in output: String) {
        self.plan = plan
        resources = plan.code.resources + frameworks.flatMap(\.resources)
        path = "\(output)/\(plan.code.target)"
    }

    /// The program of the bundle.
    var executable: String { "\(path)/\(plan.product)" }

    /// Writes everything but the program; files that are right already stay as they are.
    ///
    /// - Throws: A diagnostic if a file cannot be read or written.
    func update() throws(Diagnostic) {
        do {
            try createFolder(path)
            var names: Set = [plan.product, "Info.plist"]
            try write(plan.infoPlist.data(), to: "Info.plist")
            if let entitlements = try entitlements() {
                names.insert("\(plan.product).entitlements")
                try write(entitlements, to: "\(plan.product).entitlements")
            }
            for (source, destination) in files() where names.insert(destination).inserted {
                try copy(source, to: destination)
            }
            try removeOthers(names)
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

    /// The entitlements with their variables replaced; nil if the target has none.
    private func entitlements() throws -> Data? {
        guard let path = plan.entitlementsPath else { return nil }
        return try PropertyListSerialization.data(
            fromPropertyList: plan.entitlements(at: path),
            format: .xml,
            options: 0
        )
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

    /// Removes what an earlier build wrote and the target does not have any more.
    private func removeOthers(_ names: Set<String>) throws {
        let manager = FileManager.default
        let all = manager.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for name in all where !names.contains(name) && !names.contains(where: { $0.hasPrefix("\(name)/") }) {
            try? manager.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
