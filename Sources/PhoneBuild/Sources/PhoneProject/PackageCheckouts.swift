internal import Foundation

/// Where the machine has the packages that a project or another package names by their URL.
///
/// Xcode and SwiftPM keep them in a folder `checkouts` each. What only SwiftPM's cache has is checked out from there, at
/// the revision that a `Package.resolved` names. Nothing is fetched.
struct PackageCheckouts {
    private let folders: [String]
    /// The folders for caches, of which the first gets the checkouts that are made.
    private let caches: [String]
    /// The revisions by the packages' identities.
    private let revisions: [String: String]

    /// The checkouts beside projects and packages, and those that SwiftPM's cache allows.
    ///
    /// - Parameters:
    ///   - roots: The folders of the projects and of the packages in folders beside them.
    ///   - caches: The user's folders for caches.
    init(near roots: [String], caches: [String] = Self.userCaches) {
        let derived = roots.map { "\($0)/DerivedData" } + ["\(Self.home)/Library/Developer/Xcode/DerivedData"]
        let builds = derived.flatMap { folder in FolderFiles.folders(in: folder).map { "\(folder)/\($0)" } }
        let packages = (roots + roots.map { "\($0)/build" } + derived + builds).map { "\($0)/SourcePackages" }
        folders = (packages + roots.map { "\($0)/.build" }).map { "\($0)/checkouts" }.filter(FolderFiles.isFolder)
        self.caches = caches
        revisions = Self.lists(near: roots).reduce(into: [:]) { known, list in
            known.merge(Self.revisions(in: list)) { first, _ in first }
        }
    }

    /// The folder of a package.
    ///
    /// - Parameter url: Its URL; the last part is the name of the folder, without the ending `.git`.
    /// - Returns: nil if the machine does not have it.
    func folder(of url: String) -> String? {
        let identity = Self.identity(url)
        let name = identity.split(separator: "/").last.map(String.init) ?? identity
        let found = folders.lazy.compactMap { folder in
            FolderFiles.folders(in: folder).first { $0.lowercased() == name }.map { "\(folder)/\($0)" }
        }.first
        return found ?? revisions[identity].flatMap { checkOut(name, $0, identity) }
    }

    /// A URL as far as it tells one package from another: `github.com/apple/swift-log`.
    private static func identity(_ url: String) -> String {
        let address = url.lowercased().replacing(/^[a-z+]+:\/\//, with: "").replacing(/^[^\/@]*@/, with: "")
        let path = address.replacing(":", with: "/").replacing(/\/+$/, with: "")
        return path.hasSuffix(".git") ? String(path.dropLast(4)) : path
    }

    private static var home: String { ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory() }

    /// The user's folders for caches, on Linux and on macOS.
    private static var userCaches: [String] {
        let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return [named ?? "\(home)/.cache", "\(home)/Library/Caches"]
    }

    // MARK: Revisions

    /// The files `Package.resolved` of packages, projects and workspaces.
    private static func lists(near roots: [String]) -> [String] {
        roots.flatMap { root in
            let inside = FolderFiles.folders(in: root).map { "\(root)/\($0)" } + [root]
            let workspaces =
                inside.filter { $0.hasSuffix(".xcworkspace") }
                + inside.filter { $0.hasSuffix(".xcodeproj") }.map { "\($0)/project.xcworkspace" }
            return ["\(root)/Package.resolved"] + workspaces.map { "\($0)/xcshareddata/swiftpm/Package.resolved" }
        }
    }

    /// `Package.resolved`, whose first version has its pins in an object, with another name for the URL.
    private struct ResolvedPackages: Decodable {
        struct Pin: Decodable {
            struct State: Decodable { let revision: String? }
            let location: String?
            let repositoryURL: String?
            let state: State
        }
        struct Pins: Decodable { let pins: [Pin] }
        let pins: [Pin]?
        let object: Pins?
    }

    private static func revisions(in list: String) -> [String: String] {
        guard let data = FileManager.default.contents(atPath: list),
            let packages = try? JSONDecoder().decode(ResolvedPackages.self, from: data)
        else { return [:] }
        return (packages.pins ?? packages.object?.pins ?? []).reduce(into: [:]) { known, pin in
            guard let url = pin.location ?? pin.repositoryURL, let revision = pin.state.revision else { return }
            // The revision becomes a part of a path and an argument of git.
            if revision.allSatisfy(\.isHexDigit) { known[identity(url)] = revision }
        }
    }

    // MARK: SwiftPM's cache

    /// The clone of a package, a bare one.
    private func clone(_ name: String, _ identity: String) -> String? {
        let stores = caches.map { "\($0)/org.swift.swiftpm/repositories" }
        return stores.lazy.flatMap { store in FolderFiles.folders(in: store).map { "\(store)/\($0)" } }.first { clone in
            guard clone.lowercased().contains("/\(name)-"),
                let data = FileManager.default.contents(atPath: "\(clone)/config"),
                let origin = String(decoding: data, as: UTF8.self).firstMatch(of: /\n\s*url = (.+)/)?.1
            else { return false }
            return Self.identity(String(origin)) == identity
        }
    }

    /// A revision in a folder of its own, which later builds find again.
    private func checkOut(_ name: String, _ revision: String, _ identity: String) -> String? {
        let store = "\(caches[0])/pushhost/packages"
        let folder = "\(store)/\(name)-\(revision)"
        if FolderFiles.isFolder(folder) { return folder }
        guard let clone = clone(name, identity) else { return nil }
        let part = "\(store)/.\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: part) }
        let isWhole =
            Self.git(["clone", "--quiet", "--shared", "--no-checkout", clone, part])
            && Self.git(["-C", part, "checkout", "--quiet", "--detach", revision])
        // Another build may have been faster; then the folder is there.
        if isWhole { rename(part, folder) }
        return FolderFiles.isFolder(folder) ? folder : nil
    }

    /// Runs git without the network, and without the repository that this process may have been started for.
    private static func git(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        let own = ["GIT_LFS_SKIP_SMUDGE": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"]
        let others = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
        process.environment = others.merging(own) { _, own in own }
        (process.standardInput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
