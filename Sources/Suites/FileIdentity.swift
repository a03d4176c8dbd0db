internal import Foundation
internal import Platform

/// The identity of a file, independent of its path.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// The file that a path leads to now, if it leads to one.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The identity of a folder and the time when an entry was last added to it, removed from it or renamed.
struct FolderStamp: Equatable {
    private let identity: FileIdentity
    private let time: Int64

    /// The folder that a path leads to now, if it leads to one.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        #if os(Linux)
        let change = status.st_ctim
        #else
        let change = status.st_ctimespec
        #endif
        time = Int64(change.tv_sec) * 1_000_000_000 + Int64(change.tv_nsec)
    }

    /// Whether another change would change the time: file systems measure it in steps of some milliseconds.
    var isSettled: Bool { time < Clock.systemNanoseconds() - 20_000_000 }
}
