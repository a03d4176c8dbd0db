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
        abstract: "Serves a client on stdin and stdout.",
        discussion: """
            The client sends JSON-RPC 2.0 requests, one per line, and gets the replies in the same form. The log goes \
            to stderr. The word serve may be left out.

            Examples:
              pushhost --plugins plugins
              pushhost --plugins plugins --data suites --record bug.jsonl
              echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | pushhost

            Environment:
              XDG_DATA_HOME        Its folder pushhost has the suites, and bundles in
                                   pushhost/plugins. The default is ~/.local/share.
              BRAZE_REST_ENDPOINT, BRAZE_API_KEY or BRAZE_CREDENTIALS, BRAZE_APP_ID
                                   Only for the destination braze: the host, the key
                                   or a file with it, and the app.
              TMPDIR               The folder for temporary files.
              XDG_RUNTIME_DIR      Its folder pushhost has the sockets for control
                                   connections. Without it, that is /tmp/pushhost-<uid>.
            An extension gets HOME, LANG, LC_*, PATH, TMPDIR and TZ, and a destination also the variables that its \
            bundle names.

            Exit codes: 0 after the end of input or shutdown, 64 for a wrong command line, 71 if too few descriptors \
            can be opened, 73 if --ephemeral cannot make its folder, 74 if stdout cannot be written, 128+n after \
            signal n.
            """
    )

    @OptionGroup(title: "Everyday options")
    var everyday: EverydayOptions

    @OptionGroup(title: "Further options")
    var further: FurtherOptions

    @OptionGroup(title: "Delivery")
    var delivery: DeliveryOptions

    @OptionGroup(title: "Tuning: extensions")
    var extensions: ExtensionOptions

    @OptionGroup(title: "Tuning: limits")
    var limits: LimitOptions

    @OptionGroup(title: "Tuning: limits")
    var capacity: CapacityOptions

    func validate() throws {
        if further.ephemeral, everyday.data != nil {
            throw ValidationError("--ephemeral: its suites are in a temporary folder; leave out --data")
        }
    }

    func run() throws {
        // Before anything else is opened, because that would get the number of a missing standard descriptor.
        EventLoop.fillStandardDescriptors()
        if let problem = DescriptorSupply.prepare() {
            FileHandle.standardError.write(Data("Error: \(problem)\n".utf8))
            throw ExitCode(EX_OSERR)
        }
        // Extensions run as the same user, and a secret in our environment may be meant for only one of them.
        csystem_hide_memory()
        let folders = StandardFolders()
        let temporary = further.ephemeral ? try temporaryFolder() : nil
        defer { temporary?.remove() }
        var settings = HostConfiguration(
            dataFolder: temporary?.path ?? everyday.data.map(folders.absolute) ?? folders.data,
            pluginFolders: everyday.plugins.isEmpty ? folders.plugins : everyday.plugins.map(folders.absolute),
            hostFolder: folders.host
        )
        settings.program = folders.program
        if !further.noControl { settings.controlFolder = folders.control.path }
        settings.environment = folders.extensionEnvironment
        settings.hostEnvironment = folders.environment
        try everyday.apply(to: &settings)
        try further.apply(to: &settings)
        extensions.apply(to: &settings)
        try delivery.apply(to: &settings, folders)
        limits.apply(to: &settings)
        capacity.apply(to: &settings)
        let level = try everyday.level()
        let sink = LogSink(descriptor: 2)
        let logger = Logger(label: "pushhost") { SinkLogHandler(label: $0, level: level, sink: sink) }
        try delivery.validateDestination(settings)
        let recorder = try everyday.recording.recorder(&settings, folders, logger)
        if isatty(0) == 1 { FileHandle.standardError.write(Data((Self.terminalHint + "\n").utf8)) }
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
            FileHandle.standardError.write(Data(text.utf8))
            throw ExitCode(EX_CANTCREAT)
        }
    }
}
