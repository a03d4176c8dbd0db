internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Platform

/// The bundles that were found and the extensions that run.
final class ExtensionTable {
    private(set) var catalog: BundleCatalog?
    private var entries: [String: Entry] = [:]
    /// Those whose bundle changed or went: nobody calls them any more, and they are leaving.
    private var retired: [Entry] = []
    let family = ProcessFamily()
    private var histories: [String: ExtensionHistory] = [:]

    private typealias Entry = (process: ExtensionProcess, peer: Peer)

    /// The running or once started extensions and those that are leaving, in turn.
    private(set) var processes: [ExtensionProcess] = []

    /// Their connections, in the same order.
    private(set) var peers: [Peer] = []

    /// The extension of a bundle, where it was ever called.
    func known(_ bundle: ExtensionBundle) -> ExtensionProcess? { entries[bundle.identifier]?.process }

    /// What the extension's processes did, where any was ever started.
    func history(_ bundle: ExtensionBundle) -> ExtensionHistory? { histories[bundle.identifier] }

    /// Lets later extensions be the first, so that none is always heard before another.
    func rotate(by count: Int) {
        guard processes.count > count else { return }
        processes = Array(processes[count...] + processes[..<count])
        peers = Array(peers[count...] + peers[..<count])
    }

    private func sort() {
        let sorted = entries.sorted { $0.key < $1.key }.map(\.value) + retired
        processes = sorted.map(\.process)
        peers = sorted.map(\.peer)
    }

    /// Reaps children; to be called when any ended.
    func reap(buffer: UnsafeMutableRawBufferPointer) {
        for process in processes { process.reap(buffer: buffer) }
        hasOrphans = family.sweep()
    }

    /// Forgets those that were leaving and are gone.
    ///
    /// - Returns: Whether anybody waited for that.
    func forgetRetired() -> Bool {
        // What they saved may still wait for a suite that another process holds.
        let isGone = { (entry: Entry) in entry.process.pid == nil && entry.peer.isIdle && !entry.peer.hasBacklog }
        if retired.contains(where: isGone) {
            retired.removeAll(where: isGone)
            sort()
        }
        guard isSettled, let onSettled else { return false }
        self.onSettled = nil
        onSettled()
        return true
    }

    /// Called once, when no process is leaving any more.
    var onSettled: (() -> Void)?

    /// Whether no process is leaving.
    var isSettled: Bool { retired.allSatisfy { $0.process.pid == nil } }

    /// Whether an old process of the bundle is leaving.
    func isLeaving(_ bundle: ExtensionBundle) -> Bool {
        retired.contains { $0.process.pid != nil && $0.process.bundle.identifier == bundle.identifier }
    }

    /// Whether processes that extensions left behind are dying now.
    private(set) var hasOrphans = false

    /// Whether no process of any extension is left.
    var isEmpty: Bool { !hasOrphans && processes.allSatisfy { $0.pid == nil } }

    /// Whether messages of an extension that waited may be carried out now.
    func mayProceed(_ host: Host) -> Bool {
        zip(processes, peers).contains { process, peer in
            guard peer.hasBacklog, let session = process.session else { return false }
            return host.mayProceed(peer, session)
        }
    }

    /// The bundles; read when they are first needed, because most sessions of saves need none.
    func catalog(_ host: Host) -> BundleCatalog {
        if let catalog { return catalog }
        let catalog = BundleCatalog(
            folders: host.configuration.pluginFolders,
            areNamed: host.configuration.pluginFoldersAreNamed,
            allowsWritable: host.configuration.allowsWritableBundles
        )
        for problem in catalog.problems + catalog.bundles.flatMap(\.problems) { host.logger.warning("\(problem)") }
        self.catalog = catalog
        host.recorder?.record(catalog.bundles, environment: host.configuration.hostEnvironment)
        return catalog
    }

    /// The extension that shows a category; none where no bundle registered it.
    func process(forCategory category: String, host: Host) -> ExtensionProcess? {
        catalog(host).bundle(forCategory: category).map { process($0, host: host) }
    }

