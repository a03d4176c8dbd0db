/// A file with the endpoint and the key that only its owner may read.
///
/// It has lines `NAME=value` as in an environment file; empty lines and lines that
/// start with `#` are skipped.
enum CredentialsFile {
    private static let sizeLimit = 64 << 10
    private static let names = [Variable.endpoint, .key].map(\.rawValue)

    /// Reads a file.
    ///
    /// - Throws: Why it cannot be used, without quoting its content.
    static func read(_ path: String) throws(ConfigurationError) -> [String: String] {
        try parse(try text(path), path)
    }

    private static func text(_ path: String) throws(ConfigurationError) -> String {
        func error(_ text: String) -> ConfigurationError {
            ConfigurationError("\(Variable.credentials.rawValue) names \(path), which \(text)")
        }
        guard path.hasPrefix("/") else {
            // The value is not quoted: it may be the key itself.
            throw ConfigurationError("\(Variable.credentials.rawValue) must be the absolute path of a file")
        }
        // O_NONBLOCK, so that a named pipe without a writer does not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw error("cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        // The checks use the open descriptor, so that the file cannot be replaced between check and reading.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw error("is not a file") }
        if !isCredential(status) {
            guard status.st_uid == geteuid() else {
                throw error("belongs to the user \(status.st_uid), not to \(geteuid()) who runs this; chown it")
            }
            guard status.st_mode & 0o077 == 0 else {
                let mode = String(status.st_mode & 0o777, radix: 8)
                throw error(
                    "others may read or write (mode \(mode)); chmod 600 \(path), and change the key if they did"
                )
            }
        }
        guard status.st_size <= sizeLimit else { throw error("has more than \(sizeLimit) bytes") }
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw error("cannot be read: \(String(cString: strerror(errno)))") }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else { throw error("is not UTF-8") }
        return text
    }

    /// Whether systemd made the file for this service (`LoadCredential`): it is root's, and nobody may write.
    ///
    /// Its access list names the user of the service, which shows as a right of the group.
    private static func isCredential(_ status: stat) -> Bool {
        (status.st_uid, status.st_gid, status.st_mode & 0o777) == (0, 0, 0o440)
    }

    private static func parse(_ text: String, _ path: String) throws(ConfigurationError) -> [String: String] {
        var values: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = trimmed(parts[0])
            guard parts.count == 2, names.contains(name) else {
                let need = names.map { "\($0)=…" }.joined(separator: " or ")
                throw ConfigurationError("\(path), line \(index + 1): must be \(need)")
            }
            guard values[name] == nil else {
                throw ConfigurationError("\(path), line \(index + 1): \(name) is set a second time")
            }
            values[name] = trimmed(parts[1])
        }
        return values
    }

    /// A text without the white space at its beginning and its end.
    private static func trimmed(_ text: Substring) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? rest)
    }
}
