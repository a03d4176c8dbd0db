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

    @Option(help: ArgumentHelp("A folder of extension bundles; may be given several times.", valueName: "dir"))
    var plugins: [String] = []

    @Option(help: ArgumentHelp("The folder of the suites.", valueName: "dir"))
    var data: String?

    @Option(help: "The suite of requests that name none.")
    var suite = HostConfiguration.defaults.defaultSuite

    @Option(help: ArgumentHelp("Fixes the clock: RFC 3339 with a zone; it moves 1 ms a reading.", valueName: "time"))
    var clock: String?

    @Option(help: "Fixes chance, so that the same session gives the same bytes.")
    var seed: UInt64?

    @Option(help: "The locale of notifications that name none.")
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

    @Flag(help: "Lets the service extension fetch attachments, into a private folder that goes with the host.")
    var fetchAttachments = false

    @Option(help: ArgumentHelp("The greatest length of a line.", valueName: "bytes"))
    var lineLimit = HostConfiguration.defaults.lineLimit

    @Option(help: ArgumentHelp("Past so much unread output the client's lines wait.", valueName: "bytes"))
    var outputLimit = HostConfiguration.defaults.outputLimit

    @Option(help: "Past so many notifications that are shown the oldest presentation ends.")
    var presentations = HostConfiguration.defaults.presentations

    @Option(help: "The greatest number of pending records in a suite.")
    var suiteRecords = Int(HostConfiguration.defaults.suiteRecords)

    @Option(help: "The greatest size of what a suite holds, records and keys of store, in bytes.")
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

    /// What `pushhost replay` confines a session to.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var filesWithin: String?

    func validate() throws {
        try check("line-limit", lineLimit, in: 1...1 << 30)
        try check("output-limit", outputLimit, in: 1...Int.max >> 1)
        try check("presentations", presentations, in: 1...1_000_000)
        try check("suite-records", suiteRecords, in: 0...Int.max)
        try check("suite-bytes", suiteBytes, in: 0...Int.max)
        try check("idempotency-keys", idempotencyKeys, in: 1...Int.max)
        try check("idempotency-days", idempotencyDays, in: 0...36_500)
        try validateData()
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
    }

    /// Refuses a data folder that is not a folder; the first save makes one that is missing.
    private func validateData() throws {
        var isFolder: ObjCBool = false
        guard let data, FileManager.default.fileExists(atPath: data, isDirectory: &isFolder), !isFolder.boolValue else {
            return
        }
        throw ValidationError("--data \(data): it is no folder")
    }

    func run() throws {
        // Before anything else is opened: it would get the number of a missing one.
        EventLoop.fillStandardDescriptors()
        if let problem = DescriptorSupply.prepare() {
            FileHandle.standardError.write(Data("Error: \(problem)\n".utf8))
            throw ExitCode(EX_OSERR)
        }
        // Extensions run as the same user, and what is in our environment may be meant for one of them alone.
        csystem_hide_memory()
        let folders = StandardFolders()
        var settings = HostConfiguration(
            dataFolder: data.map(folders.absolute) ?? folders.data,
            pluginFolders: plugins.isEmpty ? folders.plugins : plugins.map(folders.absolute),
            hostFolder: folders.host
        )
        settings.pluginFoldersAreNamed = !plugins.isEmpty
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
        extensions.set(&settings)
        try delivery.set(&settings, folders)
        limits.set(&settings)
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
}
