internal import Contract
internal import HostClient
internal import HostCore
internal import JSON
internal import JSONRPC
internal import Platform
internal import Recording

/// Runs a session again in a host that is a child process with folders of its own.
///
/// That host records the session too, so two recordings are compared.
struct SessionRun {
    /// If fewer bytes than this are free, the folder of the run counts as full.
    private static let neededRoom: UInt64 = 256 << 10

    private let session: RecordedSession
    private let folders: StandardFolders
    private let signals: SignalSource
    /// The arguments of `serve` about its sandbox.
    private let sandbox: [String]
    /// Whether the session may import and export files outside the folder of the run.
    private let mayUseFiles: Bool

    init(
        _ session: RecordedSession,
        folders: StandardFolders,
        signals: SignalSource,
        _ sandbox: [String] = [],
        mayUseFiles: Bool
    ) {
        self.session = session
        self.folders = folders
        self.signals = signals
        self.sandbox = sandbox
        self.mayUseFiles = mayUseFiles
    }

    /// Runs the session to its end.
    ///
    /// - Parameter plugins: The folders of bundles in place of the recorded ones; empty to use those.
    /// - Returns: The replayed session and the text of its recording.
    /// - Throws: Why the session could not be run.
    func run(plugins: [String]) throws(ClientError) -> (session: RecordedSession, text: Data) {
        let folder = try TemporaryFolder.create(prefix: "pushhost-replay")
        defer { folder.remove() }
        let root = folder.path
        let result: Result<(session: RecordedSession, text: Data), ClientError>
        do {
            result = .success(try run(in: root, plugins: plugins))
        } catch let failure as ClientError {
            if case .interrupted = failure { throw failure }
            result = .failure(failure)
        } catch {
            result = .failure(.failed("it could not be run: \(SystemError.text(of: error))"))
        }
        // A full folder makes saves fail too, which would look like a difference of the session.
        guard Self.hasRoom(root) else {
            throw .failed("the temporary folder \(TemporaryFolder.parent) is full; name another one with TMPDIR")
        }
        return try result.get()
    }

    private func run(in root: String, plugins: [String]) throws -> (session: RecordedSession, text: Data) {
        try FileManager.default.createDirectory(atPath: "\(root)/work", withIntermediateDirectories: false)
        try runHost(root: root, plugins: plugins)
        guard let text = FileManager.default.contents(atPath: "\(root)/session") else {
            throw ClientError.failed("the host recorded nothing; check the arguments in the header")
        }
        let replayed = try RecordedSession(path: "\(root)/session")
        guard replayed.exitCode != nil else {
            let log = Self.log(in: root)
            throw ClientError.failed("the host's own recording has no end\(log.isEmpty ? "" : ": \(log)")")
        }
        return (replayed, text)
    }

    /// The end of the host's log.
    private static func log(in root: String) -> String {
        let log = FileManager.default.contents(atPath: "\(root)/log") ?? Data()
        return String(String(decoding: log.suffix(2_000), as: UTF8.self).trimmed)
    }

    /// Whether the file system of a folder has enough free space.
    private static func hasRoom(_ folder: String) -> Bool {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return true }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow || bytes >= neededRoom
    }

    private func runHost(root: String, plugins: [String]) throws {
        let settings = session.settings
        var options = RecordedArguments(settings.arguments, folders: folders).absolute(fromFolderOf: session.path)
        if !plugins.isEmpty {
            options = options.filter { !RecordedArguments.namesBundles($0) } + plugins.map { "--plugins=\($0)" }
        }
        options += [
            "--data=\(root)/data", "--clock=\(Timestamp.format(settings.start))", "--seed=\(settings.seed)",
            "--record=\(root)/session",
        ]
        // Who sends a recording does not decide about the sandbox.
        options = options.filter { !(sandbox + ["--no-sandbox"]).contains($0) } + sandbox
        if !mayUseFiles { options.append("--files-within=\(root)/work") }
        let launch = Program(
            path: folders.program,
            arguments: options,
            environment: folders.environment,
            directory: "\(root)/work"
        )
        let end = try ClientInput(session, signals).run(launch, in: root)
        guard end != .code(0) else { return }
        throw ClientError.failed("the host ended \(end.explanation): \(Self.log(in: root))")
    }
}

/// Sends the client's lines of a session to a host.
private struct ClientInput {
    /// How long the host may take to answer `didReceive`, in milliseconds: longer than its own deadlines.
    private static let replyLimit: Int64 = 90_000

    private let session: RecordedSession
    private let signals: SignalSource

    init(_ session: RecordedSession, _ signals: SignalSource) {
        self.session = session
        self.signals = signals
    }

    /// Runs a host to the end of the client's lines; the folder `root` gets the log.
    func run(_ launch: Program, in root: String) throws -> ExitStatus {
        let lines = session.input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        // A recording has the notifications themselves.
        if session.hasExtensions || !lines.contains(where: NotificationReferences.occur) {
            return try runWithFile(launch, in: root)
        }
        return try runWithReferences(launch, lines, in: root)
    }

