internal import CSystem
internal import JSON
package import Platform

/// The bundles that may have what they declare: what was installed with the program, and what the user allowed.
///
/// The user allows a bundle as it is, so that a change of any file in it asks again, or a folder with everything that is
/// or will be in it, as who writes bundles there does. The answers are a file of JSON, read at each question, so that a
/// running host learns of them.
public struct AllowedBundles: Sendable {
    /// The file of the answers.
    package let file: String
    /// The folders that need no answer.
    private let trusted: [String]
    /// The identifiers that the command line allows.
    private let identifiers: Set<String>

    /// - Parameters:
    ///   - file: The file of the answers, which need not exist.
    ///   - trusted: The folders whose bundles need no answer.
    ///   - identifiers: The identifiers of bundles that are allowed without an answer.
    public init(file: String, trusted: [String] = [], identifiers: [String] = []) {
        self.file = file
        self.trusted = trusted.compactMap(Paths.resolved)
        self.identifiers = Set(identifiers)
    }

    /// Whether a bundle declares nothing, or is allowed to have it.
    ///
    /// It looks at each file of the bundle, unless its folder is allowed whatever it holds.
    package func allows(_ bundle: ExtensionBundle) -> Bool {
        guard bundle.declaration != nil, !identifiers.contains(bundle.identifier) else { return true }
        let answers = Answers(file)
        return (trusted + answers.folders).contains { bundle.path == $0 || Paths.lies(bundle.path, in: $0) }
            || answers.versions[bundle.path].map { $0 == Self.version(of: bundle) } == true
    }

    /// Why a bundle must not run yet; nil if it may.
    package func problem(of bundle: ExtensionBundle) -> BundleProblem? {
        guard let declaration = bundle.declaration, !allows(bundle) else { return nil }
        var problem = BundleProblem(
            path: bundle.path,
            message: "\(declaration), which you have not allowed; read what it does, then allow it with "
                + "pushhost extensions allow \(bundle.path), or for one run with --allow \(bundle.identifier)"
        )
        problem.isOfHost = true
        return problem
    }

    /// Allows a bundle as it is now.
    package func allow(_ bundle: ExtensionBundle) throws(SystemError) {
        try change { $0.versions[bundle.path] = Self.version(of: bundle) }
    }

    /// Allows every bundle that is or will be at a path or below it.
    package func allow(folder: String) throws(SystemError) {
        let folder = Paths.resolved(folder) ?? folder
        try change { if !$0.folders.contains(folder) { $0.folders.append(folder) } }
    }

    /// Forgets what was allowed at a path and below it.
    ///
    /// - Returns: Whether there was anything.
    package func forget(_ path: String) throws(SystemError) -> Bool {
        let path = Paths.resolved(path) ?? path
        let isThere = { (other: String) in other == path || Paths.lies(other, in: path) }
        let answers = Answers(file)
        guard answers.folders.contains(where: isThere) || answers.versions.keys.contains(where: isThere) else {
            return false
        }
        try change {
            $0.folders.removeAll(where: isThere)
            $0.versions = $0.versions.filter { !isThere($0.key) }
        }
        return true
    }

    /// Changes the answers, after another process that changes them now; a moment.
    private func change(_ body: (inout Answers) -> Void) throws(SystemError) {
        let folder = Paths.parent(of: file)
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw .last }
        defer { close(lock) }
        let result = csystem_lock(lock, 1, 1)
        guard result == 0 else { throw SystemError(-result) }
        // What cannot be read now must not be replaced.
        guard access(file, R_OK) == 0 || errno == ENOENT else { throw .last }
        var answers = Answers(file)
        body(&answers)
        try FileReplacement.replace(file, with: answers.json.bytes + [UInt8(ascii: "\n")])
    }

    /// What changes with each change in a bundle: the newest change of a file or a folder, which no program can set,
    /// and their number; if its executable lies elsewhere, also where that is, and its change.
    private static func version(of bundle: ExtensionBundle) -> String {
        var newest: Int64 = 0
        var count = 0
        var waiting = [bundle.path]
        while let path = waiting.popLast() {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            newest = max(newest, change(status))
            count += 1
            if status.st_mode & S_IFMT == S_IFDIR {
                waiting += ((try? Folders.names(in: path)) ?? []).map { "\(path)/\($0)" }
            }
        }
        let inside = "\(count) \(newest)"
        // One beside the host is not looked for: who may change that may change the host.
        var status = stat()
        guard let executable = try? bundle.executablePath(hostFolder: ""), !Paths.lies(executable, in: bundle.path),
            stat(executable, &status) == 0
        else { return inside }
        // Another executable may be older than the newest file.
        return "\(inside) \(change(status)) \(executable)"
    }

    /// When a file was last changed in any way, in nanoseconds since 1970.
    private static func change(_ status: stat) -> Int64 {
        #if os(Linux)
        let time = status.st_ctim
        #else
        let time = status.st_ctimespec
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The content of the file.
    private struct Answers {
        var folders: [String]
        /// The version of each bundle by its path.
        var versions: [String: String]

        /// Reads a file; one that is missing, or that this program did not write, allows nothing.
        init(_ file: String) {
            let content = FileManager.default.contents(atPath: file).flatMap { try? JSON(parsing: Array($0)) }
            folders = content?["folders"]?.array?.compactMap(\.string) ?? []
            versions = [:]
            for (path, version) in content?["bundles"]?.object ?? JSON.Object() { versions[path] = version.string }
        }

        var json: JSON {
            let pairs = versions.sorted { $0.key < $1.key }
            let bundles = pairs.reduce(JSON.Object()) { $0.setting($1.key, to: .string($1.value)) }
            return ["bundles": .object(bundles), "folders": JSON(folders.map(JSON.string))]
        }
    }
}

extension ExtensionBundle {
    /// What it needs the user's permission for, such as "it connects to *; it gets the variables TOKEN"; nil for nothing.
    package var declaration: String? {
        let variables =
            environmentNames.isEmpty ? [] : ["it gets the variables \(environmentNames.joined(separator: ", "))"]
        let parts = (permissions.isEmpty ? [] : [permissions.description]) + variables
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
