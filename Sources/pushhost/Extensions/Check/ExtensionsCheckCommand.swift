internal import ArgumentParser
internal import BundleChecks
internal import CSystem
internal import ExtensionHost
internal import HostClient
internal import HostCore
internal import JSON
internal import Platform

/// Validates a bundle and tests it in a trial run, for its author and for CI.
struct ExtensionsCheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Validate and test bundles: every element and action, wrong input, texts, and the rules of the contract.",
        prose: """
            Name a bundle by its folder or by a payload in it. An executable of a content extension can replace a \
            bundle; its arguments follow after --. A destination gets a batch without records, and the environment \
            variables that it names.
            """,
        examples: [
            "pushhost extensions check plugins/game",
            "pushhost extensions check plugins/* --only notification --only stop",
            "pushhost extensions check ./game --payload game.apns -- --verbose",
        ],
        exitCodes: """
            0 without errors (perhaps with warnings), 1 with errors, 64 for a wrong command line, \
            66 if there is no such bundle or payload.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Bundles (folders with an Info.plist), or an executable and, after --, its arguments.",
            valueName: "bundles"
        ),
        completion: .file()
    )
    var paths: [String]

    @Option(
        help: ArgumentHelp("Start this executable instead of the bundle's.", valueName: "file"),
        completion: .file()
    )
    var executable: String?

    @Option(
        help: ArgumentHelp(
            "Show this payload; by default the bundle's payload.apns, or one for its first category.",
            valueName: "file"
        ),
        completion: .file()
    )
    var payload: String?

    @Option(help: .milliseconds("Wait this long for an answer."))
    var callDeadline: Int = Int(ExtensionLimits().call)

    @Option(help: .milliseconds("Wait this long for the exit after the end of stdin."))
    var stopGrace: Int = Int(ExtensionLimits().stop)

    @Option(help: .milliseconds("Check a bundle for at most this time."))
    var deadline: Int = 600_000

    @Option(help: ArgumentHelp("Run only this step of the trial run; repeat for more.", valueName: "step"))
    var only: [CheckStep] = []

    @Flag(help: "Print the report of each bundle as a line of JSON.")
    var json = false

    @Option(help: "Use this locale for the notification.", completion: Completions.locales)
    var locale: String = "en"

    @OptionGroup var app: AppOption

    @OptionGroup var sandbox: SandboxOptions

    func validate() throws {
        try requireOption("call-deadline", callDeadline, in: 1...86_400_000)
        try requireOption("deadline", deadline, in: 1...86_400_000)
        try requireOption("stop-grace", stopGrace, in: 1...86_400_000)
        try requireLocale(locale)
        if sandbox.phone, !runsBundles {
            throw ValidationError("--phone is for bundles that run their own executable; name bundles only")
        }
        guard bundles.count > 1, payload != nil else { return }
        throw ValidationError("--payload is for one bundle; name only one")
    }

    /// Whether the first path is a bundle that runs its own executable; otherwise arguments follow it.
    private var runsBundles: Bool {
        executable == nil
            && (paths[0].hasSuffix(".apns") || StandardFolders.isFolder(Paths.absolute(paths[0])))
    }
    private var bundles: [String] { runsBundles ? paths : [paths[0]] }
    private var arguments: [String] { runsBundles ? [] : Array(paths.dropFirst()) }

    /// There is nothing to check at a path.
    static var failureCode: Int32 { EX_NOINPUT }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        // A wrong path is refused before the first bundle is run.
        var subjects: [(CheckSubject, folder: String)] = []
        for (index, bundle) in bundles.enumerated() {
            let folder = try root.makeFolder("\(index)")
            let subject = try CheckSubject(
                path: Paths.absolute(bundle),
                arguments: arguments,
                executable: executable.map(Paths.absolute),
                payload: payload.map(Paths.absolute),
                in: folder
            )
            subjects.append((subject, folder))
            if !subject.startsOtherProgram { try sandbox.askAbout([subject.folder], signals) }
        }
        let check = BundleCheck(
            locale: locale,
            hostArguments: app.serveArguments + sandbox.serveArguments,
            hasSandbox: !sandbox.noSandbox,
            allowedBundles: sandbox.allowedBundles,
            callDeadline: callDeadline,
            stopGrace: stopGrace,
            deadline: deadline,
            only: Set(only)
        )
        var hasErrors = false
        for (index, (subject, folder)) in subjects.enumerated() {
            let report = try check.report(on: subject, in: folder, signals)
            hasErrors = hasErrors || report.errors > 0
            if !json, index > 0 { console.print("") }
            if json { console.print(report.json) } else { console.print(report.text) }
        }
        return hasErrors ? 1 : 0
    }

}

/// The check of a bundle: what its files say, then a trial run.
struct BundleCheck {
    var locale = "en"
    /// Further arguments of the hosts.
    var hostArguments: [String] = []
    /// Whether the processes that the check itself starts run in a sandbox, as those of the hosts.
    var hasSandbox = true
    /// The bundles that may have what they declare.
    var allowedBundles: AllowedBundles
    /// The longest times for an answer, for an exit, and for the whole check, in milliseconds.
    var callDeadline = Int(ExtensionLimits().call)
    var stopGrace = Int(ExtensionLimits().stop)
    var deadline = 600_000
    /// The only steps of the trial run; empty for all.
    var only: Set<CheckStep> = []

    /// Checks a bundle.
    ///
    /// - Parameters:
    ///   - subject: The bundle.
    ///   - folder: A temporary folder.
    ///   - signals: The signals that interrupt the check.
    /// - Returns: The findings.
    /// - Throws: A signal, or why nothing could be checked.
    func report(
        on subject: CheckSubject,
        in folder: String,
        _ signals: SignalSource
    ) throws(ClientError) -> CheckReport {
        let report = CheckReport(bundle: subject.title)
        let checks = BundleChecks(folder: subject.folder)
        for finding in checks.propertyLists() { report.add(finding) }
        for finding in BundleChecks(folder: subject.title).links() { report.add(finding) }
        for finding in checks.texts() { report.add(finding) }
        if let bundle = try? ExtensionBundle(folder: subject.folder), !bundle.permissions.isEmpty {
            if hasSandbox, !subject.startsOtherProgram, let problem = allowedBundles.problem(of: bundle) {
                report.addFinding(.error, "permissions", problem.message)
                return report
            }
            report.addFinding(.ok, "permissions", "\(bundle.permissions)")
        }
        let progress = CheckProgress(subject.title, limit: deadline)
        defer { progress.remove() }
        var check = self
        if subject.startsOtherProgram {
            // Nothing declares what that program may do.
            check.hasSandbox = false
            check.hostArguments = hostArguments.filter { $0 != "--require-sandbox" } + ["--no-sandbox"]
        }
        let setup = check.setup(subject.folder, payload: subject.payload, progress)
        try Trial(setup, in: folder, signals, report).run()
        report.addUsage(isLimited: check.hostArguments.contains("--phone"))
        return report
    }

    /// Loads a bundle and starts its extension, and tries nothing else.
    ///
    /// - Parameters:
    ///   - bundle: The folder of the bundle.
    ///   - folder: A temporary folder.
    ///   - signals: The signals that interrupt it.
    ///   - report: Receives the findings.
    /// - Throws: A signal.
    func start(
        _ bundle: String,
        in folder: String,
        _ signals: SignalSource,
        _ report: CheckReport
    ) throws(ClientError) {
        let progress = CheckProgress(bundle, limit: deadline)
        defer { progress.remove() }
        try Trial(setup(bundle, payload: nil, progress), in: folder, signals, report).start()
    }

    private func setup(_ folder: String, payload: String?, _ progress: CheckProgress) -> TrialSetup {
        TrialSetup(
            folder: folder,
            payloadFile: payload,
            locale: locale,
            hostArguments: hostArguments,
            hasSandbox: hasSandbox,
            callDeadline: callDeadline,
            stopGrace: stopGrace,
            named: only,
            folders: StandardFolders(),
            progress: progress
        )
    }
}

/// A step of the trial run; the raw value is the place of its findings.
enum CheckStep: String, CaseIterable, ExpressibleByArgument {
    // MARK: In a host

    /// Shows the notification.
    case notification
    /// Touches every element twice, with and without a value.
    case interact
    /// Presses every action twice, taps the notification itself and dismisses it.
    case response
    /// Plays and pauses media.
    case media
    /// Shows a notification of another thread, and dismisses it.
    case secondNotification = "second-notification"
    /// Shows further notifications of the same thread.
    case sameThread = "same-thread"
    /// Shows the notification in locales for which the bundle has no texts.
    case locale
    /// Shows a payload of the maximum size.
    case largePayload = "large-payload"
    /// Shows the same notification in another process, with the same clock and seed.
    case repeatable
    /// Replaces values of the payload by wrong ones, and omits them.
    case wrongPayload = "wrong-payload"
    /// Enters wrong values: other types, no value, a text that is too long.
    case wrongInput = "wrong-input"
    /// Lets the host refuse everything that the extension saves.
    case refusedSaves = "refused-saves"
    /// Stops the extension.
    case stop

    // MARK: On the extension's own pipes

    /// Sends calls with ids of every kind.
    case ids
    /// Calls a method that the contract does not define.
    case unknownMethod = "unknown-method"
    /// Sends a notification that the contract does not define.
    case unknownNotification = "unknown-notification"
    /// Adds members to params that the contract does not define.
    case unknownMembers = "unknown-members"
    /// Touches elements and presses actions that are not shown.
    case unknownTargets = "unknown-targets"
    /// Sends a line in pieces.
    case pieces
    /// Sends two lines at once.
    case twoLines = "two-lines"
    /// Dismisses a presentation, and then sends calls about it.
    case dismissed
    /// Starts the process with stderr on /dev/null.
    case noStderr = "no-stderr"
    /// Closes its stdin.
    case endOfInput = "end-of-input"
    /// Deactivates the extension, after which no process may be left.
    case deactivate

    /// The steps that ``WireProbes`` performs in a process that the check starts itself.
    static let ofWireProbes: [CheckStep] = [
        .unknownMembers, .ids, .unknownMethod, .unknownNotification, .unknownTargets, .pieces, .twoLines, .dismissed,
        .media, .endOfInput, .noStderr, .deactivate,
    ]
}

/// What a trial run checks, and how.
struct TrialSetup {
    /// The folder of the bundle.
    let folder: String
    /// The file of the payload on the command line; nil if none was named.
    let payloadFile: String?
    let locale: String
    let hostArguments: [String]
    let hasSandbox: Bool
    /// How long the extension may take for an answer, in milliseconds.
    let callDeadline: Int
    /// How long it may take to end, in milliseconds.
    let stopGrace: Int
    /// The steps that the command line names; all are performed if it names none.
    let named: Set<CheckStep>
    let folders: StandardFolders
    let progress: CheckProgress

    /// The steps to perform.
    var steps: Set<CheckStep> { named.isEmpty ? Set(CheckStep.allCases) : named }
}

/// How far a check is: shown on a terminal while it runs, and ended at its deadline.
final class CheckProgress {
    /// How many milliseconds lie between two redraws.
    private static let redraw: Int64 = 100

    /// What is checked.
    private let title: String
    /// The longest time for the check, in milliseconds.
    private let limit: Int64
    private let start = Clock.monotonic()
    private var line = StatusLine()
    private var lastRedraw: Int64 = 0
    private var calls = 0
    /// The method that is called.
    private var current = ""
    /// Whether something was left out because the time was over.
    private(set) var isCut = false

    init(_ title: String, limit: Int) { (self.title, self.limit) = (title, Int64(limit)) }

    /// What the report says if the check was cut.
    var reason: String {
        "the check took longer than \(limit) ms, so the rest of it was left out; raise the limit with --deadline"
    }

    /// Shows that the next call begins.
    ///
    /// - Returns: Whether there is time for it.
    func begin(_ call: String) -> Bool {
        guard Clock.monotonic() - start < limit else {
            isCut = true
            return false
        }
        (calls, current) = (calls + 1, call)
        show()
        return true
    }

    /// Shows what runs, and notices the deadline in the midst of a call.
    ///
    /// - Returns: Whether there is time for more.
    func pass() -> Bool {
        show()
        if Clock.monotonic() - start >= limit { isCut = true }
        return !isCut
    }

    /// Shows what runs, at most ten times a second.
    private func show() {
        let now = Clock.monotonic()
        guard now - lastRedraw >= Self.redraw else { return }
        lastRedraw = now
        line.show("\(title): \(current), call \(calls), \((now - start) / 1_000) s")
    }

    /// Removes what it shows, before something else is printed.
    func remove() { line.remove() }
}
