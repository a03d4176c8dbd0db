public import JSON
public import JSONRPC

/// Receives the messages and events of an ``ExtensionProcess``, and answers its questions.
///
/// The process holds its delegate weakly, so the owner must retain the delegate as long as the process may run.
/// Without a delegate messages are handled at once, calls are refused and nothing is reported.
public protocol ExtensionProcessDelegate: AnyObject {
    /// Receives each message of the extension, to handle it now or later.
    func extensionProcess(_ process: ExtensionProcess, didReceive message: Incoming)

    /// A notification of the extension failed.
    func extensionProcess(_ process: ExtensionProcess, notificationWith params: JSON?, didFailWith error: RPCError)

    /// The process ended or will be killed, and with it end its presentations.
    func extensionProcess(_ process: ExtensionProcess, didEndBecause reason: ExtensionFailure.Reason)

    /// The process, which a signal had stopped, was continued; the description is a sentence.
    func extensionProcess(_ process: ExtensionProcess, didContinue description: String)

    /// The process wrote a line on its stderr; it is passed before everything that the process sent after it.
    func extensionProcess(_ process: ExtensionProcess, didWriteError line: String)

    /// The recorder of a process that is starting; `nil` if nothing is recorded.
    func tap(for process: ExtensionProcess) -> (any ExtensionTap)?

    /// Whether messages of the extension, perhaps its answer, wait to be handled.
    func hasBacklog(_ process: ExtensionProcess) -> Bool

    /// Whether those messages wait for the extension itself, because it does not read the answers to its own calls.
    func isStuck(_ process: ExtensionProcess) -> Bool
}

/// Defaults for an owner that handles every message at once and records nothing.
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

    /// Does nothing.
    public func extensionProcess(_ process: ExtensionProcess, didWriteError line: String) {}

    /// Records nothing.
    public func tap(for process: ExtensionProcess) -> (any ExtensionTap)? { nil }

    /// No message waits.
    public func hasBacklog(_ process: ExtensionProcess) -> Bool { false }

    /// No message waits.
    public func isStuck(_ process: ExtensionProcess) -> Bool { false }
}
