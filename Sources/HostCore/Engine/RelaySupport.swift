internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Presenting
internal import Relay

/// Connects a relay with the processes of its source and its destination.
final class RelaySupport {
    let service: RelayService
    private let process: ExtensionProcess

    /// The relay of a configuration; nil if it has none.
    init?(
        _ configuration: HostConfiguration,
        _ extensions: Extensions,
        _ clock: Clock,
        _ logger: Logger,
        destination find: DestinationFinder
    ) {
        guard let settings = configuration.relay else { return nil }
        guard let bundle = extensions.catalog.source(named: settings.source),
            let destination = try? find(settings.destination, nil)
        else { preconditionFailure("the command line was checked before the relay is made") }
        process = extensions.process(of: bundle)
        service = RelayService(
            settings,
            from: ExtensionSource(process),
            to: destination,
            delivery: configuration.delivery,
            seed: configuration.seed,
            clock: clock,
            logger: logger
        )
    }

    /// Tells the relay when its source ended.
    func observe(_ process: ExtensionProcess, _ event: ExtensionEvent) {
        guard process === self.process, case .ended(let reason) = event else { return }
        service.sourceFailed(SourceFailure(problem: "\(process.bundle.identifier) \(reason)", isGone: true))
    }

    /// Adds what a source may tell its relay.
    func addMethods(to table: inout MethodTable<HostMethod>) {
        table.addFree("revoked", ["ids"]) { [service] arguments, _, _ in
            guard let ids = try arguments.array("ids").integers else {
                throw arguments.mistyped("ids", "the ids of records")
            }
            service.revoke(ids)
            return [:]
        }
        table.addFree("share", ["share"]) { [service] arguments, _, _ in
            let share = try arguments.value("share")
            do throws(ReplyError) {
                service.setShare(try PullReply.share(share))
            } catch {
                throw RPCError.invalidParams(path: "/params/share", error.text)
            }
            return [:]
        }
    }
}
