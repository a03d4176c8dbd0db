internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

/// Connects a relay with the processes of its source and its destination.
final class RelaySupport: ExtensionObserver {
    let service: RelayService
    private let process: ExtensionProcess
    private let name: String

    /// The relay of a configuration; nil if it has none.
    init?(
        _ configuration: HostConfiguration,
        _ extensions: ExtensionService,
        _ flushes: FlushSupport,
        _ clock: Clock,
        _ logger: Logger
    ) {
        guard let settings = configuration.relay else { return nil }
        guard let bundle = extensions.catalog.source(named: settings.source),
            let destination = try? flushes.destination(settings.destination, path: nil)
        else { preconditionFailure("the command line was checked before the relay is made") }
        name = settings.source
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

    /// Passes the events and the messages of the source to the relay.
    func connect(_ methods: MethodTables, _ extensions: ExtensionService, _ publisher: Publisher, _ logger: Logger) {
        extensions.observer = self
        methods.makeSource = { [service] in
            var table = MethodTable<HostMethod>()
            table.addLog(["level", "message"], publisher, logger)
            table.addFree("revoked", ["ids"]) { arguments, _, _ in
                guard let ids = try arguments.array("ids").integers else {
                    throw arguments.mistyped("ids", "the ids of records")
                }
                service.revoke(ids)
                return [:]
            }
            table.addFree("share", ["share"]) { arguments, _, _ in
                let value = try arguments.value("share")
                do throws(ReplyError) {
                    service.setShare(try PullReply.share(value))
                } catch {
                    throw RPCError.invalidParams(path: "/params/share", error.text)
                }
                return [:]
            }
            return table
        }
    }

    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError) {}

    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason) {
        guard process === self.process else { return }
        service.sourceFailed(SourceFailure(problem: "\(process.bundle.identifier) \(reason)", isGone: true))
    }

    func extensionProcess(_ process: ExtensionProcess, didContinue description: String) {}

    func extensionProcess(_ process: ExtensionProcess, didWriteError line: String) {}
}
