internal import ArgumentParser
internal import Configuration
internal import Delivering
internal import HostClient
internal import HostCore
internal import Logging
internal import Platform

/// Delivers the records of a source to a destination, without a client.
struct RelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Deliver from a queue to a destination, as a service.",
        prose: """
            It pulls records from a source, such as a stream of NATS, and delivers them by the rules of a flush until a \
            signal stops it. Several relays may share a source: each record belongs to one of them, and all together \
            stay within the rate limit of the destination.

            SIGTERM or SIGINT stops it: it finishes the batches in flight and gives the other records back. A second \
            signal ends it at once; the records in flight then come again as possibly sent.

            With --check it takes no record: it prints a line for each thing that a relay needs, such as the queue, the \
            destination's key and the files with secrets, and exits.
            """,
        examples: [
            "pushhost relay --from nats --to braze --metrics-port 9464",
            "pushhost relay --from nats --to file --plugins plugins/nats",
            "pushhost relay --from nats --to braze --check",
        ],
        exitCodes: """
            0 after a signal, or after --check without errors; 1 after --check with errors; 64 for a wrong command line; 71 if \
            the system refuses it files or pipes; 128+n after a second signal n.
            """
    )

    @Option(
        help: ArgumentHelp("Pull from this source: the name that a bundle declares.", valueName: "name"),
        completion: Completions.sources
    )
    var from: String

    @Option(
        help: ArgumentHelp("Deliver to this destination: file, or the name that a bundle declares.", valueName: "name"),
        completion: Completions.destinations
    )
    var to: String

    @Option(
        help: ArgumentHelp("A folder of extension bundles; may be given several times.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @Option(
        help: ArgumentHelp("Put the file of the destination `file` in this folder.", valueName: "dir"),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Log from this level: trace, debug, info, notice, warning, error, critical.",
            valueName: "level"
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel = Logger.Level.warning.rawValue

    @Option(
        help: ArgumentHelp("The form of log lines: text for people, json for programs.", valueName: "form"),
        completion: .list(LogFormat.allCases.map(\.rawValue))
    )
    var logFormat = LogFormat.text.rawValue

    @Option(
        help: ArgumentHelp(
            "Answer /metrics, /healthz and /readyz at this port of 127.0.0.1; 0 takes a free one and logs it.",
            valueName: "port"
        )
    )
    var metricsPort: UInt16?

    @Flag(help: "Only check what the relay needs, a line for each check.")
    var check = false

    /// For tests, as of `serve`.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var record: String?

    /// For tests, as of `serve`.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var clock: String?

    /// For tests, as of `serve`.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var seed: UInt64?

    @OptionGroup(title: "Delivery")
    var delivery: DestinationOptions

    @OptionGroup(title: "Tuning: extensions")
    var sandbox: SandboxOptions

    @OptionGroup(title: "Tuning: extensions")
    var extensions: ExtensionOptions

    private var host: HostRun {
        HostRun(
            plugins: plugins,
            data: data,
            logLevel: logLevel,
            logFormat: logFormat,
            record: record,
            clock: clock,
            seed: seed
        )
    }

    func validate() throws {
        if to == "caller" { throw ValidationError("--to caller: a relay has no caller; name a destination") }
        try host.validate()
        try sandbox.validate(serviceDeadline: extensions.serviceDeadline)
    }

    private func runCheck() throws {
        var host = try HostOptions.parse(sandbox.serveArguments)
        (host.data, host.plugins) = (data, plugins)
        let code: Int32
        do throws(ClientError) {
            let file = delivery.deliverFile.map { ["--deliver-file", Paths.absolute($0)] } ?? []
            let check = RelayCheck(source: from, destination: to, host: host, arguments: file, port: metricsPort)
            code = try check.run(CommandContext.current.makeSignals())
        } catch {
            if case .interrupted(let signal) = error { throw ExitCode(128 + signal) }
            console.writeError(error.text)
            code = 1
        }
        guard code == 0 else { throw ExitCode(code) }
    }

    private static func listen(_ port: UInt16) throws -> LoopbackListener {
        do {
            return try LoopbackListener(port: port)
        } catch {
            throw ValidationError(
                "--metrics-port \(port): 127.0.0.1:\(port) cannot be used: \(error); name another port"
            )
        }
    }

    func run() throws {
        guard !check else { return try runCheck() }
        try host.run { settings, _ in
            sandbox.apply(to: &settings)
            extensions.apply(to: &settings)
            delivery.apply(to: &settings)
            settings.relay = RelaySettings(source: from, destination: to)
            if let names = settings.knownSources(ifMissing: from) {
                let known = names.isEmpty ? "none in the folders of --plugins" : names.joined(separator: ", ")
                throw ValidationError("--from \(from): there is no such source; known sources: \(known)")
            }
            if let names = settings.knownDestinations(ifMissing: to) {
                let known = names.joined(separator: ", ")
                throw ValidationError("--to \(to): there is no such destination; there are \(known)")
            }
            settings.relay?.listener = try metricsPort.map(Self.listen)
        }
    }
}
