internal import ArgumentParser
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Lets the hosts that run read their bundles again.
struct ReloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Reload the bundles of running hosts.",
        discussion: """
            Reaches every host of this user that serves a client, such as an editor, and prints what changed: for \
            each host its process identifier, its folders of bundles, the bundles that were added, changed and \
            removed, and the problems of all. A host finishes its calls in flight first.

            A host cannot be reached if it was started with --no-control, --record, --clock or --seed, or with \
            another XDG_RUNTIME_DIR.

            Examples:
              pushhost extensions reload
              pushhost extensions reload --plugins plugins/game
              pushhost extensions reload --json | jq '.hosts[].result.changed'

            Exit codes: 0 every host has reloaded its bundles; 1 a host refused, did not answer or cannot be reached; \
            64 wrong command line; 69 no such host runs; 128+n ended by signal n.
            """
    )

    /// How long a host may take to say which folders it uses, in milliseconds: it answers at once.
    private static let answerLimit: Int64 = 5_000

    @Option(
        help: ArgumentHelp(
            "Only hosts that use this folder of bundles, or this bundle; may be given several times.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var plugins: [String] = []

    @Flag(help: "Restart all extensions, also those whose bundles have not changed.")
    var force = false

    @Option(help: ArgumentHelp("How long a host may take, in milliseconds.", valueName: "ms"))
    var deadline: Int64 = 90_000

    @Flag(help: "Print one JSON object with the result of each host.")
    var json = false

    func validate() throws {
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
        guard (1...86_400_000).contains(deadline) else {
            throw ValidationError("--deadline \(deadline): it must be a number from 1 to 86400000")
        }
    }

    static let failureCode: Int32 = 1

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let folder = StandardFolders().control
        let hosts = try runningHosts(in: folder, until: Clock.monotonic() + min(deadline, Self.answerLimit), signals)
        let chosen = hosts.filter { $0.mayUse(plugins) }
        // Each host reloads while the others do.
        for host in chosen { host.begin(force: force) }
        let end = Clock.monotonic() + deadline
        for host in chosen { try host.finish(until: end) }
        if json { Terminal.print(JSON.object(["hosts": JSON(chosen.map(\.json))])) }
        for host in chosen { host.print(showsResult: !json) }
        guard chosen.isEmpty else { return chosen.allSatisfy(\.hasReloaded) ? 0 : 1 }
        Terminal.writeError(explanation(hosts, folder))
        return EX_UNAVAILABLE
    }

    /// The hosts whose sockets are in the folder; a socket whose host has ended is removed.
    private func runningHosts(
        in folder: ControlFolder,
        until deadline: Int64,
        _ signals: SignalSource
    ) throws(ClientError) -> [RunningHost] {
        let sockets: [ControlFolder.Socket]
        do throws(ControlFolder.Problem) { sockets = try folder.sockets() } catch {
            throw .failed("no host can be reached: \(error)")
        }
        var hosts: [RunningHost] = []
        for socket in sockets {
            if let host = RunningHost(socket, until: deadline, signals) { hosts.append(host) }
        }
        for host in hosts { try host.identify(until: deadline) }
        return hosts.filter { !$0.hasEnded }
    }

    /// Why no host was reloaded.
    private func explanation(_ hosts: [RunningHost], _ folder: ControlFolder) -> String {
        guard hosts.isEmpty else {
            let others = hosts.map { $0.name }.joined(separator: ", ")
            return "no host uses \(plugins.joined(separator: ", ")); there is \(others)"
        }
        return "no host runs that can be reached: \(folder.path) has no socket of a running host"
    }
}
