internal import Foundation
internal import Platform

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
