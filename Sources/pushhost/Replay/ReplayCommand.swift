internal import ArgumentParser
internal import CSystem
internal import HostClient
internal import JSON
internal import Notifications
internal import Platform
internal import Recording
internal import Terminal

/// Runs recorded sessions again and reports differences.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run recorded sessions again and compare the results.",
        prose: """
            A session is a recording (--record), or a file of request lines, session.jsonl, with its replies in \
            session.replies.jsonl beside it. Each runs with the recorded options, clock and seed in a new data \
            folder. A recording determines which bundles run, so replay only recordings that you trust. Without \
            --allow-files, importSuite, exportSuite and backUpSuite use only files in a folder of the run.

            --svg and --cast draw what the session showed when it was recorded: as a film, which is one SVG file that \
            moves without scripts wherever an image is shown, and as an asciicast. Long waits are shortened.

            --json prints one object for each session, and --junit writes a report for CI servers; \
            protocol/reference/recordings.md describes both.
            """,
        examples: [
            "pushhost replay bug.jsonl",
            "pushhost replay protocol/sessions --junit report.xml",
            "pushhost replay session.jsonl --update",
            "pushhost replay session.jsonl --svg film.svg",
        ],
        exitCodes: """
            0 if all sessions are the same, 1 if any differs, 64 for a wrong command line, 66 for a file that is \
            not a session, 73 if the file of --junit, --svg or --cast cannot be written, or if the session shows \
            nothing to draw.
            """
    )

    /// How exactly the replay must agree with the recording.
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        /// Every line to the client, and to and from the extensions, byte for byte and in order.
        case strict
        /// As values: the replies to the client by id, its notifications in order, and what extensions do in any order.
        case id
        /// As `id`, but there may be further members of replies and calls, further notifications and further calls.
        case subset
    }

    @Argument(
        help: ArgumentHelp("Sessions, or folders of sessions; a file of replies means its session.", valueName: "file"),
        completion: .file()
    )
    var files: [String]

    @Option(help: "Compare strictly, by id or as a subset; by default strict if recorded in lock-step, otherwise id.")
    var mode: Mode?

    @Option(
        help: ArgumentHelp("Use these bundles instead of the recorded ones; repeat for more.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @OptionGroup var sandbox: SandboxOptions

    @Option(
        help: ArgumentHelp(
            "Do not compare this member: a name, or a JSON Pointer into messages, in which * matches any member.",
            valueName: "member"
        )
    )
    var volatile: [String] = []

    @Flag(help: "Record the sessions again instead of comparing.")
    var update = false

    @Flag(help: "Print one JSON object for each session.")
    var json = false

    @Option(
        help: ArgumentHelp("Also write the results as JUnit XML for CI servers.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @Flag(help: "Let importSuite, exportSuite and backUpSuite use any file, as in the session.")
    var allowFiles = false

    @OptionGroup(title: "Pictures")
    var pictures: SessionPictures

    func validate() throws {
        guard pictures.useOutput, json else { return }
        throw ValidationError("--json: stdout has the picture; name a file instead of -")
    }

    func run() throws {
        let folders = StandardFolders()
        let signals = CommandContext.current.makeSignals()
        let names = try names()
        if let junit {
            try requireOther("junit", junit, than: names.flatMap { [$0, RecordedSession.replies(ofRequests: $0)] })
        }
        let drawn = try openPictures(names)
        // The locks come before the reading, so that no host can change a file between reading and replacing it.
        let locks = names.map { name in
            Result { () throws(ClientError) in update ? try SessionLock(path: name) : nil }
        }
        defer { withExtendedLifetime(locks) {} }
        var junit = try makeJUnitReport(folders)
        let sessions = try load(names, &junit)
        let glyphs = console.terminal.glyphs
        var failures = 0
        for (session, lock) in zip(sessions, locks) {
            let run = SessionRun(
                session,
                folders: folders,
                signals: signals,
                sandbox.serveArguments,
                mayUseFiles: allowFiles
            )
            let report = try report(session, lock, run, folders)
            say(report, glyphs)
            junit?.add(report, text: report.text(.unicode))
            if !report.isGood { failures += 1 }
        }
        if failures > 0, !json, !pictures.useOutput {
            console.print("\(failures) of \(sessions.count) sessions differ or failed")
        }
        try write(junit)
        if !drawn.isEmpty { try draw(names[0], drawn) }
        throw ExitCode(failures == 0 ? 0 : 1)
    }

    /// Prints a result; on stderr if stdout has a picture.
    private func say(_ report: SessionReport, _ glyphs: Glyphs) {
        if json {
            console.print(report.json)
        } else if pictures.useOutput {
            console.writeToError("\(report.text(glyphs))\n")
        } else {
            console.print(report.text(glyphs))
        }
    }

    // MARK: Pictures

    /// Checks the files of the pictures before anything runs.
    private func openPictures(_ names: [String]) throws -> [PictureFile] {
        guard !pictures.files.isEmpty else { return [] }
        guard names.count == 1 else {
            throw ValidationError("--svg and --cast show one session, and \(names.count) are named; name one")
        }
        let own = names.flatMap { [$0, RecordedSession.replies(ofRequests: $0)] } + [junit].compactMap(\.self)
        for file in pictures.files { try requireOther(file.format.rawValue, file.name, than: own) }
        do throws(ClientError) {
            return try pictures.open()
        } catch {
            throw exit(EX_CANTCREAT, error.text)
        }
    }

    /// Draws the session, which may have been recorded again.
    private func draw(_ name: String, _ files: [PictureFile]) throws {
        do {
            try pictures.write(RecordedSession(path: name), to: files)
        } catch let problem as RecordedSession.Problem {
            throw exit(EX_NOINPUT, problem.description)
        } catch let error as ClientError {
            throw exit(EX_CANTCREAT, error.text)
        }
    }

    // MARK: Replays

    /// Replays one session; an error becomes its result.
    private func report(
        _ session: RecordedSession,
        _ lock: Result<SessionLock?, ClientError>,
        _ run: SessionRun,
        _ folders: StandardFolders
    ) throws -> SessionReport {
        let start = Clock.monotonic()
        var report: SessionReport
        do throws(ClientError) {
            _ = try lock.get()
            report = try replay(session, run, folders)
        } catch {
            switch error {
            case .interrupted(let signal): throw ExitCode(128 + signal)
            case .failed, .refused: report = SessionReport(session, failure: error.text)
            }
        }
        report.milliseconds = Clock.monotonic() - start
        return report
    }

    private func makeJUnitReport(_ folders: StandardFolders) throws -> JUnitReport? {
        do throws(ClientError) {
            return try junit.map { path throws(ClientError) in
                try JUnitReport(of: "replay", path: Paths.absolute(path), relativeTo: Paths.workingFolder)
            }
        } catch {
            throw exit(EX_CANTCREAT, error.text)
        }
    }

    private func write(_ junit: JUnitReport?) throws {
        do throws(ClientError) {
            try junit?.write()
        } catch {
            throw exit(EX_CANTCREAT, error.text)
        }
    }

    /// Reports an error and returns the exit code.
    private func exit(_ code: Int32, _ text: String) -> ExitCode {
        console.writeError(text)
        return ExitCode(code)
    }

    /// The sessions' files, each once, in the order in which they were named.
    private func names() throws -> [String] {
        var names: [String] = []
        for file in try files.flatMap(Self.sessions) {
            let name = RecordedSession.requests(ofReplies: file) ?? file
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The file, or the sessions in the folder.
    private static func sessions(_ file: String) throws -> [String] {
        let path = Paths.absolute(file)
        guard StandardFolders.isFolder(path) else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        let sessions = names.filter { $0.hasSuffix(".jsonl") }.map { "\(path)/\($0)" }
        guard sessions.isEmpty else { return sessions }
        console.writeError("\(file): the folder has no sessions, that is, no files whose names end in .jsonl")
        throw ExitCode(EX_NOINPUT)
    }

    /// Reads every session before any is run.
    private func load(_ paths: [String], _ junit: inout JUnitReport?) throws -> [RecordedSession] {
        var sessions: [RecordedSession] = []
        var end: ExitCode?
        for path in paths {
            do throws(RecordedSession.Problem) {
                sessions.append(try RecordedSession(path: path, mayLackReplies: update))
            } catch {
                end = exit(EX_NOINPUT, error.description)
                junit?.add(path: path, problem: error.description)
            }
        }
        guard let end else { return sessions }
        try write(junit)
        throw end
    }

    private func replay(
        _ session: RecordedSession,
        _ run: SessionRun,
        _ folders: StandardFolders
    ) throws(ClientError) -> SessionReport {
        let plugins = plugins.map(Paths.absolute)
        let (replayed, text) = try run.run(plugins: plugins)
        if update {
            return SessionReport(session, isChanged: try session.update(with: replayed, text: text, plugins: plugins))
        }
        var settings = session.settings
        settings.volatile += volatile
        let mode = mode ?? (settings.isLockStep ? .strict : .id)
        return SessionReport(session, replayed: replayed, mode: mode, VolatileMembers(settings))
    }
}

/// Prevents hosts from recording into the file of a session while it is updated.
///
/// The lock is held until the object is released.
private final class SessionLock {
    private let descriptor: CInt

    /// Acquires the lock that a recording host acquires too; a missing file needs none.
    init(path: String) throws(ClientError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, csystem_lock(descriptor, 1, 0) == -EWOULDBLOCK else { return }
        throw .failed("a host is recording into it; try again when that host has ended")
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A child that is being started may have the descriptor for another moment, and the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
