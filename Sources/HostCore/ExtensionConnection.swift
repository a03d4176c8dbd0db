internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications

/// The host's side of one extension's process: what the extension says goes to its peer and to the host.
final class ExtensionConnection: ExtensionProcessDelegate {
    private let peer: Peer
    private unowned let host: Host

    init(_ peer: Peer, _ host: Host) {
        self.peer = peer
        self.host = host
    }

    func extensionProcess(_ process: ExtensionProcess, didReceive message: Incoming) {
        // A destination's answer depends on nothing that it said before, so it counts even if the process ends now.
        if case .response(let response) = message, process.bundle.point == .destination { return response.complete() }
        peer.receive(message, host: host)
    }

    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError) {
        host.notifications.note(error, in: params, of: process, during: host.call(of: process)?.presentation)
    }

    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason) {
        host.notifications.extensionEnded(process, reason, host: host)
    }

    func extensionProcess(_ process: ExtensionProcess, didContinue description: String) {
        host.call(of: process)?.presentation?.note(Diagnostic("extensionWasStopped", description))
    }

    func tap(for process: ExtensionProcess) -> (any ExtensionTap)? {
        host.recorder.map {
            ConnectionTap(
                process.bundle.identifier,
                $0,
                lineLimit: host.configuration.limits(of: process.bundle).line,
                isDestination: process.bundle.point == .destination
            )
        }
    }

    func hasBacklog(_ process: ExtensionProcess) -> Bool { peer.hasBacklog }

    func isStuck(_ process: ExtensionProcess) -> Bool { host.isStuck(peer) }
}
