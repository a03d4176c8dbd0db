internal import CSystem
internal import Foundation
internal import HostCore
internal import Platform

/// A session that runs again, in this very program as a child with folders of its own.
///
/// The host records itself meanwhile, so what is compared is two recordings.
struct SessionRun {
    enum Failure: Error {
        /// A signal asked this process to end.
        case interrupted(Int32)
        /// The session could not be run: a sentence.
        case broken(String)
    }

    /// The bytes without which the folder of a run is full.
    private static let roomNeeded: UInt64 = 256 << 10

    private let session: RecordedSession
    private let folders: StandardFolders
    private let signals: CInt
    private let mayUseFiles: Bool

    /// A run of a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - folders: Where things are.
    ///   - signals: The descriptor of signals to this process; see `csystem_signal_descriptor`.
    ///   - mayUseFiles: Whether it may import and export files outside the folder of the run.
    init(_ session: RecordedSession, folders: StandardFolders, signals: CInt, mayUseFiles: Bool) {
        self.session = session
        self.folders = folders
        self.signals = signals
        self.mayUseFiles = mayUseFiles
    }

    /// Runs the session to its end.
    ///
    /// - Parameters:
    ///   - plugins: The folders of bundles, in place of those that it names, where there are any.
    ///   - extensionsAreRecorded: Whether the recording speaks for the extensions.
    /// - Returns: What was said now, with the text of its recording.
    /// - Throws: Why there is no result.
    func run(plugins: [String], extensionsAreRecorded: Bool) throws(Failure) -> (session: RecordedSession, text: Data) {
        let root = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let result: Result<(session: RecordedSession, text: Data), Failure>
        do {
            result = .success(try run(in: root, plugins: plugins, extensionsAreRecorded: extensionsAreRecorded))
        } catch let failure as Failure {
            if case .interrupted = failure { throw failure }
            result = .failure(failure)
        } catch {
            result = .failure(.broken("it could not be run: \(error)"))
        }
        // The suites are there too: their failures would pass for the session's.
        guard Self.hasRoom(root) else {
            throw .broken("the temporary folder \(NSTemporaryDirectory()) is full; TMPDIR names another")
        }
        return try result.get()
    }

    private func run(
        in root: String,
        plugins: [String],
        extensionsAreRecorded: Bool
    ) throws -> (session: RecordedSession, text: Data) {
        var plugins = plugins
        if extensionsAreRecorded { plugins = try RecordedExtensions(session, root: root, folders).write() }
        try Data(session.input).write(to: URL(fileURLWithPath: "\(root)/input"))
        try FileManager.default.createDirectory(atPath: "\(root)/work", withIntermediateDirectories: false)
        try host(root: root, plugins: plugins)
        guard let text = FileManager.default.contents(atPath: "\(root)/session") else {
            throw Failure.broken("the host recorded nothing; look at the arguments in the header")
        }
        let now = try RecordedSession(path: "\(root)/session")
        guard now.exitCode != nil else {
            let log = Self.log(in: root)
            throw Failure.broken("the host's own recording has no end\(log.isEmpty ? "" : ": \(log)")")
        }
        return (now, text)
    }

    /// The end of what the host logged.
    private static func log(in root: String) -> String {
        let log = FileManager.default.contents(atPath: "\(root)/log") ?? Data()
        return String(decoding: log.suffix(2_000), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether files in a folder could still grow.
    private static func hasRoom(_ folder: String) -> Bool {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return true }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= roomNeeded
    }

    private static func temporaryFolder() throws(Failure) -> String {
        let folder = NSTemporaryDirectory()
        var template = Array("\(folder)pushhost-replay-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path = made else {
            throw Failure.broken("no folder can be made in \(folder): \(String(cString: strerror(errno)))")
        }
        return path
    }

    private func host(root: String, plugins: [String]) throws {
        let settings = session.settings
        var options = RecordedArguments(settings.arguments, folders: folders).absolute(fromFolderOf: session.path)
        if !plugins.isEmpty {
            options = options.filter { !RecordedArguments.namesBundles($0) } + plugins.map { "--plugins=\($0)" }
        }
        options += [
            "--data=\(root)/data", "--clock=\(Timestamp.format(settings.start))", "--seed=\(settings.seed)",
            "--record=\(root)/session",
        ]
        if !mayUseFiles { options.append("--files-within=\(root)/work") }
        let files = [("input", O_RDONLY), ("log", O_WRONLY | O_CREAT | O_EXCL)].map { name, flags in
            open("\(root)/\(name)", flags | O_CLOEXEC, 0o600)
        }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in files + [nowhere] { close(descriptor) } }
        let pid = startChild(
            folders.program,
            options,
            directory: "\(root)/work",
            input: files[0],
            output: nowhere,
            error: files[1]
        )
        guard pid > 0 else { throw Failure.broken("the host cannot be started: \(String(cString: strerror(-pid)))") }
        let end = try wait(for: pid)
        guard end != .code(0) else { return }
        throw Failure.broken("the host ended \(end): \(Self.log(in: root))")
    }

    /// How a process ended.
    private enum End: Equatable, CustomStringConvertible {
        case code(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .code(let code): "with exit code \(code)"
            case .signal(let number): "by signal \(number) (\(String(cString: strsignal(number))))"
            }
        }
    }

    /// Waits for the end of the child; a signal to this process ends it.
    private func wait(for pid: pid_t) throws(Failure) -> End {
        var interruption: Int32?
        while true {
            var status: CInt = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                if let interruption { throw .interrupted(interruption) }
                return status & 0x7F == 0 ? .code((status >> 8) & 0xFF) : .signal(status & 0x7F)
            }
            // The child's end is a signal too.
            var polled = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            var number: UInt8 = 0
            guard poll(&polled, 1, -1) == 1, read(signals, &number, 1) == 1, Int32(number) != SIGCHLD else { continue }
            interruption = Int32(number)
            kill(pid, SIGTERM)
        }
    }
}
