internal import Foundation
public import JSON
internal import JSONRPC
internal import Platform

// The calls: how they wait, go out, are answered and fail.

extension ExtensionProcess {
    /// A call that waits or is outstanding.
    struct Outgoing {
        let method: String
        /// Appends its params as text.
        let writeParams: (inout [UInt8]) -> Void
        /// Whether it depends on nothing that is lost with a process.
        let outlivesProcess: Bool
        let willSend: () -> Void
        let timeWillExpire: (() -> Void)?
        let completion: (Result<JSON, ExtensionFailure>) -> Void
    }

    /// A call that the extension works on.
    struct Outstanding {
        let call: Outgoing
        let id: Int64
        /// When it was sent, on the monotonic clock.
        let start: Int64
        let deadline: Int64
        /// When the extension is to be warned that the deadline comes; nothing once it was.
        var warning: Int64?
        /// The number of bytes of its message.
        let length: Int
        /// The processor time that the process had used when it was sent, in milliseconds.
        let processorTime: UInt64
    }

    /// Sends a call when its turn comes; the completion is called exactly once.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: Its params.
    ///   - outlivesProcess: Whether it goes to the next process where this one dies before its turn.
    ///   - willSend: Called when its turn has come, unless it fails before.
    ///   - timeWillExpire: Called when nine tenths of its time are over, to warn the extension.
    ///   - completion: Takes the result or the failure.
    public func call(
        _ method: String,
        params: JSON,
        outlivesProcess: Bool = false,
        willSend: @escaping () -> Void = {},
        timeWillExpire: (() -> Void)? = nil,
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        queue(
            Outgoing(
                method: method,
                writeParams: { params.write(to: &$0) },
                outlivesProcess: outlivesProcess,
                willSend: willSend,
                timeWillExpire: timeWillExpire,
                completion: completion
            )
        )
    }

    /// Sends a call whose params are text already when its turn comes; the completion is called exactly once.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - writtenParams: An object or an array as JSON text.
    ///   - completion: Takes the result or the failure.
    public func call(
        _ method: String,
        writtenParams: [UInt8],
        completion: @escaping (Result<JSON, ExtensionFailure>) -> Void
    ) {
        queue(
            Outgoing(
                method: method,
                writeParams: { $0 += writtenParams },
                outlivesProcess: false,
                willSend: {},
                timeWillExpire: nil,
                completion: completion
            )
        )
    }

    private func queue(_ call: Outgoing) {
        guard waiting.count < limits.waitingCalls else {
            return call.completion(.failure(ExtensionFailure(reason: .busy(waiting: waiting.count), wasSent: false)))
        }
        waiting.append(call)
        perform(.callQueued)
    }

    /// The number of calls that wait or are outstanding.
    public var callsInFlight: Int { waiting.count + outstanding.count }

    /// The number of calls that wait behind the outstanding ones.
    public var callsWaiting: Int { waiting.count }

    // MARK: The end

    /// Asks the process to leave; calls that wait are failed.
    ///
    /// So are those that it works on, unless it is a destination: what that has begun to deliver it may finish, and
    /// its answers count until it is gone.
    ///
    /// - Parameter reason: Why, for ``ExtensionHistory/ends``.
    public func stop(because reason: StopReason) {
        if bundle.point == .destination { failWaiting(.stopping) } else { fail(.stopping) }
        stopNow(because: reason)
    }

    func stopNow(because reason: StopReason) {
        if child != nil { endCause = endCause ?? .stopped(reason) }
        perform(.stopRequested)
    }

    /// Ends the process at once, whatever it was asked before.
    public func kill() { child?.signal(SIGKILL) }

    /// Forgives its faults: the bundles were loaded anew.
    public func forgive() { perform(.forgiven) }

    // MARK: Failures

    /// Fails the calls, but for those that wait and that the next process can take as well.
    func fail(_ reason: ExtensionFailure.Reason, keepsOthers: Bool = false) {
        let kept = keepsOthers ? waiting.filter(\.outlivesProcess) : []
        if keepsOthers { waiting.removeAll(where: \.outlivesProcess) }
        // Taken aside, so that none of the failures can send them.
        let lost = waiting
        waiting = kept
        failSent(reason)
        fail(lost, reason, wasSent: false)
        if !kept.isEmpty { perform(.callQueued) }
    }

    func failSent(_ reason: ExtensionFailure.Reason) {
        let lost = outstanding
        outstanding = []
        for call in lost { session?.forget(call.id) }
        fail(lost.map(\.call), reason, wasSent: true)
    }

    private func failWaiting(_ reason: ExtensionFailure.Reason) {
        let lost = waiting
        waiting = []
        fail(lost, reason, wasSent: false)
    }

    private func fail(_ calls: [Outgoing], _ reason: ExtensionFailure.Reason, wasSent: Bool) {
        let failure = ExtensionFailure(reason: reason, standardErrorTail: standardError.text, wasSent: wasSent)
        for call in calls {
            history.statistics.fail()
            call.completion(.failure(failure))
        }
    }

    // MARK: Sending

    /// Sends calls that wait, as many as may be outstanding.
    func sendNext() {
        idleSince = nil
        while outstanding.count < limits.concurrentCalls, lifecycle.state == .ready, let session {
            guard !waiting.isEmpty else {
                if outstanding.isEmpty { idleSince = now() }
                return
            }
            if usage.isOld(now: now()) { lookAtUsage() }
            guard lifecycle.state == .ready else { return }
            send(waiting.removeFirst(), session)
        }
    }

    private func send(_ call: Outgoing, _ session: Session) {
        if outstanding.isEmpty { outputInTime = nil }
        lastStrayLine = nil
        call.willSend()
        suspension.continued = 0
        resume()
        let sent = CallStatistics.now()
        let errorStart = standardError.count
        let unread = session.output.count
        var id: Int64 = 0
        id = session.request(call.method, writtenParams: call.writeParams) { [weak self] result in
            guard let self, let index = outstanding.firstIndex(where: { $0.id == id }) else { return }
            outstanding.remove(at: index)
            if index == 0 { outputInTime = nil }
            history.statistics.answer(microseconds: CallStatistics.now() - sent)
            call.completion(result.mapError { failure($0, since: errorStart) })
            sendNext()
        }
        // The owner writes at the end of its turn, after the commit that the call may depend on.
        let now = now()
        outstanding.append(
            Outstanding(
                call: call,
                id: id,
                start: now,
                deadline: now + limits.call,
                warning: call.timeWillExpire == nil ? nil : now + limits.call * 9 / 10,
                length: session.output.count - unread,
                processorTime: usage.processorTime
            )
        )
    }

    /// Warns the extension, once a call, where the time of it is nearly over.
    func warn(now: Int64) {
        for index in outstanding.indices {
            guard let warning = outstanding[index].warning, warning <= now else { continue }
            outstanding[index].warning = nil
            outstanding[index].call.timeWillExpire?()
        }
    }
}
