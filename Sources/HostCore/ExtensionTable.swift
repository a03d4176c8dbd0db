internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging

/// The bundles that were found and the extensions that run.
final class ExtensionTable {
    private(set) var catalog: BundleCatalog?
    private var entries: [String: (process: ExtensionProcess, peer: Peer)] = [:]

    /// The running or once started extensions, by identifier.
    var processes: [ExtensionProcess] { sorted.map(\.process) }

    /// Their connections.
    var peers: [Peer] { entries.isEmpty ? [] : sorted.map(\.peer) }

    /// Whether messages of an extension that waited may be carried out now.
    func mayProceed(_ host: Host) -> Bool {
        entries.values.contains { entry in
            guard entry.peer.hasBacklog, let session = entry.process.session else { return false }
            return host.mayProceed(entry.peer, session)
        }
    }

    private var sorted: [(process: ExtensionProcess, peer: Peer)] {
        entries.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The bundles; read when they are first needed, because most sessions of saves need none.
    func catalog(_ host: Host) -> BundleCatalog {
        if let catalog { return catalog }
        let catalog = BundleCatalog(folders: host.configuration.pluginFolders)
        for problem in catalog.problems + catalog.bundles.flatMap(\.problems) { host.logger.warning("\(problem)") }
        self.catalog = catalog
        return catalog
    }

    /// The extension that shows a category; none where no bundle registered it.
    func process(forCategory category: String, host: Host) -> ExtensionProcess? {
        catalog(host).bundle(forCategory: category).map { process($0, host: host) }
    }

    /// The extension of a bundle; its process starts with the first call.
    func process(_ bundle: ExtensionBundle, host: Host) -> ExtensionProcess {
        if let entry = entries[bundle.identifier] { return entry.process }
        let process = ExtensionProcess(
            bundle: bundle,
            hostFolder: host.configuration.hostFolder,
            environment: host.configuration.environment,
            limits: host.configuration.extensionLimits(bundle.point),
            activation: { [unowned host] in Self.activation(of: bundle, host) },
            now: Clock.monotonic,
            logger: host.logger
        )
        let peer = Peer(.extension(process))
        process.onCall = { [unowned host] in peer.take($0, host: host) }
        process.onMessage = { [unowned host] in peer.deliver($1, of: $0, host: host) }
        process.hasBacklog = { peer.hasBacklog }
        process.onNotificationFailure = { [unowned host] params, error in
            let calls = host.clients.flatMap(\.inFlight)
            let call = calls.first { $0.process === process }
            host.notifications.note(error, in: params, of: process, during: call?.presentation)
        }
        process.onEnd = { [unowned host] reason in host.notifications.extensionEnded(process, reason, host: host) }
        entries[bundle.identifier] = (process, peer)
        return process
    }

    /// The params of `activate`: what an extension is told of where it runs.
    private static func activation(of bundle: ExtensionBundle, _ host: Host) -> JSON {
        var members: [(String, JSON)] = [
            ("version", .string(Contract.version)),
            ("bundle", .string(bundle.identifier)),
            ("locale", .string(host.configuration.locale)),
            ("suites", JSON(bundle.applicationGroups.map(JSON.string))),
        ]
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
