internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications

/// Applies events of extension processes to the presentations that the extensions show.
final class PresentationObserver: ExtensionObserver {
    private let presentations: Presentations
    private let publisher: Publisher

    init(_ presentations: Presentations, _ publisher: Publisher) {
        self.presentations = presentations
        self.publisher = publisher
    }

    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError) {
        presentations.addDiagnostic(error, in: params, of: process, during: presentation(inCallOf: process))
    }

    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason) {
        presentations.end(shownBy: process, reason: "\(process.bundle.identifier) \(reason)")
    }

    func extensionProcess(_ process: ExtensionProcess, didContinue description: String) {
        presentation(inCallOf: process)?.addDiagnostic(Diagnostic("extensionWasStopped", description))
    }

    func extensionProcess(_ process: ExtensionProcess, didWriteError line: String) {
        publisher.publish(errorLine: line, of: process.bundle.identifier)
    }

    /// The presentation of the call that an extension is handling.
    private func presentation(inCallOf process: ExtensionProcess) -> Presentation? {
        publisher.clients.lazy.flatMap(\.calls.running).compactMap { $0 as? Invocation }
            .first { $0.process === process }?.presentation
    }
}
