internal import Foundation
internal import PhoneDiagnostics

/// An object of a project file: a group, a target, a build phase and so on.
struct ProjectObject {
    /// The identifier, 24 digits.
    let id: String
    private let members: [String: Any]

    init(id: String, members: [String: Any]) {
        (self.id, self.members) = (id, members)
    }

    /// The kind, such as `PBXGroup`.
    var isa: String { text("isa") ?? "" }

    /// A text or a number of the object.
    func text(_ key: String) -> String? { members[key] as? String }

    /// A list of texts, often identifiers of objects; empty if absent.
    func list(_ key: String) -> [String] { members[key] as? [String] ?? [] }

    /// A dictionary of the object; empty if absent.
    func dictionary(_ key: String) -> [String: Any] { members[key] as? [String: Any] ?? [:] }
}

/// A `project.pbxproj`: its objects, and where the files are that they name.
struct ProjectFile {
    /// The folder that has the `.xcodeproj`.
    let folder: String
    /// The name of the project.
    let name: String
    /// The path of `project.pbxproj`.
    let path: String

    private let objects: [String: [String: Any]]
    /// The groups by their children.
    private let parents: [String: String]
    private let rootID: String

    /// Reads the project.
    ///
    /// - Parameter package: The path of the `.xcodeproj`.
    /// - Throws: A diagnostic if there is no project, or none that can be read.
    init(package: String) throws(Diagnostic) {
        path = "\(package)/project.pbxproj"
        let url = URL(fileURLWithPath: package).standardizedFileURL
        folder = url.deletingLastPathComponent().path
        name = url.deletingPathExtension().lastPathComponent
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Diagnostic(.error, path, "the project cannot be read: name a folder .xcodeproj that Xcode made")
        }
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        } catch {
            throw Self.unreadable(data, path: path)
        }
        guard let list = list as? [String: Any], let objects = list["objects"] as? [String: [String: Any]],
            let rootID = list["rootObject"] as? String, objects[rootID] != nil
        else { throw Diagnostic(.error, path, "the file is no project: it has no objects") }
        self.objects = objects
        self.rootID = rootID
        var parents: [String: String] = [:]
        for (id, members) in objects {
            for child in members["children"] as? [String] ?? [] { parents[child] = id }
        }
        self.parents = parents
    }

    /// Why a file is no property list; most often, because a merge was not finished.
    private static func unreadable(_ data: Data, path: String) -> Diagnostic {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if let conflict = lines.firstIndex(where: { $0.hasPrefix("<<<<<<< ") }) {
            return Diagnostic(.error, path, line: conflict + 1, "the project has a merge conflict: resolve it first")
        }
        return Diagnostic(.error, path, "the project is no valid property list: open it in Xcode and correct it")
    }

    // MARK: Objects

    /// The project itself.
    var root: ProjectObject { self[rootID] }

    /// An object; without members if it is absent.
    subscript(id: String) -> ProjectObject { ProjectObject(id: id, members: objects[id] ?? [:]) }

    /// The objects that a list names; those that are absent are left out, as in Xcode.
    func objects(_ ids: [String]) -> [ProjectObject] { ids.filter { objects[$0] != nil }.map { self[$0] } }

    /// All objects of a kind, in the order of their identifiers.
    func all(_ isa: String) -> [ProjectObject] {
        objects.filter { $0.value["isa"] as? String == isa }.keys.sorted().map { self[$0] }
    }

    /// The targets in the project's order.
    var targets: [ProjectObject] { objects(root.list("targets")) }

    /// The language in which texts are written, such as `en`.
    var developmentRegion: String { root.text("developmentRegion") ?? "en" }

    // MARK: Paths

    /// The folder to which the paths of the project are relative.
    var sourceRoot: String { Self.join(folder, root.text("projectDirPath") ?? "") }

    /// The path of a file or a group; nil if it is not in the project's folder, such as a framework of the system.
    func path(of object: ProjectObject) -> String? {
        let path = object.text("path") ?? ""
        switch object.text("sourceTree") {
        case "<absolute>": return path
        case "SOURCE_ROOT": return Self.join(sourceRoot, path)
        case "<group>", nil:
            guard let parent = parents[object.id] else { return Self.join(sourceRoot, path) }
            // A variant group stands for its files, and has no folder of its own.
            return self.path(of: self[parent]).map { Self.join($0, path) }
        default: return nil
        }
    }

    /// The path of a file relative to a folder; an absolute one stays.
    static func join(_ folder: String, _ path: String) -> String {
        let joined = path.hasPrefix("/") ? path : path.isEmpty ? folder : "\(folder)/\(path)"
        return URL(fileURLWithPath: joined).standardizedFileURL.path
    }
}
