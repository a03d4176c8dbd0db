internal import ArgumentParser
internal import CSystem
internal import Configuration
internal import Foundation
internal import HostCore
internal import Logging
internal import Platform
internal import Recording

extension SessionOptions {
    /// Serves the client on stdin and stdout until the session ends, and then ends the process.
    ///
    /// - Parameter tune: Changes the configuration as the other options say.
    /// - Throws: The process's exit code, or what an option does not allow.
    func serve(tune: (inout HostConfiguration, StandardFolders) throws -> Void = { _, _ in }) throws {
        if let problem = DescriptorSupply.prepare() {
            Terminal.writeError("\(problem)")
            throw ExitCode(EX_OSERR)
        }
        // Extensions run as the same user, and a secret in our environment may be meant for only one of them.
        csystem_hide_memory()
        let folders = StandardFolders()
        let temporary = isEphemeral ? try temporaryFolder() : nil
        defer { temporary?.remove() }
        var settings = HostConfiguration(
            dataFolder: temporary?.path ?? data.map(StandardFolders.absolute) ?? folders.data,
            pluginFolders: plugins.isEmpty ? folders.plugins : plugins.map(StandardFolders.absolute),
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
            Terminal.writeToError(Self.terminalHint + "\n")
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
            Terminal.writeToError(text)
            throw ExitCode(EX_CANTCREAT)
        }
    }

    /// Makes the recorder if the option asks for one, and fixes the random seed so that a replay repeats it.
    ///
    /// - Parameters:
    ///   - settings: The configuration of the host; receives the seed.
    ///   - folders: The standard folders.
    ///   - logger: Receives a warning if a replay cannot give the same result.
    /// - Returns: The recorder; nil without the option.
    /// - Throws: Why the file cannot be written.
    private func recorder(
        _ settings: inout HostConfiguration,
        _ folders: StandardFolders,
        _ logger: Logger
    ) throws -> Recorder? {
        guard let path = record.map(StandardFolders.absolute) else { return nil }
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