    /// The extension of a bundle; its process starts with the first call.
    func process(_ bundle: ExtensionBundle, host: Host) -> ExtensionProcess {
        if let entry = entries[bundle.identifier] { return entry.process }
        let history = histories[bundle.identifier] ?? ExtensionHistory()
        histories[bundle.identifier] = history
        let process = ExtensionProcess(
            bundle: bundle,
            history: history,
            hostFolder: host.configuration.hostFolder,
            environment: host.configuration.environment,
            limits: host.configuration.limits(of: bundle),
            family: family,
            random: RandomGenerator(seed: host.configuration.seed),
            activation: { [unowned host] in Self.activation(of: bundle, host) },
            now: Clock.monotonic,
            logger: host.logger
        )
        let peer = Peer(.extension(process))
        process.onCall = { [unowned host] in peer.take($0, host: host) }
        process.onMessage = { [unowned host] session, message in
            // A destination's answer depends on nothing that it said before, so it counts even where it ends now.
            if case .response = message, bundle.point == .destination { return session.receive(message) }
            peer.deliver(message, of: session, host: host)
        }
        if let recorder = host.recorder {
            let limit = host.configuration.limits(of: bundle).line
            process.makeTap = {
                ConnectionTap(
                    bundle.identifier,
                    recorder,
                    lineLimit: limit,
                    isDestination: bundle.point == .destination
                )
            }
        }
        process.hasBacklog = { peer.hasBacklog }
        process.isStuck = { [unowned host] in host.isStuck(peer) }
        process.onNotificationFailure = { [unowned host] params, error in
            let presentation = host.call(of: process)?.presentation
            host.notifications.note(error, in: params, of: process, during: presentation)
        }
        process.onEnd = { [unowned host] reason in host.notifications.extensionEnded(process, reason, host: host) }
        process.onContinue = { [unowned host] text in
            host.call(of: process)?.presentation?.addDiagnostic(Diagnostic("extensionWasStopped", text))
        }
        entries[bundle.identifier] = (process, peer)
        sort()
        return process
    }

    // MARK: Loading anew

    /// What a reload found.
    struct Changes: CustomStringConvertible {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []

        /// The part of a sentence for people.
        var description: String {
            let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$1.isEmpty }
                .map { "\($0) \($1.joined(separator: ", "))" }
            return parts.isEmpty ? "nothing changed" : parts.joined(separator: "; ")
        }
    }

    /// Reads the bundles anew; processes of those that changed are asked to leave, the others run on.
    ///
    /// - Parameters:
    ///   - isForced: Whether every bundle counts as changed.
    ///   - host: Whose bundles they are.
    ///   - willStop: Called with each process that has to leave.
    /// - Returns: What changed.
    func reload(isForced: Bool, host: Host, willStop: (ExtensionProcess) -> Void) -> Changes {
        let old = catalog?.bundles ?? []
        catalog = nil
        let new = catalog(host).bundles
        var changes = Changes()
        for bundle in new {
            guard let before = old.first(where: { $0.identifier == bundle.identifier }) else {
                changes.added.append(bundle.identifier)
                continue
            }
            let isRunningOld = known(before).map { !$0.isUpToDate } ?? false
            if isForced || isRunningOld || before != bundle { changes.changed.append(bundle.identifier) }
        }
        changes.removed = old.map(\.identifier).filter { identifier in !new.contains { $0.identifier == identifier } }
        for (identifier, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard changes.changed.contains(identifier) || changes.removed.contains(identifier) else {
                entry.process.forgive()
                continue
            }
            willStop(entry.process)
            entry.process.stop(because: .bundleReloaded)
            entries[identifier] = nil
            if entry.process.pid != nil { retired.append(entry) }
        }
        sort()
        return changes
    }

    /// The params of `activate`: what an extension is told of where it runs.
    private static func activation(of bundle: ExtensionBundle, _ host: Host) -> JSON {
        var members = host.configuration.activation(of: bundle)
        if host.configuration.clock != nil {
            members.append(("clock", .string(Timestamp.format(host.clock.wallTime()))))
        }
        // The same for each, so that the order in which extensions start changes nothing.
        if let seed = host.configuration.seed {
            members.append(("seed", .integer(Int64(bitPattern: seed & .max >> 1))))
        }
        if bundle.point == .service, let folder = host.attachmentFolder() {
            members.append(("attachments", .string(folder.path)))
        }
        return .object(JSON.Object(members))
    }
}
