internal import Foundation
internal import PhoneDiagnostics

/// A resource and its place in the bundle.
package struct Resource: Codable, Equatable, Sendable {
    /// The file, or the folder that is one thing to Xcode.
    package let path: String
    /// The path in the bundle, such as `de.lproj/Localizable.strings`.
    package let destination: String

    /// A resource at that place in the bundle.
    package init(path: String, destination: String) {
        (self.path, self.destination) = (path, destination)
    }

    /// A resource at its place by Xcode's rule: the folder of a language stays, every other folder goes.
    init(path: String) {
        let parts = path.split(separator: "/")
        let isLocalized = parts.dropLast().last?.hasSuffix(".lproj") == true
        self.init(path: path, destination: parts.suffix(isLocalized ? 2 : 1).joined(separator: "/"))
    }
}

/// The files that a target compiles and copies: those of its build phases and of its synchronized folders.
struct TargetFiles {
    /// The Swift sources.
    private(set) var sources: [String] = []
    /// Sources in Objective-C and C.
    private(set) var objectiveC: [String] = []
    /// The resources.
    private(set) var resources: [Resource] = []
    /// Files that the project names and that do not exist.
    private(set) var missing: [String] = []

    /// The folders whose content the target follows.
    private(set) var folders: [String] = []

    private let project: ProjectFile
    private var known: Set<String> = []

    /// Collects the files of a target.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - project: Its project.
    ///   - excluded: Files that are no resources, such as the target's Info.plist.
    init(of target: ProjectObject, in project: ProjectFile, excluded: Set<String>) {
        self.project = project
        known = excluded
        for phase in project.objects(target.list("buildPhases")) {
            guard ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(phase.isa) else { continue }
            for file in project.objects(phase.list("files")) where Self.isForPhones(file) {
                addReference(file.text("fileRef").map { project[$0] })
            }
        }
        let own = Set(target.list("fileSystemSynchronizedGroups"))
        for folder in project.all("PBXFileSystemSynchronizedRootGroup") {
            addSynchronized(folder, target: target, isOwn: own.contains(folder.id))
        }
        resources.sort { $0.destination < $1.destination }
    }

    /// Whether a file is compiled for phones, by Xcode's filter of platforms.
    private static func isForPhones(_ file: ProjectObject) -> Bool {
        let filters = file.list("platformFilters") + [file.text("platformFilter")].compactMap(\.self)
        return filters.isEmpty || filters.contains("ios")
    }

    // MARK: References

    private mutating func addReference(_ reference: ProjectObject?) {
        guard let reference else { return }
        switch reference.isa {
        case "XCVersionGroup": break
        case "PBXVariantGroup", "PBXGroup":
            for child in project.objects(reference.list("children")) { addReference(child) }
        default:
            guard let path = project.path(of: reference) else { return }
            if reference.text("lastKnownFileType") == "folder" || reference.text("explicitFileType") == "folder" {
                add(Resource(path: path, destination: URL(fileURLWithPath: path).lastPathComponent))
            } else {
                add(path)
            }
        }
    }

    private mutating func add(_ path: String) {
        switch FileKind(path: path) {
        case .source: if isNew(path) { sources.append(path) }
        case .objectiveC: if isNew(path) { objectiveC.append(path) }
        case .resource: add(Resource(path: path))
        case .ignored: break
        }
    }

    private mutating func add(_ resource: Resource) {
        if isNew(resource.path) { resources.append(resource) }
    }

    /// Whether a file exists and is not in the target yet.
    private mutating func isNew(_ path: String) -> Bool {
        guard known.insert(path).inserted else { return false }
        guard FileManager.default.fileExists(atPath: path) else {
            missing.append(path)
            return false
        }
        return true
    }

    // MARK: Synchronized folders

    /// Adds the files of a folder whose content Xcode 16 reads from the disk.
    ///
    /// The folder's exceptions for a target are the files that a target of the folder lacks, or the only ones that
    /// another target has.
    private mutating func addSynchronized(_ folder: ProjectObject, target: ProjectObject, isOwn: Bool) {
        guard let root = project.path(of: folder) else { return }
        let sets = project.objects(folder.list("exceptions"))
            .filter { $0.isa == "PBXFileSystemSynchronizedBuildFileExceptionSet" && $0.text("target") == target.id }
        let exceptions = Set(sets.flatMap { $0.list("membershipExceptions") }.map(Self.localized))
        guard isOwn || !exceptions.isEmpty else { return }
        if isOwn { folders.append(root) }
        let whole = folder.list("explicitFolders")
        for file in FolderFiles.files(in: root) {
            // Exceptions name a localized file without the folder of its language.
            let isException =
                exceptions.contains(file) || exceptions.contains(Self.localized(file))
                || exceptions.contains { file.hasPrefix("\($0)/") }
            guard isException != isOwn, !whole.contains(where: { file.hasPrefix("\($0)/") }) else { continue }
            add("\(root)/\(file)")
        }
        for name in whole where exceptions.contains(name) != isOwn {
            add(Resource(path: "\(root)/\(name)", destination: URL(fileURLWithPath: name).lastPathComponent))
        }
    }

    /// A path without the folders of languages: `a/x.strings` for `a/de.lproj/x.strings` and `/Localized: a/x.strings`.
    private static func localized(_ path: String) -> String {
        let path = path.hasPrefix("/Localized: ") ? path.dropFirst("/Localized: ".count) : path[...]
        return path.split(separator: "/").filter { !$0.hasSuffix(".lproj") }.joined(separator: "/")
    }
}
