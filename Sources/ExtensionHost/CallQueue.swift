internal import JSON

/// A call to an extension, waiting or outstanding.
struct ExtensionCall {
    let method: String
    /// Appends its params as JSON text.
    let writeParams: (inout [UInt8]) -> Void
    /// The capability that the process must have declared in its answer to `activate`; nil if every process answers
    /// the call.
    var capability: ExtensionCapability?
    /// Whether the next process can answer it if this one ends before the call is sent.
    var outlivesProcess = false
    /// Called before the call is sent.
    var willSend: () -> Void = {}
    /// Called when nine tenths of the call's time are over.
    var timeWillExpire: (() -> Void)?
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

/// The calls to one extension: the waiting ones, in order, and the outstanding ones.
struct CallQueue {
    private let limits: ExtensionLimits
    private(set) var waiting: [ExtensionCall] = []
    /// The calls that were sent, in order.
    private(set) var outstanding: [OutstandingCall] = []

    init(limits: ExtensionLimits) { self.limits = limits }

    /// The number of calls that wait or are outstanding.
    var count: Int { waiting.count + outstanding.count }

    /// Whether no further call may wait.
    var isFull: Bool { waiting.count >= limits.waitingCalls }

    /// Whether fewer calls are outstanding than the extension may work on at once.
    var canSend: Bool { outstanding.count < limits.concurrentCalls }

    mutating func append(_ call: ExtensionCall) { waiting.append(call) }

    /// Removes the first waiting call, which is about to be sent.
    ///
    /// - Precondition: A call waits.
    mutating func removeFirst() -> ExtensionCall { waiting.removeFirst() }

    mutating func noteSent(_ call: OutstandingCall) { outstanding.append(call) }

    /// Removes an outstanding call that was answered.
    ///
    /// - Returns: Whether it was the oldest; `nil` if it is no longer outstanding.
    mutating func removeOutstanding(id: Int64) -> Bool? {
        guard let index = outstanding.firstIndex(where: { $0.id == id }) else { return nil }
        outstanding.remove(at: index)
        return index == 0
    }

    /// Removes every outstanding call.
    mutating func removeOutstanding() -> [OutstandingCall] {
        defer { outstanding = [] }
        return outstanding
    }

    /// Removes the waiting calls, or only those that the next process cannot answer.
    mutating func removeWaiting(keepingTransferable keeps: Bool = false) -> [ExtensionCall] {
        let lost = keeps ? waiting.filter { !$0.outlivesProcess } : waiting
        waiting = keeps ? waiting.filter(\.outlivesProcess) : []
        return lost
    }

    // MARK: Deadlines and sizes

    /// When the next extension has to be warned that a deadline is near.
    var nextWarning: Int64? { outstanding.compactMap(\.warning).min() }

    /// The warnings that are due; each is returned once.
    mutating func removeDueWarnings(now: Int64) -> [() -> Void] {
        var warnings: [() -> Void] = []
        for index in outstanding.indices {
            guard let warning = outstanding[index].warning, warning <= now else { continue }
            outstanding[index].warning = nil
            if let warn = outstanding[index].call.timeWillExpire { warnings.append(warn) }
        }
        return warnings
    }

    /// The number of bytes of the outstanding calls' messages.
    var sentBytes: Int { outstanding.reduce(0) { $0 + $1.length } }
}
