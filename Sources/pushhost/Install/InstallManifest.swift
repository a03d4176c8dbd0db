internal import Foundation
internal import JSON
internal import Platform

/// The list of what is installed below a prefix.
struct InstallManifest {
    /// Its path below the prefix; not in `share/pushhost`, which below `~/.local` has the user's suites.
    static let path = "libexec/pushhost/installed.json"

    /// How a file was when it was installed.
    struct Stamp: Equatable {
        let size: Int64
        /// The time of its last change, in nanoseconds.
        let modified: Int64

        /// The stamp of what is at a path, links not followed; nil if nothing is there.
        init?(of path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            let stamp = FileStamp(status)
            (size, modified) = (stamp.size, stamp.modified)
        }

        fileprivate init?(_ json: JSON) {
            guard let size = json["size"]?.integer, let modified = json["modified"]?.integer else { return nil }
            (self.size, self.modified) = (size, modified)
        }
    }

    /// The paths of the files below the prefix; without a stamp while they are being installed.
    var files: [String: Stamp?] = [:]
    /// The paths of the folders that did not exist before; empty for the prefix itself.
    var folders: Set<String> = []

    static func exists(in prefix: String) -> Bool { access("\(prefix)/\(path)", F_OK) == 0 }

    init() {}

    /// Reads the list; nil if nothing is installed.
    init?(in prefix: String) throws(InstallError) {
        guard Self.exists(in: prefix) else { return nil }
        let path = "\(prefix)/\(Self.path)"
        let bytes: [UInt8]
        do throws(NamedFile.Problem) { bytes = try NamedFile.contents(at: path, limit: 16 << 20) } catch {
            throw InstallError("\(path): \(error.text)", code: EX_DATAERR)
        }
        guard let list = try? JSON(parsing: bytes), let files = list["files"]?.object,
            let folders = list["folders"]?.array
        else { throw InstallError("\(path) is damaged; remove the installation by hand", code: EX_DATAERR) }
        for (name, stamp) in files { self.files[name] = .some(Stamp(stamp)) }
        self.folders = Set(folders.compactMap(\.string))
        // What the list names is removed, so it must name nothing that is not of an installation.
        let foreign = self.files.keys.first { !Self.isOwn($0) } ?? self.folders.first { !Self.isOwn(folder: $0) }
        if let foreign {
            throw InstallError("\(path) is damaged: it names \(foreign)", code: EX_DATAERR)
        }
    }

    /// The folder of which everything belongs to an installation.
    private static let ownFolder = "libexec/pushhost"
    /// The files outside of it, except manual pages.
    private static let ownFiles = Set(["bin/pushhost"] + InstallPlan.completions.map { $0.0 })
    private static let manual = "share/man/man1"

    /// Whether a path is the program's own folder, or below it.
    static func isBelowOwnFolder(_ name: String) -> Bool { "\(name)/".hasPrefix("\(ownFolder)/") }

    private static func isOwn(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return false }
        let isPage = name.hasPrefix("\(manual)/pushhost") && parts.count == 4
        return isBelowOwnFolder(name) || ownFiles.contains(name) || isPage
    }

    private static func isOwn(folder name: String) -> Bool {
        let holdsOwn = (ownFiles.union([manual, ownFolder])).contains { $0 == name || $0.hasPrefix("\(name)/") }
        return name.isEmpty || holdsOwn || isOwn(name)
    }

    /// The list as it is written.
    var text: String {
        let files = files.sorted { $0.key < $1.key }.map { name, stamp -> (String, JSON) in
            (name, stamp.map { ["size": .integer($0.size), "modified": .integer($0.modified)] } ?? .null)
        }
        let list: JSON = [
            "version": .string(Version.program),
            "folders": JSON(folders.sorted().map(JSON.string)),
            "files": .object(JSON.Object(files)),
        ]
        return "\(list)\n"
    }
}
