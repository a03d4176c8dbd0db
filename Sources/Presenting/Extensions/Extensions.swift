package import Calls
package import Configuration
internal import Contract
package import ExtensionHost
internal import JSON
package import JSONRPC
package import Localization
package import Logging
internal import Notifications
package import Platform
package import Recording

extension Peer: MessageReceiver {}

extension ExtensionProcess: CallingExtension {
    /// The identifier of the bundle.
    package var identifier: String { bundle.identifier }
    package var applicationGroups: [String] { bundle.applicationGroups }
    package var unreadBytes: Int { session?.output.count ?? 0 }
}

/// The bundles and the processes of their extensions.
package final class Extensions {
    package let configuration: HostConfiguration
    private let clock: Clock
    private let logger: Logger
    private let recorder: Recorder?
    private let gate: Gate
    private let dispatcher: Dispatcher
    /// Returns the folder in which the service extension may save attachments; nil if it may not.
    private let attachmentFolder: () -> String?
    private let confinements: Confinements
    /// The methods that an extension may call; connected once, since they need the extensions.
    package var methods: ((ExtensionProcess) -> MethodTable<HostMethod>)!
    /// Is told what happens to the processes; connected once, since a relay needs its source.
    package var observe: ((ExtensionProcess, ExtensionEvent) -> Void)!

    private var loadedCatalog: BundleCatalog?
    private var entries: [String: Entry] = [:]
    /// Extensions whose bundle changed or was removed: they receive no calls and are exiting.
    private var retired: [Entry] = []
    package let family = ProcessFamily()
    private var histories: [String: ExtensionHistory] = [:]

    private typealias Entry = (process: ExtensionProcess, peer: Peer)

    /// The texts of the app that contains the extensions; nil if its folder is not known.
    package private(set) lazy var appStrings = configuration.appFolder.map { LocalizedStrings(folder: $0) }

    /// Every extension that was ever called, and the retired ones that are exiting.
    package let roster = ExtensionRoster()

    /// The processes of the roster.
    package var processes: [ExtensionProcess] { roster.all.map(\.process) }

    /// The peers of the roster.
    package var peers: [Peer] { roster.all.map(\.peer) }

    package init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ logger: Logger,
        _ recorder: Recorder?,
        _ gate: Gate,
        _ dispatcher: Dispatcher,
        attachmentFolder: @escaping () -> String?
    ) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.recorder = recorder
        self.gate = gate
        self.dispatcher = dispatcher
        self.attachmentFolder = attachmentFolder
        confinements = Confinements(configuration, logger)
    }

    /// The extension of a bundle; nil if it was never called.
    package func started(_ bundle: ExtensionBundle) -> ExtensionProcess? { entries[bundle.identifier]?.process }

    /// The history of the extension's processes; nil if none was ever started.
    package func history(_ bundle: ExtensionBundle) -> ExtensionHistory? { histories[bundle.identifier] }

    private func sort() {
        let sorted = entries.sorted { $0.key < $1.key }.map(\.value) + retired
        roster.replace(sorted.map { ExtensionRoster.Member($0.process, $0.peer) })
    }

    /// Reaps child processes; must be called after one ended.
    package func reap(buffer: UnsafeMutableRawBufferPointer) {
        for process in processes { process.reap(buffer: buffer) }
        hasOrphans = family.sweep()
    }

    /// Removes the retired extensions whose processes have ended.
    ///
    /// - Returns: Whether ``onRetired`` was called.
    package func removeEndedRetirees() -> Bool {
        if retired.contains(where: Self.isGone) {
            retired.removeAll(where: Self.isGone)
            sort()
        }
        guard !isRetiring, let onRetired else { return false }
        self.onRetired = nil
        onRetired()
        return true
    }

    /// Whether nothing of an extension is left: a save may still wait for a suite that another process has locked.
    private static func isGone(_ entry: Entry) -> Bool {
        entry.process.pid == nil && entry.peer.isIdle && !entry.peer.hasBacklog
    }

    /// Called once, when no retired process is left.
    fileprivate var onRetired: (() -> Void)?

    /// Whether a retired process is left.
    fileprivate var isRetiring: Bool { retired.contains { $0.process.pid != nil } }

    /// Whether a retired process of the bundle is still exiting.
    package func isLeaving(_ bundle: ExtensionBundle) -> Bool {
        retired.contains { $0.process.pid != nil && $0.process.bundle.identifier == bundle.identifier }
    }

    /// Whether descendants of ended extensions are still being killed.
    private var hasOrphans = false

    /// Ends the family and removes its temporary folders; to be called when no process is left.
    package func end() {
        family.end()
        confinements.removeFolders()
    }

    /// Whether no process of any extension is left.
    package var isEmpty: Bool { !hasOrphans && roster.all.allSatisfy { $0.process.pid == nil } }

    /// Whether waiting messages of an extension may be handled now.
    package var mayProceed: Bool {
        roster.awake.contains { member in
            member.peer.hasBacklog && member.process.session != nil && gate.admitsMessage(of: member.peer)
        }
    }

    /// The bundles, read from their folders when first needed: a session that only saves records needs none.
    package var catalog: BundleCatalog {
        if let loadedCatalog { return loadedCatalog }
        let catalog = configuration.loadCatalog()
        for problem in catalog.problems + catalog.bundles.flatMap(\.problems) { logger.warning("\(problem)") }
        loadedCatalog = catalog
        recorder?.record(catalog.bundles, environment: configuration.hostEnvironment())
        return catalog
    }

    /// Whether processes run in a sandbox: `on`, `partial` if the system cannot restrict them in every way, or `off`.
    package var sandboxState: String {
        configuration.sandbox == .off ? "off" : Sandbox.gaps.isEmpty ? "on" : "partial"
    }

    /// The problems of a bundle, with why it cannot be started now.
    package func problems(of bundle: ExtensionBundle) -> [BundleProblem] {
        let start = bundle.startProblem(hostFolder: configuration.hostFolder, environment: configuration.environment())
        return bundle.problems + (start.map { [$0] } ?? [])
    }

    /// The bundles of content extensions; of several with one category the first shows it.
    var contentBundles: [ExtensionBundle] { catalog.bundles.filter { $0.point == .content } }

    /// The folders in which bundles are looked for, for people.
    var searchedFolders: String {
        let folders = configuration.pluginFolders.joined(separator: ", ")
        return configuration.pluginFoldersAreNamed ? folders : "\(folders); name a folder of bundles with --plugins"
    }

    /// Why a bundle's category may be missing from the catalog; nil if no bundle has such a problem.
    var categoryProblem: String? {
        let problems = catalog.problems + catalog.bundles.flatMap(\.problems)
        // A bundle whose property list cannot be read may have any category.
        let problem =
            problems.first { $0.key == ExtensionBundle.categoryKey }
            ?? catalog.problems.first { $0.path.hasSuffix("/Info.plist") }
        // A folder that is no bundle may be the one that was meant, if no other one shows anything.
        let unread = contentBundles.isEmpty ? catalog.problems.first { $0.severity == .error } : nil
        return (problem ?? unread).map { "\($0)" }
    }

    /// The extension that shows a category; nil if no bundle registered it.
    package func process(forCategory category: String) -> ExtensionProcess? {
        catalog.bundle(forCategory: category).map(process(of:))
    }

    /// The extension of a bundle, which is made if it is new; its process starts with the first call.
    package func process(of bundle: ExtensionBundle) -> ExtensionProcess {
        if let entry = entries[bundle.identifier] { return entry.process }
        let history = histories[bundle.identifier] ?? ExtensionHistory()
        histories[bundle.identifier] = history
        let process = ExtensionProcess(
            bundle: bundle,
            history: history,
            hostFolder: configuration.hostFolder,
            environment: configuration.environment(),
            limits: configuration.limits(of: bundle),
            family: family,
            random: RandomGenerator(seed: configuration.seed),
            activation: { [unowned self] in
                confinements.reportGaps()
                return activation(of: bundle)
            },
            confine: { [unowned self] path throws(BundleProblem) in
                let attachments = [.service, .content].contains(bundle.point) ? attachmentFolder() : nil
                return try confinements.make(bundle, executable: path, attachments: attachments)
            },
            tap: { [recorder, configuration] in
                recorder.map {
                    ConnectionTap(
                        bundle.identifier,
                        $0,
                        lineLimit: configuration.limits(of: bundle).line,
                        mayHoldVariables: bundle.point.deliversRecords
                    )
                }
            },
            observe: { [unowned self] in observe($0, $1) },
            now: Clock.monotonic,
            logger: logger
        )
        let findMethods = { [unowned self, unowned process] in methods(process) }
        let peer = Peer(.extension(process), findMethods, gate, dispatcher)
        process.receiver = peer
        entries[bundle.identifier] = (process, peer)
        sort()
        return process
    }

    // MARK: Reload

    /// The changes that a reload found, as identifiers of bundles.
    package struct Changes: CustomStringConvertible {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []

        /// The changes as a part of a sentence.
        package var description: String {
            let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$1.isEmpty }
                .map { "\($0) \($1.joined(separator: ", "))" }
            return parts.isEmpty ? "nothing changed" : parts.joined(separator: "; ")
        }
    }

    /// Reloads the bundles; processes of changed bundles are asked to exit, the others keep running.
    ///
    /// - Parameters:
    ///   - isForced: Whether every bundle counts as changed.
    ///   - willStop: Called with each process before it is stopped.
    /// - Returns: The changes.
    package func reload(isForced: Bool, willStop: (ExtensionProcess) -> Void) -> Changes {
        let old = loadedCatalog?.bundles ?? []
        loadedCatalog = nil
        let new = catalog.bundles
        var changes = Changes()
        for bundle in new {
            guard let before = old.first(where: { $0.identifier == bundle.identifier }) else {
                changes.added.append(bundle.identifier)
                continue
            }
            let isOutdated = started(before).map { !$0.isUpToDate } ?? false
            if isForced || isOutdated || before != bundle { changes.changed.append(bundle.identifier) }
        }
        changes.removed = old.map(\.identifier).filter { identifier in !new.contains { $0.identifier == identifier } }
        for (identifier, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard changes.changed.contains(identifier) || changes.removed.contains(identifier) else {
                entry.process.resetRestartBudget()
                continue
            }
            willStop(entry.process)
            entry.process.stop(because: .bundleReloaded)
            entries[identifier] = nil
            if !Self.isGone(entry) { retired.append(entry) }
        }
        sort()
        return changes
    }

    /// The params of `activate`.
    private func activation(of bundle: ExtensionBundle) -> JSON {
        let own: MemberList = [
            "clock": configuration.clock == nil ? nil : .string(Timestamp.format(clock.wallTime())),
            // Every extension gets the same seed, so that the order in which they start has no effect.
            "seed": configuration.seed.map { .integer(Int64(bitPattern: $0 & .max >> 1)) },
            "attachments": bundle.point == .service ? attachmentFolder().map(JSON.string) : nil,
            "texts": [.content, .service].contains(bundle.point) ? texts(of: bundle) : nil,
        ]
        return JSON(present: configuration.fixedActivation(of: bundle) + own)
    }

    /// The localized texts of a bundle, read already if its process was needed before.
    package func strings(of bundle: ExtensionBundle) -> LocalizedStrings {
        started(bundle)?.localizedStrings ?? LocalizedStrings(folder: bundle.path)
    }

    /// The texts of a bundle for the host's locale; nil if there are none.
    private func texts(of bundle: ExtensionBundle) -> JSON? {
        let table = strings(of: bundle).table(locale: configuration.locale)
        return table.texts.isEmpty ? nil : table.json
    }
}

