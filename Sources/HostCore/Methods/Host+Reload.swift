internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging

extension Host {
    /// Reads the bundles anew, swaps those that changed and ends what they showed; calls in flight were drained before.
    ///
    /// It is done when the old processes are gone, so that no two of one bundle run at once.
    func reloadExtensions(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let isForced = try invocation.arguments.optionalBool("force") ?? false
        let changes = extensions.reload(isForced: isForced, host: self) { process in
            for presentation in notifications.visible where presentation.process === process {
                end(presentation, reason: "\(process.bundle.identifier) was loaded anew")
            }
        }
        logger.notice("the bundles were loaded again: \(changes)")
        guard let catalog = extensions.catalog else { preconditionFailure("a reload reads the catalog") }
        let result: JSON = [
            "extensions": JSON(catalog.bundles.count),
            "added": JSON(changes.added.map(JSON.string)),
            "changed": JSON(changes.changed.map(JSON.string)),
            "removed": JSON(changes.removed.map(JSON.string)),
            "problems": JSON((catalog.problems + catalog.bundles.flatMap(\.problems)).map(\.json)),
        ]
        guard !extensions.isSettled else { return .done(result) }
        invocation.peer.calls.begin(invocation)
        extensions.onSettled = { [unowned self] in
            invocation.peer.calls.end(invocation)
            finish(invocation, .success(result))
        }
        return .later
    }
}
