/// The attributes that show whether a file was changed or replaced: kind, identity, size and modification time.
package struct FileStamp: Equatable, Sendable {
    /// The kind of file to which a path leads.
    package enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A pipe, a socket or a device.
        case other
    }

    /// What a file is, independent of its path and its content.
    package struct Identity: Equatable, Sendable {
        fileprivate let device: dev_t
        fileprivate let inode: ino_t
    }

    /// The kind of the file.
    package let kind: Kind
    /// Which file it is.
    package let identity: Identity
    /// The size in bytes.
    package let size: Int64
    /// When the content was last changed, in nanoseconds since 1970; the content of a folder is its entries.
    package let modified: Int64

    /// The stamp of a result of `stat(2)` or `fstat(2)`.
    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        identity = Identity(device: status.st_dev, inode: status.st_ino)
        size = Int64(status.st_size)
        // Whoever restores a folder from a backup sets its time of modification, but cannot set the time of its change.
        #if os(Linux)
        let time = kind == .folder ? status.st_ctim : status.st_mtim
        #else
        let time = kind == .folder ? status.st_ctimespec : status.st_mtimespec
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The stamp of the file at a path, links followed; `nil` if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of an open file; `nil` if the descriptor is not open.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether a further change would change the modification time.
    ///
    /// File systems count time in steps of some milliseconds, so two changes in quick succession can have the same time.
    package var isReliable: Bool { modified < Clock.systemNanoseconds() - 20_000_000 }
}
