internal import Foundation

/// What the files of a bundle looked like, to notice later that one changed.
struct BundleFingerprint: Equatable {
    /// A bundle that holds more files than this is compared by the first ones alone.
    private static let limit = 4_096

    private struct File: Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private var files: [String: File] = [:]

    /// The files of a bundle now, hidden ones and Python's caches left out, and its executable wherever it is.
    init(bundle: ExtensionBundle, executable: String?) {
        var names = executable.map { [$0] } ?? []
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
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            #if os(Linux)
            let time = status.st_mtim
            #else
            let time = status.st_mtimespec
            #endif
            files[name] = File(
                inode: UInt64(status.st_ino),
                size: Int64(status.st_size),
                seconds: Int(time.tv_sec),
                nanoseconds: Int(time.tv_nsec)
            )
        }
    }
}

extension ExtensionProcess {
    /// Whether the running process was started from the files that are there now; so where none runs.
    public var isUpToDate: Bool {
        guard child != nil, let fingerprint else { return true }
        let executable = try? bundle.executablePath(hostFolder: hostFolder)
        return BundleFingerprint(bundle: bundle, executable: executable) == fingerprint
    }
}
