internal import JSON
internal import JSONRPC
internal import Platform

/// Sends the calls to an extension, one after the other or a few at a time, and completes each exactly once.
final class CallSender {
    private let limits: ExtensionLimits
    private let history: ExtensionHistory
    private(set) var queue: CallQueue

    init(limits: ExtensionLimits, history: ExtensionHistory) {
        self.limits = limits
        self.history = history
        queue = CallQueue(limits: limits)
    }

    /// Queues a call, or fails it if too many calls wait already.
    ///
    /// A call that is refused before it is sent does not count as a failure of the extension.
    ///
    /// - Returns: Whether it was queued.
    func append(_ call: ExtensionCall) -> Bool {
        guard !queue.isFull else {
            call.completion(.failure(ExtensionFailure(reason: .busy(waiting: queue.waiting.count), wasSent: false)))
            return false
        }
        queue.append(call)
        return true
    }

    /// Sends the first waiting call, or fails it if the process did not declare the capability that it needs.
    ///
    /// - Precondition: A call waits.
    ///
    /// - Parameters:
    ///   - run: The process.
    ///   - now: The monotonic clock in milliseconds.
    ///   - willWrite: Called before the message is written, to continue a stopped process.
    ///   - didAnswer: Called when the call was answered and completed.
    func sendFirst(
        to run: ProcessRun,
        now: () -> Int64,
        willWrite: () -> Void,
        didAnswer: @escaping () -> Void
    ) {
        let call = queue.removeFirst()
        if let capability = call.capability, !run.capabilities.contains(capability) {
            return call.completion(.failure(ExtensionFailure(reason: .incapable(capability), wasSent: false)))
        }
        run.prepareForCall(isFirst: queue.outstanding.isEmpty)
        call.willSend()
        willWrite()
        let sent = Clock.monotonicNanoseconds()
        let errorStart = run.pipes.standardError.count
        let unread = run.session.output.count
        // Only queued: the owner writes at the end of its iteration, after the commit that the call may depend on.
        var id: Int64 = 0
        id = run.session.request(call.method, writtenParams: call.writeParams) { [weak self, weak run] result in
            guard let self, let run, let wasOldest = queue.removeOutstanding(id: id) else { return }
            if wasOldest { run.pipes.resetDeadline() }
            history.statistics.noteAnswer(microseconds: (Clock.monotonicNanoseconds() - sent) / 1_000)
            call.completion(result.mapError { run.failure($0, since: errorStart) })
            didAnswer()
        }
        let now = now()
        queue.noteSent(
            OutstandingCall(
                call: call,
                id: id,
                start: now,
                deadline: now + limits.call,
                warning: call.timeWillExpire == nil ? nil : now + limits.call * 9 / 10,
                length: run.session.output.count - unread,
                processorTime: run.monitor.processorTime
            )
        )
    }

    /// Warns the extension of each call whose time is nearly over, once for each call.
    func sendDueWarnings(now: Int64) { for warn in queue.removeDueWarnings(now: now) { warn() } }

    // MARK: Failures

    /// Fails the outstanding calls and those that wait.
    ///
    /// - Parameters:
    ///   - reason: What happened.
    ///   - run: The process that the outstanding calls were sent to.
    ///   - keeps: Whether calls that the next process can answer stay in the queue.
    /// - Returns: Whether any call stayed.
    func failAll(_ reason: ExtensionFailure.Reason, of run: ProcessRun?, keepingTransferable keeps: Bool) -> Bool {
        // Removed first, because a completion may cause waiting calls to be sent.
        let lost = queue.removeWaiting(keepingTransferable: keeps)
        let hasKept = !queue.waiting.isEmpty
        failOutstanding(reason, of: run)
        fail(lost, reason, of: run, wasSent: false)
        return hasKept
    }

    /// Fails the outstanding calls.
    func failOutstanding(_ reason: ExtensionFailure.Reason, of run: ProcessRun?) {
        let lost = queue.removeOutstanding()
        for call in lost { run?.session.forget(call.id) }
        fail(lost.map(\.call), reason, of: run, wasSent: true)
    }

    /// Fails the calls that wait.
    func failWaiting(_ reason: ExtensionFailure.Reason, of run: ProcessRun?) {
        fail(queue.removeWaiting(), reason, of: run, wasSent: false)
    }

    private func fail(
        _ calls: [ExtensionCall],
        _ reason: ExtensionFailure.Reason,
        of run: ProcessRun?,
        wasSent: Bool
    ) {
        let tail = run?.pipes.standardError.text ?? ""
        let failure = ExtensionFailure(reason: reason, standardErrorTail: tail, wasSent: wasSent)
        for call in calls {
            history.statistics.noteFailure()
            call.completion(.failure(failure))
        }
    }
}
