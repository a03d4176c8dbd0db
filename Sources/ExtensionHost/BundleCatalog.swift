internal import Platform

/// The bundles of some folders, and the roles in which they are used.
public struct BundleCatalog: Sendable {
    /// The bundles, sorted by identifier.
    public let bundles: [ExtensionBundle]
    /// The service extension; of several the one with the lowest identifier, because an app has only one.
    public let service: ExtensionBundle?
    /// The personalization extension; of several the one with the lowest identifier.
    public let personalization: ExtensionBundle?
    /// What is wrong with folders that hold no valid bundle, and with several bundles together.
    public let problems: [BundleProblem]

    /// Reads every bundle in the folders.
    ///
    /// A folder with an `Info.plist` is a bundle; otherwise each of its subfolders with one is a bundle. Of two bundles
    /// with the same identifier the catalog keeps the first.
    ///
    /// - Parameters:
    ///   - folders: The folders in order of precedence.
    ///   - reportsMissing: Whether a folder that cannot be read or has no bundle is a problem, because the user named it.
    ///   - allowsWritable: Whether to accept bundles into which any user may write.
    public init(folders: [String], reportsMissing: Bool = false, allowsWritable: Bool = false) {
        var bundles: [String: ExtensionBundle] = [:]
        var problems: [BundleProblem] = []
        let found = folders.flatMap { folder in
            guard access(folder, R_OK | X_OK) == 0 else {
                let error = SystemError.last
                if reportsMissing || error.number != ENOENT {
                    problems.append(BundleProblem(path: folder, message: "the folder cannot be read: \(error)"))
                }
                return [String]()
            }
            let known = problems.count
            let found = Self.bundleFolders(folder, allowsWritable: allowsWritable, &problems)
            if reportsMissing, found.isEmpty, problems.count == known {
                let text = "it has no bundle: neither it nor a folder in it has an Info.plist"
                problems.append(BundleProblem(path: folder, message: text, severity: .warning))
            }
            return found
        }
        for folder in found {
            do throws(BundleProblem) {
                let bundle = try ExtensionBundle(folder: folder)
                if !allowsWritable, let problem = bundle.problemOfWritability() { throw problem }
                if let first = bundles[bundle.identifier] {
                    let text = "\(first.path) has the identifier \(bundle.identifier) too and came first"
                    problems.append(BundleProblem(path: folder, message: text))
                } else {
                    bundles[bundle.identifier] = bundle
                }
            } catch {
                problems.append(error)
            }
        }
        self.bundles = bundles.values.sorted { $0.identifier < $1.identifier }
        for (index, bundle) in self.bundles.enumerated() where bundle.point == .content {
            for category in bundle.categories {
                guard let winner = self.bundles[..<index].first(where: { $0.shows(category) }) else { continue }
                let text = "\(winner.identifier) has the category \(category) too and wins, its identifier comes first"
                problems.append(BundleProblem(path: bundle.path, message: text))
            }
        }
        service = Self.onlyBundle(.service, "a service extension", of: self.bundles, &problems)
        personalization = Self.onlyBundle(.personalization, "a personalization extension", of: self.bundles, &problems)
        Self.checkNames("destination", self.bundles.compactMap { $0.named($0.destinationName) }, &problems)
        Self.checkNames("source", self.bundles.compactMap { $0.named($0.sourceName) }, &problems)
        self.problems = problems
    }

    /// The bundle of an extension point that only one bundle may serve: the one with the lowest identifier.
    private static func onlyBundle(
        _ point: ExtensionBundle.Point,
        _ description: String,
        of bundles: [ExtensionBundle],
        _ problems: inout [BundleProblem]
    ) -> ExtensionBundle? {
        let candidates = bundles.filter { $0.point == point }
        for bundle in candidates.dropFirst() {
            let text = "\(candidates[0].identifier) is \(description) too and counts alone, its identifier comes first"
            problems.append(BundleProblem(path: bundle.path, message: text))
        }
        return candidates.first
    }

    /// Reports each bundle whose name an earlier one has.
    private static func checkNames(
        _ description: String,
        _ bundles: [(name: String, bundle: ExtensionBundle)],
        _ problems: inout [BundleProblem]
    ) {
        for (index, (name, bundle)) in bundles.enumerated() {
            guard let winner = bundles[..<index].first(where: { $0.name == name })?.bundle else { continue }
            let text = "\(winner.identifier) is the \(description) \(name) too and wins, its identifier comes first"
            problems.append(BundleProblem(path: bundle.path, message: text))
        }
    }

