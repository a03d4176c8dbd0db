#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file with a secret, which only its owner may read.
enum PrivateFile {
    /// Checks a file before the library reads it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - variable: The variable that names it.
    /// - Throws: Why it must not be used.
    static func check(_ path: String, _ variable: String) throws(NATSError) {
        func error(_ text: String) -> NATSError { NATSError(.invalid, "\(variable) names \(path), which \(text)") }
        guard path.hasPrefix("/") else {
            // The value is not quoted: it may be the secret itself.
            throw NATSError(.invalid, "\(variable) must be the absolute path of a file")
        }
        // O_NONBLOCK, so that a named pipe without a writer does not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw error("cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw error("is not a file") }
        guard !isCredential(status) else { return }
        guard status.st_uid == geteuid() else {
            throw error("belongs to the user \(status.st_uid), not to \(geteuid()) who runs this; chown it")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw error(
                "others may read or write (mode \(mode)); chmod 600 \(path), and replace the credentials if they did"
            )
        }
    }

    /// Whether systemd made the file for this service (`LoadCredential`): it is root's, and nobody may write.
    ///
    /// Its access list names the user of the service, which shows as a right of the group.
    private static func isCredential(_ status: stat) -> Bool {
        (status.st_uid, status.st_gid, status.st_mode & 0o777) == (0, 0, 0o440)
    }
}
