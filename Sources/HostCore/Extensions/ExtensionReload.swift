internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging

/// Loads the bundles again.
final class ExtensionReload {
    private let extensions: ExtensionService
    private let outbox: Outbox
    private let logger: Logger
    /// Ends what a process shows, with the reason.
    private let end: (ExtensionProcess, String) -> Void

    init(
        _ extensions: ExtensionService,
        _ outbox: Outbox,
        _ logger: Logger,
        end: @escaping (ExtensionProcess, String) -> Void
    ) {
        self.extensions = extensions
        self.outbox = outbox
        self.logger = logger
        self.end = end
    }

    /// Reloads the bundles, replaces those that changed and ends their presentations; calls in flight have ended before.
    ///
    /// It is done when the old processes are gone, so that no two of one bundle run at once.
    func reloadExtensions(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let isForced = try invocation.arguments.optionalBool("force") ?? false
        let changes = extensions.reload(isForced: isForced) { process in
            end(process, "\(process.bundle.identifier) was loaded anew")
        }
        logger.notice("the bundles were loaded again: \(changes)")
        let catalog = extensions.catalog
        let result: JSON = [
            "extensions": JSON(catalog.bundles.count),
            "added": JSON(changes.added.map(JSON.string)),
            "changed": JSON(changes.changed.map(JSON.string)),
            "removed": JSON(changes.removed.map(JSON.string)),
            "problems": JSON((catalog.problems + catalog.bundles.flatMap(\.problems)).map(\.json)),
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
