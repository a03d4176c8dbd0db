internal import ExtensionHost
internal import JSON
internal import JSONRPC

/// What becomes of the presentations of an extension when something happens to its process.
protocol ExtensionObserver: AnyObject {
    /// A notification that the extension sent failed.
    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError)

    /// The process is lost, and with it everything that it showed.
    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason)

    /// A signal had stopped the process and it was continued, in a sentence.
    func extensionProcess(_ process: ExtensionProcess, didContinue description: String)
}

/// Connects the process of one extension with its peer and with the observer of its presentations.
final class ExtensionConnection: ExtensionProcessDelegate {
    let peer: Peer
    private let gate: Gate
    private let makeTap: (ExtensionProcess) -> (any ExtensionTap)?
    private weak var observer: (any ExtensionObserver)?

    init(
        _ peer: Peer,
        _ gate: Gate,
        _ observer: (any ExtensionObserver)?,
        makeTap: @escaping (ExtensionProcess) -> (any ExtensionTap)?
    ) {
        self.peer = peer
        self.gate = gate
        self.observer = observer
        self.makeTap = makeTap
    }

    func extensionProcess(_ process: ExtensionProcess, didReceive message: Incoming) {
        // A destination's answer depends on nothing that it said before, so it counts even if the process ends now.
        if case .response(let response) = message, process.bundle.point == .destination { return response.complete() }
        peer.receive(message)
    }

    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError) {
        observer?.extensionProcess(process, notificationWith: params, didFailWith: error)
    }

    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason) {
        observer?.extensionProcess(process, didEndBecause: reason)
    }

    func extensionProcess(_ process: ExtensionProcess, didContinue description: String) {
        observer?.extensionProcess(process, didContinue: description)
    }

    func tap(for process: ExtensionProcess) -> (any ExtensionTap)? { makeTap(process) }

    func hasBacklog(_ process: ExtensionProcess) -> Bool { peer.hasBacklog }

    func isStuck(_ process: ExtensionProcess) -> Bool { gate.isStuck(peer) }
}
