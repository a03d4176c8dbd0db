internal import ExtensionHost
internal import JSON
internal import JSONRPC

/// Receives the events of an extension's process that concern its presentations.
protocol ExtensionObserver: AnyObject {
    /// A JSON-RPC notification that the extension sent failed.
    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError)

    /// The process ended, and with it everything that it showed.
    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason)

    /// The process wrote a line on its stderr.
    func extensionProcess(_ process: ExtensionProcess, didWriteError line: String)

    /// The process was continued after a signal had stopped it; the description is a sentence.
    func extensionProcess(_ process: ExtensionProcess, didContinue description: String)
}

/// Connects the process of an extension with its peer and with the observer of its presentations.
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
        // A destination's reply depends on none of its earlier messages, so it is used even if the process ends now.
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

    func extensionProcess(_ process: ExtensionProcess, didWriteError line: String) {
        observer?.extensionProcess(process, didWriteError: line)
    }

    func tap(for process: ExtensionProcess) -> (any ExtensionTap)? { makeTap(process) }

    func hasBacklog(_ process: ExtensionProcess) -> Bool { peer.hasBacklog }

    func isStuck(_ process: ExtensionProcess) -> Bool { gate.isStuck(peer) }
}
