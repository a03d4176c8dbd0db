internal import ArgumentParser
internal import Foundation
internal import HostClient
internal import HostCore
internal import Notifications
internal import Recording
internal import Terminal

/// Runs recorded sessions again and reports differences.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs recorded sessions again and compares.",
        discussion: """
            A session is what --record wrote, or a file of request lines, session.jsonl, with its replies in \
            session.replies.jsonl beside it. Each runs with the recorded options, clock and seed and a fresh data \
            folder, and a recording says which bundles run: replay only what you trust. importSuite and exportSuite \
            use files in a folder of the run only, unless --allow-files is given.

            Exit codes: 0 if nothing differs, 1 if anything does, 64 for a wrong command line, 66 for a file that is \
            not a session.
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

    /// Where the extensions' messages come from.
    enum Extensions: String, ExpressibleByArgument, CaseIterable {
        /// The bundles, which the host starts.
        case run
        /// The recording, which is played back.
        case recorded
    }

    @Argument(help: ArgumentHelp("Sessions; a file of replies means its session.", valueName: "file"))
    var files: [String]

    @Option(help: "strict, id or subset; by default strict if the session was recorded in lock-step, otherwise id.")
    var mode: Mode?

    @Option(help: "run: start the bundles; recorded: play the recorded extensions.")
    var extensions: Extensions = .run

    @Option(
        help: ArgumentHelp("A folder of bundles in place of the recorded ones; repeats.", valueName: "dir")
    )
    var plugins: [String] = []

    @Option(
        help: ArgumentHelp(
            "A member that is not compared: a name, or a JSON Pointer into messages, in which * matches any member.",
            valueName: "member"
        )
    )
    var volatile: [String] = []

    @Flag(help: "Records the sessions again instead of comparing.")
    var update = false

    @Flag(help: "Lets importSuite and exportSuite use any file, as in the recorded session.")
    var allowFiles = false

    func validate() throws {
        if extensions == .recorded, update || !plugins.isEmpty {
            throw ValidationError("--extensions recorded starts no bundle: leave out --update and --plugins")
        }
    }

    func run() throws {
        EventLoop.fillStandardDescriptors()
        let folders = StandardFolders()
        let signals = SignalSource()
        let names = names(folders)
        // The locks come before the reading, so that no host can change a file between reading and replacing it.
        let locks = names.map { name in
            Result { () throws(ClientError) in update ? try SessionLock(path: name) : nil }
        }
        defer { withExtendedLifetime(locks) {} }
        let sessions = try names.map(load)
        let glyphs: Glyphs =
            TerminalCapabilities(environment: ProcessInfo.processInfo.environment).isUTF8 ? .unicode : .ascii
        var failures = 0
        for (session, lock) in zip(sessions, locks) {
            let report: SessionReport
            do throws(ClientError) {
                _ = try lock.get()
                report = try replay(
                    session,
                    SessionRun(session, folders: folders, signals: signals, mayUseFiles: allowFiles),
                    folders
                )
            } catch {
                switch error {
                case .interrupted(let signal): throw ExitCode(128 + signal)
                case .failed, .refused: report = SessionReport(session, failure: error.text)
                }
            }
            print(report.text(glyphs))
            if !report.isGood { failures += 1 }
        }
        if failures > 0 { print("\(failures) of \(sessions.count) sessions differ or failed") }
        throw ExitCode(failures == 0 ? 0 : 1)
    }

    /// The sessions' files, each once, in the order in which they were named.
    private func names(_ folders: StandardFolders) -> [String] {
        var names: [String] = []
        for file in files.map(folders.absolute) {
            let name = RecordedSession.requests(ofReplies: file) ?? file
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func load(_ path: String) throws -> RecordedSession {
        do throws(RecordedSession.Problem) {
            return try RecordedSession(path: path, mayLackReplies: update)
        } catch {
            FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
            throw ExitCode(EX_NOINPUT)
        }
    }

    private func replay(
        _ session: RecordedSession,
        _ run: SessionRun,
        _ folders: StandardFolders
    ) throws(ClientError) -> SessionReport {
        let plugins = plugins.map(folders.absolute)
        let (replayed, text) = try run.run(plugins: plugins, extensionsAreRecorded: extensions == .recorded)
        if update {
            return SessionReport(session, isChanged: try session.update(with: replayed, text: text, plugins: plugins))
        }
        var settings = session.settings
        settings.volatile += volatile
        let mode = mode ?? (settings.isLockStep ? .strict : .id)
        return SessionReport(session, replayed: replayed, mode: mode, VolatileMembers(settings))
    }
}
