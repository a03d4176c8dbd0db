internal import ArgumentParser
internal import CSystem
internal import Configuration
internal import Foundation
internal import HostCore
internal import Logging
internal import Platform
internal import Recording

/// The values of the everyday and further options of `serve`.
///
/// If a command line has no other options, the program reads it itself: to build the argument parser's descriptions of
/// all options, and to look up their conformances, takes more than half of the time to the first reply. The parser
/// remains the only source of errors and help, and reads every other command line.
struct SessionOptions: Equatable {
    var plugins: [String] = []
    var data: String?
    var suite = HostConfiguration.defaults.defaultSuite
    var record: String?
    var logLevel = "warning"
    var logFormat = LogFormat.text.rawValue
    var isEphemeral = false
    var locale = HostConfiguration.defaults.locale
    var clock: String?
    var seed: UInt64?
    var fetchesAttachments = false
    var hasNoControl = false
    var filesWithin: String?

    /// The defaults.
    init() {}

    /// The options that a command line gives.
    ///
    /// nil if the argument parser must read the words: they have another option, a mistake, or a form whose meaning
    /// depends on the parser's rules, such as a repeated option.
    init?(words: [String]) {
        var rest = words[...]
        if rest.first == "serve" { rest.removeFirst() }
        // A set would have to find out how strings are hashed, which takes longer than all else here.
        var names: [String] = []
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts.first ?? ""
            guard !names.contains(name) || name == "--plugins" else { return nil }
            names.append(name)
            if parts.count == 1, set(name) { continue }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty, !value.hasPrefix("-"),
                set(name, to: value)
            else { return nil }
        }
        do { try validate() } catch { return nil }
    }

    /// Sets a flag.
    private mutating func set(_ name: String) -> Bool {
        switch name {
        case "--ephemeral": isEphemeral = true
        case "--fetch-attachments": fetchesAttachments = true
        case "--no-control": hasNoControl = true
        default: return false
        }
        return true
    }

    /// Sets an option that has a value.
    private mutating func set(_ name: String, to value: String) -> Bool {
        switch name {
        case "--plugins": plugins.append(value)
        case "--data": data = value
        case "--suite": suite = value
        case "--record": record = value
        case "--log-level": logLevel = value
        case "--locale": locale = value
        case "--log-format": logFormat = value
        case "--clock": clock = value
        case "--files-within": filesWithin = value
        case "--seed":
            guard let number = UInt64(value) else { return false }
            seed = number
        default: return false
        }
        return true
    }

    // MARK: The configuration

    /// Throws the error of the command line.
    func validate() throws {
        if let data { try requireFolder("data", data) }
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
        if locale != HostConfiguration.defaults.locale { try requireLocale(locale) }
        if isEphemeral, data != nil {
            throw ValidationError("--ephemeral: its suites are in a temporary folder; leave out --data")
        }
    }

    /// Copies the options into the configuration, except for the folders, which its initializer takes.
    private func apply(to settings: inout HostConfiguration) throws {
        settings.pluginFoldersAreNamed = !plugins.isEmpty
        if let rule = settings.setDefaultSuite(suite) {
            throw ValidationError("--suite \(suite): a suite name is \(rule)")
        }
        settings.clock = try clock.map { text in
            guard let time = Timestamp.parse(text) else {
                throw ValidationError("--clock \(text): an RFC 3339 time with a zone is needed")
            }
            return time
        }
        settings.seed = seed
        settings.isLockStep = clock != nil || seed != nil
        settings.locale = locale
        settings.filesFolder = filesWithin
        settings.fetchesAttachments = fetchesAttachments
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

    // MARK: Serving

    /// Serves the client on stdin and stdout until the session ends, and then ends the process.
    ///
    /// Before that, `tune` changes the configuration as the other options say.
    ///
    /// - Throws: The process's exit code, or what an option does not allow.
    func serve(tune: (inout HostConfiguration, StandardFolders) throws -> Void = { _, _ in }) throws {
        if let problem = DescriptorSupply.prepare() {
            Console.writeError("\(problem)")
            throw ExitCode(EX_OSERR)
        }
        // Extensions run as the same user, and a secret in our environment may be meant for only one of them.
        csystem_hide_memory()
        let folders = StandardFolders()
        let temporary = isEphemeral ? try temporaryFolder() : nil
        defer { temporary?.remove() }
        var settings = HostConfiguration(
            dataFolder: temporary?.path ?? data.map(Paths.absolute) ?? folders.data,
            pluginFolders: plugins.isEmpty ? folders.plugins : plugins.map(Paths.absolute),
            hostFolder: folders.host
        )
        settings.program = folders.program
        if !hasNoControl { settings.controlFolder = folders.control.path }
        settings.environment = { folders.extensionEnvironment }
        settings.hostEnvironment = { folders.environment }
        try apply(to: &settings)
        let (level, format) = (try level(), try format())
        let sink = LogSink(descriptor: 2)
        let logger = Logger(label: "pushhost") {
            SinkLogHandler(label: $0, level: level, sink: sink, format: format)
        }
        try tune(&settings, folders)
        let recorder = try recorder(&settings, folders, logger)
        if settings.relay == nil, isatty(0) == 1 {
            Console.writeToError(Self.terminalHint + "\n")
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
            Console.writeToError(text)
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