    private static func bundleFolders(
        _ folder: String,
        allowsWritable: Bool,
        _ problems: inout [BundleProblem]
    ) -> [String] {
        // A folder that hides whether it has an Info.plist is read as a bundle, which says why that fails.
        let isBundle = { (path: String) in
            access("\(path)/Info.plist", F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno)
        }
        if isBundle(folder) { return [folder] }
        if !allowsWritable, let problem = BundleProblem(ifWritableByAnybody: folder) {
            problems.append(problem)
            return []
        }
        guard let root = Paths.resolved(folder) else { return [] }
        var bundles: [String] = []
        var entries: [String] = []
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            problems.append(BundleProblem(path: folder, message: "the folder cannot be read: \(error)"))
        }
        for path in entries.map({ "\(folder)/\($0)" }) where isBundle(path) {
            // A user who may write into the folder must not make the host run what lies elsewhere.
            guard let resolved = Paths.resolved(path) else {
                problems.append(BundleProblem(path: path, message: "it cannot be read: \(SystemError.last)"))
                continue
            }
            guard Paths.lies(resolved, in: root) else {
                let text = "it is a link that leads out of \(folder); name the bundle itself with --plugins to run it"
                problems.append(BundleProblem(path: path, message: text))
                continue
            }
            bundles.append(path)
        }
        return bundles
    }

    /// The bundle that shows a category, compared exactly; of several the one with the lowest identifier.
    public func bundle(forCategory category: String) -> ExtensionBundle? {
        bundles.first { $0.shows(category) }
    }

    /// The destination with a name, compared exactly; of several the one with the lowest identifier.
    public func destination(named name: String) -> ExtensionBundle? { bundles.first { $0.destinationName == name } }

    /// The source with a name, compared exactly; of several the one with the lowest identifier.
    public func source(named name: String) -> ExtensionBundle? { bundles.first { $0.sourceName == name } }

    /// The names of the sources, sorted.
    public var sourceNames: [String] { Set(bundles.compactMap(\.sourceName)).sorted() }

    /// The names of the destinations, sorted.
    public var destinationNames: [String] { Set(bundles.compactMap(\.destinationName)).sorted() }

    /// The bundles that claim a category, the one that shows it first.
    public func bundles(forCategory category: String) -> [ExtensionBundle] {
        bundles.filter { $0.shows(category) }
    }
}

extension ExtensionBundle {
    func named(_ name: String?) -> (name: String, bundle: ExtensionBundle)? { name.map { ($0, self) } }

    func shows(_ category: String) -> Bool { point == .content && categories.contains(category) }
}

/// The stamps of a bundle's files, to notice later that one changed.
struct BundleFingerprint: Equatable {
    /// If a bundle holds more files than this, only the first ones are compared.
    private static let limit = 4_096

    /// The executable; nil if it is missing or may not be executed.
    private let executable: String?
    fileprivate var files: [String: FileStamp] = [:]
    /// The folders, which change when a file is added or removed.
    private var folders: [String: FileStamp] = [:]
    /// Paths without a file or a folder, such as a link to nothing.
    private var absent: [String] = []
    /// Whether every further change to a folder would change its modification time.
    private var isReliable = true

    /// The files that a bundle has now, except hidden ones and Python's caches, and its executable wherever that is.
    init(bundle: ExtensionBundle, executable: String?) {
        self.executable = executable
        var names = [bundle.path] + (executable.map { [$0] } ?? [])
        Folders.walk(bundle.path) { path in
            names.append(path)
            return names.count < Self.limit
        }
        for name in names {
            let stamp = FileStamp(of: name)
            switch stamp?.kind {
            case .file: files[name] = stamp
            case .folder: folders[name] = stamp
            case .other, nil: absent.append(name)
            }
        }
        isReliable = folders.values.allSatisfy(\.isReliable)
    }

    /// Whether it is certain that no file or folder changed; costs one system call for each.
    var isCurrent: Bool {
        isReliable && files.allSatisfy { FileStamp(of: $0.key) == $0.value }
            && folders.allSatisfy { FileStamp(of: $0.key) == $0.value }
            && absent.allSatisfy { path in FileStamp(of: path).map { $0.kind == .other } ?? true }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.files == other.files && one.executable == other.executable
    }
}

extension BundleFingerprint {
    /// The suffixes of files of code, texts and property lists.
    ///
    /// An extension runs in its bundle's folder and may write other files there, which are no reason to restart it.
    private static let sources: Set<Substring> = [
        "cjs", "dylib", "entitlements", "js", "lua", "mjs", "php", "pl", "plist", "pm", "py", "rb", "sh", "so",
        "strings", "ts",
    ]

    /// The first file of code, texts or property lists, in the order of paths, that was changed, added or removed.
    ///
    /// - Parameters:
    ///   - old: The files as they were.
    ///   - executable: The executable, which counts whatever its name is.
    /// - Returns: Its path; `nil` if there is no such file.
    func difference(from old: BundleFingerprint, executable: String) -> String? {
        Set(files.keys).union(old.files.keys)
            .filter { $0 == executable || Self.sources.contains($0.split(separator: ".").last ?? "") }
            .sorted().first { files[$0] != old.files[$0] }
    }
}

/// Detects that files of a bundle changed since its process was started.
struct BundleWatch {
    /// The shortest time between two checks in milliseconds, and the least multiple of a check's own time: replies come
    /// faster than people edit, and a check costs a system call for each file.
    private static let (shortestPause, restFactor) = (Int64(50), Int64(200))

    let bundle: ExtensionBundle
    let executable: String
    /// The files as they were when the process was started.
    let fingerprint: BundleFingerprint
    /// The files as they were at the last check that compared them all.
    private var latest: BundleFingerprint
    private var nextCheck: Int64 = 0
    private var change: String?

    /// A watch over the files as they are now.
    init(_ bundle: ExtensionBundle, executable: String) {
        (self.bundle, self.executable) = (bundle, executable)
        fingerprint = BundleFingerprint(bundle: bundle, executable: executable)
        latest = fingerprint
    }

    /// A file that changed, relative to the bundle if it lies there.
    ///
    /// - Parameter now: Reads the monotonic clock in milliseconds.
    /// - Returns: Its path; `nil` if no file changed.
    mutating func changedFile(now: () -> Int64) -> String? {
        let start = now()
        guard start >= nextCheck else { return change }
        if !latest.isCurrent {
            latest = BundleFingerprint(bundle: bundle, executable: executable)
            let path = latest.difference(from: fingerprint, executable: executable)
            change = path.map { $0.hasPrefix(bundle.path + "/") ? String($0.dropFirst(bundle.path.count + 1)) : $0 }
        }
        let end = now()
        nextCheck = end + max(Self.shortestPause, Self.restFactor * (end - start))
        return change
    }
}
