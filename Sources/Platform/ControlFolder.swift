internal import CSystem

/// The folder with the sockets of the hosts that run as this user.
///
/// Its owner and its mode are checked on each use, because programs of other users must neither connect to a host nor
/// pretend to be one.
package struct ControlFolder: Sendable {
    /// Why the folder or a socket in it cannot be used; a sentence without its full stop.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The socket of a host that runs, or ended without removing it.
    package struct Socket: Sendable {
        /// Its path.
        package let path: String
        /// The host's process identifier.
        package let pid: Int32
    }

    private static let queueLength: Int32 = 16
    private static let suffix = ".sock"
    /// The end of a socket's name until it accepts connections.
    private static let provisionalSuffix = ".new"

    /// Its path.
    package let path: String

    /// The folder at a path.
    package init(path: String) { self.path = path }

    /// The folder that hosts use unless they are told otherwise.
    ///
    /// - Parameter runtimeFolder: The value of `XDG_RUNTIME_DIR`.
    /// - Returns: `$XDG_RUNTIME_DIR/pushhost`, or `/tmp/pushhost-<uid>` if the variable has no absolute path.
    package static func standard(runtimeFolder: String?) -> ControlFolder {
        guard let folder = runtimeFolder, folder.hasPrefix("/") else {
            return ControlFolder(path: "/tmp/pushhost-\(geteuid())")
        }
        return ControlFolder(path: (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/pushhost")
    }

    // MARK: The host's side

    /// Creates a socket for this process, and the folder if it is missing.
    ///
    /// - Returns: A descriptor that accepts connections without blocking, and the socket's path, which the caller removes.
    package func listen() throws(Problem) -> (descriptor: Int32, path: String) {
        try checkParent()
        try check(creates: true)
        // No other process ever has the same name, so a socket that refuses connections can be removed at any time.
        let name = "\(path)/\(getpid())-\(String(Clock.systemNanoseconds(), radix: 36))"
        let descriptor = csystem_listen(name + Self.provisionalSuffix, name + Self.suffix, Self.queueLength)
        guard descriptor < 0 else { return (descriptor, name + Self.suffix) }
        throw Problem(description: Self.explanation(-descriptor, name + Self.suffix))
    }

    private static func explanation(_ number: Int32, _ path: String) -> String {
        guard number == ENAMETOOLONG else { return "\(path): \(SystemError(number))" }
        return "\(path): the path of a socket has at most \(csystem_longest_socket_path()) bytes, "
            + "and this one has \(path.utf8.count); set XDG_RUNTIME_DIR to a folder with a shorter path"
    }

    /// Checks that no other user can replace the folder.
    private func checkParent() throws(Problem) {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let parent = end == path.startIndex ? "/" : String(path[..<end])
        var status = stat()
        guard stat(parent, &status) == 0 else { throw Problem(description: "\(parent): \(SystemError.last)") }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw Problem(description: "\(parent) belongs to another user; set XDG_RUNTIME_DIR to a folder of your own")
        }
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw Problem(description: "other users may write to \(parent), and so replace \(path); chmod go-w it")
        }
    }

    private func check(creates: Bool = false) throws(Problem) {
        var status = stat()
        // A link is not followed: it may lead to a folder that is not meant for this.
        var isThere = lstat(path, &status) == 0
        if !isThere, creates, errno == ENOENT {
            // Another host may create it at the same time.
            isThere = (mkdir(path, 0o700) == 0 || errno == EEXIST) && lstat(path, &status) == 0
        }
        guard isThere else { throw Problem(description: "\(path): \(SystemError.last)") }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(description: "\(path) is not a folder; remove it")
        }
        guard status.st_uid == geteuid() else { throw Problem(description: "\(path) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Problem(description: "\(path) is open to other users; chmod 700 it")
        }
    }

    /// Accepts a connection.
    ///
    /// - Returns: A nonblocking descriptor; nil if there is no connection, or if it is one of another user.
    package static func accept(_ listener: Int32) throws(SystemError) -> Int32? {
        var user = uid_t()
        let descriptor = csystem_accept(listener, &user)
        guard descriptor >= 0 else {
            // The other end may be gone already.
            if [EAGAIN, EINTR, ECONNABORTED, ENOTCONN].contains(-descriptor) { return nil }
            throw SystemError(-descriptor)
        }
        if user == geteuid() { return descriptor }
        close(descriptor)
        return nil
    }

    // MARK: The other side

    /// The sockets, in the order of their process identifiers.
    ///
    /// - Returns: Also those of hosts that ended without removing them; none if there is no folder.
    /// - Throws: Why the folder cannot be trusted or read.
    package func sockets() throws(Problem) -> [Socket] {
        do throws(Problem) {
            try checkParent()
            try check()
        } catch {
            if access(path, F_OK) != 0, errno == ENOENT { return [] }
            throw error
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw Problem(description: "\(path) cannot be read")
        }
        for name in names where name.hasSuffix(Self.provisionalSuffix) { removeIfAbandoned("\(path)/\(name)") }
        return names.compactMap { name in
            guard name.hasSuffix(Self.suffix), let pid = name.split(separator: "-").first.flatMap({ Int32($0) }) else {
                return nil
            }
            return Socket(path: "\(path)/\(name)", pid: pid)
        }
        .sorted { ($0.pid, $0.path) < ($1.pid, $1.path) }
    }

    /// Removes a socket that has had its provisional name for minutes, because its host was killed just then.
    private func removeIfAbandoned(_ path: String) {
        guard let stamp = FileStamp(of: path), stamp.modified < Clock.systemNanoseconds() - 120_000_000_000 else {
            return
        }
        unlink(path)
    }

    /// Connects to a host, and removes the socket if its host has ended.
    ///
    /// If the host does not accept connections, this waits for it at most as many milliseconds as the limit.
    ///
    /// - Returns: A nonblocking descriptor; nil if the host has ended.
    /// - Throws: Why the host cannot be reached.
    package static func connect(_ socket: Socket, limit: Int32) throws(Problem) -> Int32? {
        let descriptor = csystem_connect(socket.path, limit)
        guard descriptor < 0 else { return descriptor }
        switch -descriptor {
        case ENOENT: return nil
        case ECONNREFUSED where isDead(socket):
            unlink(socket.path)
            return nil
        case EAGAIN, ETIMEDOUT, ECONNREFUSED: throw Problem(description: "it does not accept connections")
        case let number: throw Problem(description: explanation(number, socket.path))
        }
    }

    /// Whether the host of a socket that refused a connection has ended.
    private static func isDead(_ socket: Socket) -> Bool {
        #if os(Linux)
        return true
        #else
        // A host that has not accepted the connections before refuses further ones too.
        return kill(socket.pid, 0) != 0 && errno == ESRCH
        #endif
    }
}
