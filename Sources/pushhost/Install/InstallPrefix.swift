internal import CSystem
internal import JSON
internal import Platform

/// The folder below which everything is installed.
struct InstallPrefix {
    let path: String

    /// The path for a terminal.
    var shown: String { PlainText.escaped(path) }

    /// The default: for all users if root installs, and otherwise for this user.
    static func standard(_ folders: StandardFolders) throws(InstallError) -> String {
        if geteuid() == 0 { return "/usr/local" }
        guard let home = folders.environment["HOME"], home.hasPrefix("/") else {
            throw InstallError("HOME is not set; name a folder with --prefix", code: EX_USAGE)
        }
        return home + "/.local"
    }

    init(_ path: String) throws(InstallError) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        guard self.path != "/" else {
            throw InstallError("--prefix /: name a folder such as /usr/local", code: EX_USAGE)
        }
    }

    // MARK: Install

    /// Installs files and removes those of an earlier installation that are not among them.
    func install(_ files: [InstalledFile], replacesForeign: Bool) throws(InstallError) {
        let made = try makePrefix()
        do throws(InstallError) {
            try whileLocked { () throws(InstallError) in
                try installLocked(files, made: made, replacesForeign: replacesForeign)
            }
        } catch {
            if !made.isEmpty { rmdir(path) }
            throw error
        }
    }

    private func installLocked(
        _ files: [InstalledFile],
        made: Set<String>,
        replacesForeign: Bool
    ) throws(InstallError) {
        let old = try InstallManifest(in: path) ?? InstallManifest()
        for name in files.map(\.path) + Array(old.files.keys) { try requireNoLink(to: name) }
        if !replacesForeign { try requireOwn(files, old) }
        var manifest = InstallManifest()
        manifest.files = old.files
        for file in files { manifest.files[file.path] = .some(nil) }
        manifest.folders = old.folders.union(made)
            .union(try makeFolders(of: files.map(\.path) + [InstallManifest.path]))
        // The list comes before the files, so that an installation that is interrupted can be removed.
        try write(manifest)
        for file in files {
            try write(file)
            manifest.files[file.path] = InstallManifest.Stamp(of: absolute(file.path))
        }
        let current = Set(files.map(\.path))
        for (name, stamp) in old.files where !current.contains(name) {
            _ = try remove(name, stamp, removesChanged: false)
            manifest.files[name] = nil
        }
        removeEmpty(&manifest.folders)
        try write(manifest)
    }

    /// Does something while no other process installs below the prefix or removes what is there.
    private func whileLocked<Result>(_ body: () throws(InstallError) -> Result) throws(InstallError) -> Result {
        // The list is replaced whenever it is written, so its lock is that of the folder.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InstallError("open", path, .last) }
        defer {
            // A child that is being started may have the descriptor for another moment, and the lock with it.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        let code = csystem_lock(descriptor, 1, 0)
        guard code == 0 || code == -EWOULDBLOCK else { throw InstallError("lock", path, SystemError(-code)) }
        // An uninstallation may have removed the folder meanwhile, and another installation made a new one.
        guard code == 0, FileStamp(of: descriptor)?.identity == FileStamp(of: path)?.identity else {
            let text = "another pushhost install or uninstall works in \(path); repeat this when it has ended"
            throw InstallError(text, code: EX_TEMPFAIL)
        }
        return try body()
    }

    /// Throws an error if the way to a file leads through a link that others could have put there.
    ///
    /// The folders of a user, such as `~/.local/bin`, may be links, but those below `libexec/pushhost` are made here.
    private func requireNoLink(to name: String) throws(InstallError) {
        var folder = Self.folder(of: name)
        while !folder.isEmpty {
            var status = stat()
            if lstat(absolute(folder), &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                InstallManifest.isBelowOwnFolder(folder) || ![0, geteuid()].contains(status.st_uid)
            {
                let text = "\(absolute(folder)) is a link, which is not followed; remove it, and repeat this"
                throw InstallError(text, code: EX_CANTCREAT)
            }
            folder = Self.folder(of: folder)
        }
    }

    /// Throws an error if a file is in the way that an earlier installation did not install, or that was changed since.
    private func requireOwn(_ files: [InstalledFile], _ old: InstallManifest) throws(InstallError) {
        let foreign = files.map(\.path).filter { name in
            guard let present = InstallManifest.Stamp(of: absolute(name)) else { return false }
            guard let recorded = old.files[name] else { return true }
            return recorded != nil && recorded != present
        }
        guard let first = foreign.first else { return }
        let others = foreign.count > 1 ? ", and so are \(foreign.count - 1) other files" : ""
        let text =
            "\(absolute(first)) exists and is not as pushhost install would have left it\(others); "
            + "nothing was changed. To replace them, use --force."
        throw InstallError(text, code: EX_CANTCREAT)
    }

    private func absolute(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

    private func write(_ manifest: InstallManifest) throws(InstallError) {
        let content = InstalledFile.Content.text(manifest.text)
        try write(InstalledFile(path: InstallManifest.path, content: content))
    }

    private func write(_ file: InstalledFile) throws(InstallError) {
        let target = absolute(file.path)
        let bytes: [UInt8]
        switch file.content {
        case .text(let text): bytes = Array(text.utf8)
        case .file(let source):
            do throws(NamedFile.Problem) {
                bytes = try NamedFile.contents(at: source, limit: 1 << 30)
            } catch {
                throw InstallError("\(source): \(error.text)", code: EX_DATAERR)
            }
        }
        do throws(SystemError) {
            try FileReplacement.replace(target, with: bytes, mode: file.mode)
        } catch {
            throw InstallError("write", target, error)
        }
    }

    /// Makes the prefix.
    ///
    /// - Returns: Its name in the list if it did not exist before; otherwise nothing.
    private func makePrefix() throws(InstallError) -> Set<String> {
        // Folders above the prefix are not ours, and stay.
        try? FileManager.default.createDirectory(atPath: Paths.parent(of: path), withIntermediateDirectories: true)
        return try makeFolder("") ? [""] : []
    }

    /// Makes the folders of files.
    ///
    /// - Returns: Those that did not exist before.
    /// - Throws: That one cannot be made; then the others are removed again.
    private func makeFolders(of files: [String]) throws(InstallError) -> Set<String> {
        var needed: Set<String> = []
        for file in files {
            var folder = Self.folder(of: file)
            while needed.insert(folder).inserted { folder = Self.folder(of: folder) }
        }
        var made: Set<String> = []
        do throws(InstallError) {
            // A folder comes before those in it.
            for name in needed.sorted() {
                if try makeFolder(name) { made.insert(name) }
            }
        } catch {
            removeEmpty(&made)
            throw error
        }
        return made
    }

    /// Makes a folder.
    ///
    /// - Returns: Whether it did not exist before.
    private func makeFolder(_ name: String) throws(InstallError) -> Bool {
        if StandardFolders.isFolder(absolute(name)) { return false }
        // The mode does not depend on the umask: other users run what root installs.
        if mkdir(absolute(name), 0o755) == 0, chmod(absolute(name), 0o755) == 0 { return true }
        let error = SystemError.last
        // Another installation may have made it at the same time.
        if error.number == EEXIST, StandardFolders.isFolder(absolute(name)) { return false }
        throw InstallError("make the folder", absolute(name), error)
    }

    /// The path of a file's folder; empty for the prefix.
    private static func folder(of file: String) -> String {
        file.split(separator: "/").dropLast().joined(separator: "/")
    }

    // MARK: Uninstall

    /// Removes what was installed, and returns the changed files that are kept.
    func uninstall(removesChanged: Bool) throws(InstallError) -> [String] {
        guard InstallManifest.exists(in: path) else { throw nothing }
        return try whileLocked { () throws(InstallError) in try uninstallLocked(removesChanged: removesChanged) }
    }

    private var nothing: InstallError {
        InstallError("nothing is installed in \(path); name another folder with --prefix", code: EX_NOINPUT)
    }

    private func uninstallLocked(removesChanged: Bool) throws(InstallError) -> [String] {
        guard var manifest = try InstallManifest(in: path) else { throw nothing }
        for name in Array(manifest.files.keys) + manifest.folders.map({ "\($0)/__pycache__" }) {
            try requireNoLink(to: name)
        }
        var kept: [String] = []
        for (name, stamp) in manifest.files.sorted(by: { $0.key < $1.key }) {
            if try !remove(name, stamp, removesChanged: removesChanged) { kept.append(name) }
        }
        // Python keeps its compiled modules beside the installed ones.
        for name in manifest.folders where name.hasPrefix(InstallPlan.bundles) {
            try? FileManager.default.removeItem(atPath: absolute("\(name)/__pycache__"))
        }
        // The list is the last file, so that what fails can be repeated.
        guard unlink(absolute(InstallManifest.path)) == 0 else {
            throw InstallError("remove", absolute(InstallManifest.path), .last)
        }
        removeEmpty(&manifest.folders)
        return kept
    }

    /// Removes a file unless it was changed.
    ///
    /// - Returns: Whether nothing is there afterwards.
    private func remove(
        _ name: String,
        _ stamp: InstallManifest.Stamp?,
        removesChanged: Bool
    ) throws(InstallError) -> Bool {
        guard let present = InstallManifest.Stamp(of: absolute(name)) else { return true }
        if StandardFolders.isFolder(absolute(name)) { return false }
        if let stamp, stamp != present, !removesChanged { return false }
        guard unlink(absolute(name)) == 0 else { throw InstallError("remove", absolute(name), .last) }
        return true
    }

    /// Removes those of our folders that are empty now, the deepest first.
    private func removeEmpty(_ folders: inout Set<String>) {
        for name in folders.sorted(by: >) where rmdir(absolute(name)) == 0 || errno == ENOENT { folders.remove(name) }
    }
}

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
        // Everything that the list names is removed, so it must name nothing that is not of an installation.
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
