internal import ArgumentParser
internal import Configuration
internal import HostCore
internal import Logging
internal import Platform
internal import Recording

/// A host in this process, as the options that `serve` and `relay` have in common say.
struct HostRun {
    /// The folders of bundles; empty for the standard ones.
    let plugins: [String]
    /// The folder of the suites; nil for the standard one.
    let data: String?
    /// Whether the suites are in a temporary folder instead.
    var isEphemeral = false
    let logLevel: String
    let logFormat: String
    /// The file of the recording.
    let record: String?
    let clock: String?
    let seed: UInt64?

    /// Throws the error of the command line.
    func validate() throws {
        if let data { try requireFolder("data", data) }
        try requireBundles(plugins)
    }

    /// The form of log lines.
    private func format() throws -> LogFormat {
        guard let format = LogFormat(rawValue: logFormat) else {
            let known = LogFormat.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--log-format \(logFormat): it must be \(known)")
        }
        return format
    }

    /// The lowest level that is logged.
    private func level() throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: logLevel) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--log-level \(logLevel): it must be one of \(known)")
        }
        return level
    }

    /// Runs the host until the session ends, and then ends the process.
    ///
    /// - Parameter tune: Changes the configuration as the command's other options say.
    /// - Throws: The process's exit code, or what an option does not allow.
    func run(tune: (inout HostConfiguration, StandardFolders) throws -> Void) throws {
        if let problem = DescriptorSupply.prepare() {
            console.writeError("\(problem)")
            throw ExitCode(EX_OSERR)
        }
        let folders = StandardFolders()
        let temporary = isEphemeral ? try temporaryFolder() : nil
        defer { temporary?.remove() }
        var settings = HostConfiguration(
            dataFolder: temporary?.path ?? data.map(Paths.absolute) ?? folders.data,
            pluginFolders: plugins.isEmpty ? folders.plugins : plugins.map(Paths.absolute),
            hostFolder: folders.host
        )
        settings.program = folders.program
        settings.controlFolder = folders.control.path
        settings.environment = { folders.extensionEnvironment }
        settings.hostEnvironment = { folders.environment }
        settings.pluginFoldersAreNamed = !plugins.isEmpty
        settings.clock = try clock.map(clockTime)
        settings.seed = seed
        settings.isLockStep = clock != nil || seed != nil
        let (level, format) = (try level(), try format())
        let sink = LogSink(descriptor: 2)
        let logger = Logger(label: "pushhost") {
            SinkLogHandler(label: $0, level: level, sink: sink, format: format)
        }
        try tune(&settings, folders)
        if settings.sandbox == .required, !Sandbox.gaps.isEmpty {
            let gaps = Sandbox.gaps.joined(separator: ", and ")
            console.writeError("--require-sandbox: on this system an extension can \(gaps)")
            throw ExitCode(EX_OSERR)
        }
        let recorder = try recorder(&settings, folders, logger)
        if settings.relay == nil, isatty(0) == 1 {
            console.writeToError(Self.terminalHint + "\n")
        }
        let code = EventLoop(configuration: settings, logger: logger, logSink: sink, recorder: recorder).run()
        throw ExitCode(code)
    }

    /// What to type, for people who start the host at a terminal.
    private static let terminalHint =
        #"Type a request, such as {"jsonrpc":"2.0","id":1,"method":"ping"}; Ctrl-D ends."#

    private func temporaryFolder() throws -> TemporaryFolder {
        do {
            return try TemporaryFolder(prefix: "pushhost-suites")
        } catch {
            let text = "Error: --ephemeral: no folder can be made in \(TemporaryFolder.parent): \(error)\n"
            console.writeToError(text)
            throw ExitCode(EX_CANTCREAT)
        }
    }

    /// Makes the recorder if the option asks for one, and fixes the random seed so that a replay repeats it.
    ///
    /// A warning is logged if a replay cannot give the same result.
    private func recorder(
        _ settings: inout HostConfiguration,
        _ folders: StandardFolders,
        _ logger: Logger
    ) throws -> Recorder? {
        guard let path = record.map(Paths.absolute) else { return nil }
        let seed = settings.seed ?? .random(in: 0...UInt64(Int64.max))
        settings.seed = seed
        var header = RecordingHeader(
            arguments: RecordedArguments(CommandLine.arguments.dropFirst(), folders: folders)
                .relative(toFolderOf: path),
            start: settings.clock ?? Int64(Date().timeIntervalSince1970 * 1_000),
            isClockFixed: settings.clock != nil,
            seed: seed,
            isLockStep: settings.isLockStep
        )
        header.hasEarlierSuites = settings.hasSuites
        if header.hasEarlierSuites {
            let folder = settings.dataFolder
            logger.warning("--record: \(folder) holds suites already, which a replay does not have; use a new --data")
        }
        do throws(Recorder.Problem) {
            return try Recorder(path: path, header: header)
        } catch {
            throw ValidationError("--record \(error)")
        }
    }
}
