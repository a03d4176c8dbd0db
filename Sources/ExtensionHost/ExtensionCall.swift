internal import JSON

/// A call to an extension, waiting or outstanding.
struct ExtensionCall {
    let method: String
    /// Appends its params as JSON text.
    let writeParams: (inout [UInt8]) -> Void
    /// The capability that the process must have declared in its answer to `activate`; nil if every process answers
    /// the call.
    let capability: ExtensionCapability?
    /// Whether the next process can answer it if this one ends before the call is sent.
    let outlivesProcess: Bool
    /// Called before the call is sent.
    let willSend: () -> Void
    /// Called when nine tenths of the call's time are over.
    let timeWillExpire: (() -> Void)?
    /// Receives the result or the failure, exactly once.
    let completion: (Result<JSON, ExtensionFailure>) -> Void
}

/// A call that the extension works on.
struct OutstandingCall {
    let call: ExtensionCall
    /// The id of the request.
    let id: Int64
    /// When it was sent, on the monotonic clock.
    let start: Int64
    /// When its answer is due.
    let deadline: Int64
    /// When to warn the extension that the deadline is near; nil once it was warned, and if the call
    /// has no warning.
    var warning: Int64?
    /// The number of bytes of its message.
    let length: Int
    /// The processor time that the process had used when it was sent, in milliseconds.
    let processorTime: UInt64
}
