internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostCore
internal import Logging
internal import Platform

/// Serves one client on stdin and stdout.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a client on stdin and stdout (the default)."
    )

    @Option(help: ArgumentHelp("A folder of extension bundles; repeats.", valueName: "dir"))
    var plugins: [String] = []

    @Option(help: ArgumentHelp("The folder of the suites.", valueName: "dir"))
    var data: String?

    @Flag(help: "Keeps the suites in a temporary folder, which is deleted when the host ends.")
    var ephemeral = false

    @Option(help: "The suite of requests that do not name one.")
    var suite = HostConfiguration.defaults.defaultSuite

    @Option(
        help: ArgumentHelp(
            "Fixes the clock to an RFC 3339 time with a zone; each reading advances it by 1 ms.",
            valueName: "time"
        )
    )
    var clock: String?

    @Option(help: "Fixes the random generator, so that the same session gives the same bytes.")
    var seed: UInt64?

    @Option(help: "The locale of notifications that do not name one.")
    var locale = HostConfiguration.defaults.locale

    @Option(help: "Log from this level: trace, debug, info, notice, warning, error, critical.")
    var logLevel: String = "warning"

    @OptionGroup var recording: RecordingOptions

    @OptionGroup(title: "Extensions")
    var extensions: ExtensionOptions

    @OptionGroup(title: "Delivery")
    var delivery: DeliveryOptions

    @OptionGroup(title: "Limits of records")
    var limits: LimitOptions

    @Flag(
        help: "Lets the service extension fetch attachments into a private folder, which is deleted when the host ends."
    )
    var fetchAttachments = false

    @Option(help: ArgumentHelp("The maximum length of a line.", valueName: "bytes"))
    var lineLimit = HostConfiguration.defaults.lineLimit

    @Option(help: ArgumentHelp("While more output than this is unread, the client's lines wait.", valueName: "bytes"))
    var outputLimit = HostConfiguration.defaults.outputLimit

    @Option(help: "The maximum number of presentations; one more ends the oldest.")
    var presentations = HostConfiguration.defaults.presentations

    @Option(help: "The maximum number of pending records in a suite.")
    var suiteRecords = Int(HostConfiguration.defaults.suiteRecords)

    @Option(help: "The maximum size of a suite's records and stored keys, in bytes.")
    var suiteBytes = Int(HostConfiguration.defaults.suiteBytes)

    @Option(
        help: ArgumentHelp(
            "How many of the newest idempotency keys a suite keeps, however old they are.",
            valueName: "n"
        )
    )
    var idempotencyKeys = HostConfiguration.defaults.idempotencyKeys

    @Option(
        help: ArgumentHelp(
            "For how many days a suite keeps an idempotency key, however many newer ones there are.",
            valueName: "n"
        )
    )
    var idempotencyDays = HostConfiguration.defaults.idempotencyDays

    /// The only folder in which `importSuite` and `exportSuite` may use files; `pushhost replay` sets it.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var filesWithin: String?

    func validate() throws {
        try requireOption("line-limit", lineLimit, in: 1...1 << 30)
        try requireOption("output-limit", outputLimit, in: 1...Int.max >> 1)
        try requireOption("presentations", presentations, in: 1...1_000_000)
        try requireOption("suite-records", suiteRecords, in: 0...Int.max)
        try requireOption("suite-bytes", suiteBytes, in: 0...Int.max)
        try requireOption("idempotency-keys", idempotencyKeys, in: 1...Int.max)
        try requireOption("idempotency-days", idempotencyDays, in: 0...36_500)
        try validateData()
        try requireLocale(locale)
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
    }

    /// Throws an error if the data folder cannot be one; the first save creates a missing one.
    private func validateData() throws {
        if ephemeral, data != nil {
            throw ValidationError("--ephemeral: its suites are in a temporary folder; leave out --data")
        }
        if let data { try requireFolder("data", data) }
    }

    func run() throws { try reportingUsage(of: Serve.self, serve) }

    private func serve() throws {
        // Before anything else is opened, because that would get the number of a missing standard descriptor.
        EventLoop.fillStandardDescriptors()
        if let problem = DescriptorSupply.prepare() {
            FileHandle.standardError.write(Data("Error: \(problem)\n".utf8))
            throw ExitCode(EX_OSERR)
        }
        // Extensions run as the same user, and a secret in our environment may be meant for only one of them.
        csystem_hide_memory()
        let folders = StandardFolders()
        let temporary = ephemeral ? try temporaryFolder() : nil
        defer { temporary?.remove() }
        var settings = HostConfiguration(
            dataFolder: temporary?.path ?? data.map(folders.absolute) ?? folders.data,
            pluginFolders: plugins.isEmpty ? folders.plugins : plugins.map(folders.absolute),
            hostFolder: folders.host
        )
        settings.pluginFoldersAreNamed = !plugins.isEmpty
        settings.program = folders.program
        settings.environment = folders.extensionEnvironment
        settings.hostEnvironment = folders.environment
        settings.clock = try clock.map { text in
            guard let time = Timestamp.parse(text) else {
                throw ValidationError("--clock \(text): an RFC 3339 time with a zone is needed")
            }
            return time
        }
        settings.seed = seed
        settings.isLockStep = clock != nil || seed != nil
        if let rule = settings.setDefaultSuite(suite) {
            throw ValidationError("--suite \(suite): a suite name is \(rule)")
        }
        settings.locale = locale
        settings.filesFolder = filesWithin
        settings.lineLimit = lineLimit
        settings.outputLimit = outputLimit
        settings.presentations = presentations
        settings.suiteRecords = Int64(suiteRecords)
        settings.suiteBytes = Int64(suiteBytes)
        settings.idempotencyKeys = idempotencyKeys
        settings.idempotencyDays = idempotencyDays
        extensions.apply(to: &settings)
        try delivery.apply(to: &settings, folders)
        limits.apply(to: &settings)
        settings.fetchesAttachments = fetchAttachments
        guard let level = Logger.Level(rawValue: logLevel) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--log-level \(logLevel): it must be one of \(known)")
        }
        let sink = LogSink(descriptor: 2)
        let logger = Logger(label: "pushhost") { SinkLogHandler(label: $0, level: level, sink: sink) }
        try delivery.validateDestination(settings)
        let recorder = try recording.recorder(&settings, folders, logger)
        let code = EventLoop(configuration: settings, logger: logger, logSink: sink, recorder: recorder).run()
        throw ExitCode(code)
    }

    private func temporaryFolder() throws -> TemporaryFolder {
        do {
            return try TemporaryFolder(prefix: "pushhost-suites")
        } catch {
            let text = "Error: --ephemeral: no folder can be made in \(TemporaryFolder.parent): \(error)\n"
            FileHandle.standardError.write(Data(text.utf8))
            throw ExitCode(EX_CANTCREAT)
        }
    }
}
