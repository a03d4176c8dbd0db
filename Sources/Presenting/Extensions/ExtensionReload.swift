package import Calls
package import ExtensionHost
internal import JSON
package import JSONRPC
package import Logging

/// Reloads the bundles.
package final class ExtensionReload {
    private let extensions: ExtensionService
    private let outbox: Outbox
    private let logger: Logger
    /// Ends the presentations of a process, with the reason.
    private let endPresentations: (ExtensionProcess, String) -> Void

    package init(
        _ extensions: ExtensionService,
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
        guard !extensions.isSettled else { return .done(result) }
        invocation.peer.calls.begin(invocation)
        extensions.onSettled = { [outbox] in
            invocation.peer.calls.end(invocation)
            outbox.finish(invocation.call, .success(result), dependsOn: invocation.suite)
        }
        return .later
    }
}