/// Reloads the bundles.
package final class ExtensionReload {
    private let extensions: Extensions
    private let outbox: Outbox
    private let logger: Logger
    /// Ends the presentations of a process, with the reason.
    private let endPresentations: (ExtensionProcess, String) -> Void

    package init(
        _ extensions: Extensions,
        _ outbox: Outbox,
        _ logger: Logger,
        endPresentations: @escaping (ExtensionProcess, String) -> Void
    ) {
        self.extensions = extensions
        self.outbox = outbox
        self.logger = logger
        self.endPresentations = endPresentations
    }

    /// Reloads the bundles, replaces those that changed and ends their presentations; no call is in flight then.
    ///
    /// The call is answered when the old processes have ended, so that a bundle never has two processes.
    package func reloadExtensions(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let isForced = try invocation.arguments.optionalBool("force") ?? false
        let changes = extensions.reload(isForced: isForced) { process in
            endPresentations(process, "\(process.bundle.identifier) was reloaded")
        }
        logger.notice("the bundles were reloaded: \(changes)")
        let catalog = extensions.catalog
        let result: JSON = [
            "extensions": JSON(catalog.bundles.count),
            "added": JSON(changes.added.map(JSON.string)),
            "changed": JSON(changes.changed.map(JSON.string)),
            "removed": JSON(changes.removed.map(JSON.string)),
            "problems": JSON((catalog.problems + catalog.bundles.flatMap { extensions.problems(of: $0) }).map(\.json)),
        ]
        guard extensions.isRetiring else { return .done(result) }
        invocation.peer.scheduler.begin(invocation)
        extensions.onRetired = { [outbox] in
            invocation.peer.scheduler.end(invocation)
            outbox.finish(invocation.call, .success(result), dependsOn: invocation.suite)
        }
        return .later
    }
}
