internal import Foundation
internal import HostClient
internal import Platform

/// Writes files that appear whole or not at all.
enum WholeFile {
    /// Replaces a file and keeps its permissions.
    static func write(_ data: Data, to target: URL) throws {
        let mask = umask(0o077)
        defer { umask(mask) }
        let manager = FileManager.default
        let old = try? manager.attributesOfItem(atPath: target.path)[.posixPermissions]
        try data.write(to: target, options: .atomic)
        try manager.setAttributes([.posixPermissions: old ?? Int(0o666 & ~mask)], ofItemAtPath: target.path)
    }

    /// Checks before long work that a file can be written after it.
    ///
    /// - Throws: Why it cannot be written.
    static func check(_ target: URL) throws(ClientError) {
        var status = stat()
        if stat(target.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // A device or a pipe would be replaced.
            throw .failed("\(target.path) cannot be written: it is not a regular file")
        }
        guard access(target.deletingLastPathComponent().path, W_OK | X_OK) == 0 else {
            throw .failed("\(target.path) cannot be written: \(SystemError.last)")
        }
    }
}
