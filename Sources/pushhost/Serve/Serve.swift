internal import ArgumentParser
internal import Configuration
internal import HostCore
internal import Logging

/// Serves one client on stdin and stdout.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a client on stdin and stdout.",
        prose: """
            The client sends JSON-RPC 2.0 requests, one per line, and gets the replies in the same form. The log goes \
            to stderr. You can leave out the word serve.

            Environment:
              XDG_DATA_HOME        The suites are in its subfolder pushhost, bundles in
                                   pushhost/plugins. Default: ~/.local/share.
              BRAZE_REST_ENDPOINT, BRAZE_API_KEY or BRAZE_CREDENTIALS, BRAZE_APP_ID
                                   For the destination braze: the host, the key
                                   or a file with it, and the app.
              TMPDIR               The folder for temporary files. Each extension
                                   gets a folder of its own in it.
              XDG_RUNTIME_DIR      The sockets for control connections are in its
                                   subfolder pushhost. Default: /tmp/pushhost-<uid>.
            Extensions get HOME, LANG, LC_*, PATH, TMPDIR and TZ. Destinations also get the variables that their \
            bundles name.
            """,
        examples: [
            "pushhost --plugins plugins",
            "pushhost --plugins plugins --data suites --record bug.jsonl",
            #"echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | pushhost"#,
        ],
        exitCodes: """
            0 after the end of input or shutdown, 64 for a wrong command line, 71 if the system refuses it files or \
            pipes, 73 if --ephemeral cannot make its folder, 74 if stdin cannot be read or stdout cannot be written, 128+n after \
            signal n.
            """
    )

    // No group has groups in it: a debug program checks a group once more for each check of the one around it.
    @OptionGroup(title: "Everyday options")
    var everyday: EverydayOptions

    @OptionGroup(title: "Further options")
    var further: FurtherOptions

    @OptionGroup(title: "Further options")
    var app: AppOption

    @OptionGroup(title: "Delivery")
    var delivery: DeliveryOptions

    @OptionGroup(title: "Delivery")
    var destination: DestinationOptions

    @OptionGroup(title: "Tuning: extensions")
    var sandbox: SandboxOptions

    @OptionGroup(title: "Tuning: extensions")
    var extensions: ExtensionOptions

    @OptionGroup(title: "Tuning: limits")
    var limits: LimitOptions

    @OptionGroup(title: "Tuning: limits")
    var capacity: CapacityOptions

    private var host: HostRun {
        HostRun(
            plugins: everyday.plugins,
            data: everyday.data,
            isEphemeral: further.ephemeral,
            logLevel: everyday.logLevel,
            logFormat: further.logFormat,
            record: everyday.record,
            clock: further.clock,
            seed: further.seed
        )
    }

    func validate() throws {
        try host.validate()
        if further.locale != HostConfiguration.defaults.locale { try requireLocale(further.locale) }
        if further.ephemeral, everyday.data != nil {
            throw ValidationError("--ephemeral: its suites are in a temporary folder; leave out --data")
        }
        try sandbox.validate(serviceDeadline: extensions.serviceDeadline)
    }

    func run() throws {
        try host.run { settings, _ in
            if let rule = settings.setDefaultSuite(everyday.suite) {
                throw ValidationError("--suite \(everyday.suite): a suite name is \(rule)")
            }
            further.apply(to: &settings)
            settings.appFolder = app.app
            sandbox.apply(to: &settings)
            extensions.apply(to: &settings)
            destination.apply(to: &settings)
            try delivery.apply(to: &settings)
            limits.apply(to: &settings)
            capacity.apply(to: &settings)
            try delivery.validateDestination(settings)
        }
    }
}

/// The options of `serve` that most people need.
struct EverydayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Find extension bundles in this folder; repeat for more.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @Option(help: ArgumentHelp("Keep the suites in this folder.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("Use this suite for requests that do not name one.", valueName: "name"),
        completion: Completions.suites
    )
    var suite = HostConfiguration.defaults.defaultSuite

    @Option(
        help: ArgumentHelp(
            "Record every line to and from the client and the extensions, for pushhost replay.",
            valueName: "file"
        ),
        completion: .file()
    )
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Log from this level: trace, debug, info, notice, warning, error, critical.",
            valueName: "level"
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel = Logger.Level.warning.rawValue
}

/// The options of `serve` that change how a session runs.
struct FurtherOptions: ParsableArguments {
    @Flag(help: "Keep the suites in a temporary folder, deleted when the host ends unless SIGKILL ends it.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp("Write log lines as text for people or json for programs.", valueName: "form"),
        completion: .list(LogFormat.allCases.map(\.rawValue))
    )
    var logFormat = LogFormat.text.rawValue

    @Option(help: ArgumentHelp("Use this locale for notifications that do not name one.", valueName: "name"))
    var locale = HostConfiguration.defaults.locale

    @Option(
        help: ArgumentHelp(
            "Start a fixed clock at this RFC 3339 time with a zone; each reading advances it by 1 ms.",
            valueName: "time"
        )
    )
    var clock: String?

    @Option(
        help: ArgumentHelp("Fix the random generator, so that the same session gives the same bytes.", valueName: "n")
    )
    var seed: UInt64?

    @Flag(
        help: "Let the service extension fetch attachments into a private folder, which is deleted when the host ends."
    )
    var fetchAttachments = false

    @Flag(help: "Accept no control connections; pushhost extensions reload then does not reach the host.")
    var noControl = false

    /// The only folder in which `importSuite`, `exportSuite` and `backUpSuite` may use files; `pushhost replay` sets it.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var filesWithin: String?

    /// Copies the options that only `serve` has into the configuration.
    func apply(to settings: inout HostConfiguration) {
        settings.locale = locale
        settings.fetchesAttachments = fetchAttachments
        settings.filesFolder = filesWithin
        if noControl { settings.controlFolder = nil }
    }
}
