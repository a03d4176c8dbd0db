internal import Foundation

/// What the files of a bundle looked like, to notice later that one changed.
struct BundleFingerprint: Equatable {
    /// A bundle that holds more files than this is compared by the first ones alone.
    private static let limit = 4_096

    fileprivate struct File: Equatable {
        let isFolder: Bool
        let inode: UInt64
        let size: Int64
        /// When it was changed, in nanoseconds since 1970.
        let time: Int64

        /// The regular file or the folder at a path; nothing where there is another kind or none.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            isFolder = status.st_mode & S_IFMT == S_IFDIR
            guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return nil }
            #if os(Linux)
            let time = status.st_mtim
            #else
            let time = status.st_mtimespec
            #endif
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            self.time = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }

    fileprivate var files: [String: File] = [:]
    /// The folders, which change when a file comes or goes.
    private var folders: [String: File] = [:]
    /// Names that led to nothing, such as a link to a file that is not there.
    private var absent: [String] = []
    /// Whether a later change of a folder shows in its time: file systems count in steps of some milliseconds.
    private var isSettled = true

    /// The files of a bundle now, hidden ones and Python's caches left out, and its executable wherever it is.
    init(bundle: ExtensionBundle, executable: String?) {
        var names = [bundle.path] + (executable.map { [$0] } ?? [])
        let all = FileManager.default.enumerator(atPath: bundle.path)
        while names.count < Self.limit, let name = all?.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") || last == "__pycache__" {
                all?.skipDescendants()
            } else {
                names.append("\(bundle.path)/\(name)")
            }
        }
        for name in names {
            switch File(name) {
            case nil: absent.append(name)
            case let file? where file.isFolder: folders[name] = file
            case let file?: files[name] = file
            }
        }
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        isSettled = folders.values.allSatisfy { $0.time < now - 20_000_000 }
    }

    /// Whether every file and folder certainly looks as it did; costs one system call for each.
    var isCurrent: Bool {
        isSettled && files.allSatisfy { File($0.key) == $0.value } && folders.allSatisfy { File($0.key) == $0.value }
            && absent.allSatisfy { File($0) == nil }
    }

    static func == (one: Self, other: Self) -> Bool { one.files == other.files }
}

extension BundleFingerprint {
    /// What files of code, texts and property lists end in.
    ///
    /// An extension runs in its bundle's folder and may keep files of its own there, which say nothing about it.
    private static let sources: Set<Substring> = [
        "cjs", "dylib", "entitlements", "js", "lua", "mjs", "php", "pl", "plist", "pm", "py", "rb", "sh", "so",
        "strings", "ts",
    ]

    /// The first file that makes the extension what it is, in the order of names, and that was changed, added or
    /// removed.
    ///
    /// - Parameters:
    ///   - old: The files as they were.
    ///   - executable: The executable, which counts whatever its name is.
    /// - Returns: Its path; nothing if there is no such file.
    func difference(from old: BundleFingerprint, executable: String) -> String? {
        Set(files.keys).union(old.files.keys)
            .filter { $0 == executable || Self.sources.contains($0.split(separator: ".").last ?? "") }
            .sorted().first { files[$0] != old.files[$0] }
    }
}

/// Notices that files of a bundle changed since its process was started.
struct BundleWatch {
    /// The shortest time between two looks in milliseconds, and how often the time of a look fits between them: replies
    /// come faster than people edit, and a look costs a system call for each file.
    private static let (shortestPause, restFactor) = (Int64(50), Int64(200))

    let bundle: ExtensionBundle
    let executable: String
    /// The files as they were when the process was started.
    let fingerprint: BundleFingerprint
    /// The files as they were at the last look that compared them all.
    private var latest: BundleFingerprint
    private var nextLook: Int64 = 0
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
    /// - Returns: Its path; nothing if no file changed.
    mutating func changedFile(now: () -> Int64) -> String? {
        let start = now()
        guard start >= nextLook else { return change }
        if !latest.isCurrent {
            latest = BundleFingerprint(bundle: bundle, executable: executable)
            let path = latest.difference(from: fingerprint, executable: executable)
            change = path.map { $0.hasPrefix(bundle.path + "/") ? String($0.dropFirst(bundle.path.count + 1)) : $0 }
        }
        let end = now()
        nextLook = end + max(Self.shortestPause, Self.restFactor * (end - start))
        return change
    }
}

extension ExtensionProcess {
    /// Whether the running process was started from the files that are there now; so where none runs.
    public var isUpToDate: Bool {
        guard child != nil, let fingerprint = watch?.fingerprint else { return true }
        let executable = try? bundle.executablePath(hostFolder: hostFolder)
        return BundleFingerprint(bundle: bundle, executable: executable) == fingerprint
    }

    /// Says that files of the bundle changed since its process was started, which goes on with the old ones.
    ///
    /// A change is noticed 50 ms late at most, later only in bundles of many thousand files.
    ///
    /// - Returns: A sentence for the bundle's author; nothing if no process runs or nothing changed.
    public func noticeChangedFiles() -> String? {
        guard child != nil, let file = watch?.changedFile(now: now) else { return nil }
        return "\(file) changed since the process of \(bundle.identifier) began, which still runs the old files; "
            + "reloadExtensions starts the new ones"
    }
}
