public import JSON
public import JSONRPC

/// What an ``ExtensionProcess`` reports to its owner and asks of it.
///
/// The process holds its delegate weakly: the owner keeps both, and the delegate for as long as the process may run.
/// Without a delegate messages are handled at once, calls are refused and nothing is reported.
public protocol ExtensionProcessDelegate: AnyObject {
    /// Receives each message of the extension, to handle it now or later.
    func extensionProcess(_ process: ExtensionProcess, didReceive message: Incoming)

    /// A notification of the extension failed.
    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError)

    /// The process is lost, and with it everything that it showed.
    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason)

    /// A signal had stopped the process and it was continued, in a sentence.
    func extensionProcess(_ process: ExtensionProcess, didContinue description: String)

    /// What records a process that is about to start; `nil` if nothing is recorded.
    func tap(for process: ExtensionProcess) -> (any ExtensionTap)?

    /// Whether messages of the extension wait to be carried out, its answer perhaps among them.
    func hasBacklog(_ process: ExtensionProcess) -> Bool

    /// Whether those messages wait for the extension itself, which leaves the answers to its own calls unread.
    func isStuck(_ process: ExtensionProcess) -> Bool
}

/// An owner that handles every message at once and records nothing needs to receive only messages.
extension ExtensionProcessDelegate {
    /// Does nothing.
    public func extensionProcess(
        _ process: ExtensionProcess,
        notificationWith params: JSON?,
        didFailWith error: RPCError
    ) {}

    /// Does nothing.
    public func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason) {}

    /// Does nothing.
    public func extensionProcess(_ process: ExtensionProcess, didContinue description: String) {}

    /// Records nothing.
    public func tap(for process: ExtensionProcess) -> (any ExtensionTap)? { nil }

    /// No message waits.
    public func hasBacklog(_ process: ExtensionProcess) -> Bool { false }

    /// No message waits.
    public func isStuck(_ process: ExtensionProcess) -> Bool { false }
}