    /// Runs the host with a file of all lines as its stdin.
    private func runWithFile(_ launch: Program, in root: String) throws -> ExitStatus {
        try Data(session.input).write(to: URL(fileURLWithPath: "\(root)/input"))
        let files = [("input", O_RDONLY), ("log", O_WRONLY | O_CREAT | O_EXCL)].map { name, flags in
            open("\(root)/\(name)", flags | O_CLOEXEC, 0o600)
        }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in files + [nowhere] { close(descriptor) } }
        let program = try ChildProgram(launch, input: files[0], output: nowhere, error: files[1])
        return try program.wait(signals)
    }

    // MARK: References

    /// Runs the host over pipes, because a line with a reference needs the answers to the lines before it.
    private func runWithReferences(_ launch: Program, _ lines: [[UInt8]], in root: String) throws -> ExitStatus {
        let connection = try LineConnection(launch, signals: signals)
        let result: Result<Void, ClientError>
        do throws(ClientError) {
            result = .success(try send(lines, to: connection))
        } catch {
            if case .interrupted = error { connection.program.terminate() }
            result = .failure(error)
        }
        connection.closeInput()
        let (end, interruption) = waitForEnd(of: connection)
        if let interruption { throw interruption }
        if case .failure(let error) = result, case .interrupted = error { throw error }
        try Data(connection.standardError.utf8).write(to: URL(fileURLWithPath: "\(root)/log"))
        // A host that ended early is the cause of an error, and its end says more.
        if end == .code(0) { try result.get() }
        return end
    }

    private func send(_ lines: [[UInt8]], to connection: LineConnection) throws(ClientError) {
        var references = NotificationReferences()
        for (index, line) in lines.enumerated() {
            var line = line
            if NotificationReferences.occur(in: line) {
                try settle(&references, connection)
                do throws(NotificationReferences.Problem) {
                    line = try references.resolve(line, number: index + 1)
                } catch {
                    throw .failed(error.description)
                }
            }
            references.noteSent(line)
            connection.write(line + (index < lines.count - 1 ? [UInt8(ascii: "\n")] : []))
        }
        try connection.waitUntilRead(until: .max)
    }

    /// Waits for the answers to every `didReceive`.
    private func settle(_ references: inout NotificationReferences, _ connection: LineConnection) throws(ClientError) {
        let deadline = Clock.monotonic() + Self.replyLimit
        while !references.isSettled {
            guard let line = try connection.nextLine(until: deadline) else {
                throw .failed(
                    connection.isAtEnd
                        ? "the host ended before it answered didReceive"
                        : "the host did not answer didReceive within \(Self.replyLimit) ms"
                )
            }
            references.noteReceived(line)
        }
    }

    /// Waits for the end; a signal to this process terminates the host first.
    private func waitForEnd(of connection: LineConnection) -> (end: ExitStatus, interruption: ClientError?) {
        var interruption: ClientError?
        while true {
            do throws(ClientError) {
                if let end = try connection.waitForEnd(until: .max) { return (end, interruption) }
            } catch {
                interruption = error
                connection.program.terminate()
            }
        }
    }
}

extension RecordedSession {
    /// Replaces the recorded lines by those of a replay.
    ///
    /// - Parameters:
    ///   - replayed: The session that was run again.
    ///   - text: Its recording.
    ///   - plugins: The folders of bundles that replaced the recorded ones, if any did.
    /// - Returns: Whether anything changed.
    /// - Throws: Why nothing was written.
    func update(with replayed: RecordedSession, text: Data, plugins: [String]) throws(ClientError) -> Bool {
        let replies = replayed.lines.filter { $0.to == Participant.client }
        guard !replies.isEmpty else { throw .failed("the host wrote nothing to the client, so nothing is recorded") }
        var header = settings
        if !plugins.isEmpty {
            header.arguments =
                header.arguments.filter { !RecordedArguments.namesBundles($0) }
                + RecordedArguments.naming(plugins, fromFolderOf: path)
        }
        header.version = ContractDocuments.version
        header.hasEarlierSuites = false
        var bytes: [UInt8] = []
        if hasExtensions || self.header != nil || !plugins.isEmpty { bytes += header.json.bytes + [UInt8(ascii: "\n")] }
        if hasExtensions {
            bytes += text.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        } else {
            for reply in replies { bytes += reply.bytes + [UInt8(ascii: "\n")] }
        }
        let target = URL(fileURLWithPath: repliesPath ?? path).resolvingSymlinksInPath()
        // A file that would differ only in times is left unchanged.
        if let old = try? NamedFile.contents(at: target.path, limit: Self.sizeLimit),
            Self.withoutTimes(old) == Self.withoutTimes(bytes)
        {
            return false
        }
        do {
            try WholeFile.write(Data(bytes), to: target)
        } catch {
            throw .failed("\(target.path) cannot be written: \(SystemError.text(of: error))")
        }
        return true
    }

    /// The lines of a recording without the times with which its records begin.
    private static func withoutTimes(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.starts(with: #"{"t":"#.utf8) ? line.drop { $0 != UInt8(ascii: ",") } : line
        }
    }
}
