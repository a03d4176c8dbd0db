internal import Contract
internal import JSON
package import JSONRPC
package import Platform
package import Suites

/// An error that concerns a param of the call in which it happened.
package protocol ArgumentError: Error {
    /// The error of the call, with the path in the params as the caller wrote them.
    func error(_ arguments: Arguments) -> RPCError
}

/// Finds the method of each call, runs it when the scheduler of its connection allows that, and answers it.
package final class Dispatcher {
    private let store: SuiteStore
    private let outbox: Outbox
    /// How often and how long a call is tried again whose suite another process has locked.
    private let lockedSuite: RetryPolicy
    /// Handles a call of a method that the contract does not have.
    private let fallback: (Call, Peer) -> Void

    package init(
        lockedSuite: RetryPolicy,
        _ store: SuiteStore,
        _ outbox: Outbox,
        fallback: @escaping (Call, Peer) -> Void
    ) {
        self.fallback = fallback
        self.lockedSuite = lockedSuite
        self.store = store
        self.outbox = outbox
    }

    // MARK: Receiving

    /// Handles a message: runs a call or lets it wait, completes a request of ours, or answers what is invalid.
    package func handle(_ message: Incoming, of peer: Peer) {
        switch message {
        case .call(let call):
            if let duplicate = call.duplicate {
                outbox.answerInvalid(duplicate)
            } else if !(peer.hasModelContext && call.method == "ping"), let method = peer.methods[call] {
                dispatch(call, of: peer, to: method)
            } else {
                // A client of MCP means that protocol's `ping`.
                fallback(call, peer)
            }
        case .response(let response): response.complete()
        case .invalid(let message): outbox.answerInvalid(message)
        }
    }

    /// Whether a message is a call that waits for no other call and no suite.
    func isFree(_ message: Incoming, of peer: Peer) -> Bool {
        guard case .call(let call) = message, call.duplicate == nil, !peer.hasModelContext,
            case .free? = peer.methods[call]?.handler
        else { return false }
        return true
    }

    /// Runs a call of a method, or lets it wait.
    func dispatch(_ call: Call, of peer: Peer, to method: MethodTable<HostMethod>.Method) {
        do {
            let arguments = try method.signature.bind(call)
            switch method.handler {
            case .free(let body):
                if let value = try body(arguments, peer, call) { outbox.finish(call, .success(consume value)) }
            case .ordered(let ordered):
                let invocation = Invocation(call, peer, consume arguments, ordered)
                try ordered.prepare(invocation)
                if peer.scheduler.blocker(of: invocation) == nil {
                    run(invocation)
                } else {
                    keep(invocation, as: .waiting(since: Clock.monotonic()))
                }
            }
        } catch {
            outbox.finish(call, .failure(RPCError(error)))
        }
    }

    // MARK: Running

    /// Runs a call that waits for no earlier call.
    ///
    /// - Returns: Whether the call runs or has ended; false if it waits again.
    @discardableResult
    private func run(_ invocation: Invocation) -> Bool {
        do {
            // Each changed suite keeps its file open until the commit.
            if store.isCrowded { outbox.commit() }
            switch try invocation.method.run(invocation) {
            case .done(let value): outbox.finish(invocation.call, .success(value), dependsOn: invocation.suite)
            case .saved(let id): outbox.finish(invocation.call, savedAs: id, dependsOn: invocation.suite)
            case .later:
                // An extension may have refused the call at once, so that it is answered already.
                guard !invocation.call.isAnswered else { return true }
                invocation.call.session.track(invocation.call)
            case .away:
                guard !invocation.call.isAnswered else { return true }
                keep(invocation, as: .away(since: Clock.monotonic()))
                return false
            case .blocked:
                keep(invocation, as: .waiting(since: Clock.monotonic()))
                return false
            }
        } catch SuiteError.tooManyFiles where store.hasTransactions {
            outbox.commit()
            return run(invocation)
        } catch let error as SuiteError where error.isPassing {
            if mayRetry(invocation) { return false }
            fail(invocation, error)
            // A suite that is being flushed is not locked by another process.
            if error == .busy { failOthers(waitingBehind: invocation) }
        } catch {
            if case .transactionLost(let text) = error as? SuiteError { outbox.lose(invocation.suite, text) }
            fail(invocation, error)
        }
        return true
    }

    /// Runs the calls of a peer that waited and may run now.
    ///
    /// - Returns: Whether a call was run or dropped.
    package func advance(_ peer: Peer) -> Bool {
        peer.scheduler.advance(now: Clock.monotonic()) { invocation in
            if invocation.isDropped {
                invocation.method.drop(invocation)
            } else {
                guard run(invocation) else { return }
            }
            // No effect on a call that began to run: it left the waiting ones then.
            peer.scheduler.remove(invocation)
        }
    }

    /// Lets a call wait at its place in the order of the connection.
    private func keep(_ invocation: Invocation, as state: Invocation.State) {
        if !invocation.isWaiting {
            invocation.call.session.track(invocation.call)
            invocation.call.onAnswer { [weak invocation] in
                if let invocation { invocation.peer.scheduler.reconsider(invocation) }
            }
        }
        invocation.peer.scheduler.enqueue(invocation, as: state)
    }

    /// Answers a call with the error that its method threw.
    private func fail(_ invocation: Invocation, _ error: any Error) {
        let error =
            switch (error, invocation.suite) {
            case (let error as any ArgumentError, _): error.error(invocation.arguments)
            case (let error as SuiteError, let suite?): RPCError(error, suite: suite.name)
            default: RPCError(error)
            }
        outbox.finish(invocation.call, .failure(error), dependsOn: invocation.suite)
    }

    // MARK: A suite that another process has locked

    /// Lets a call wait until it is tried again, with growing pauses.
    ///
    /// - Returns: Whether it may be tried again; false if it waited as long as the policy allows.
    private func mayRetry(_ invocation: Invocation) -> Bool {
        let now = Clock.monotonic()
        var (since, retry) = (now, Retry(lockedSuite, start: now))
        if case .busy(let earlier, let attempts) = invocation.state { (since, retry) = (earlier, attempts) }
        retry.endPauseIfOver(at: now)
        retry.fail(at: now)
        guard !retry.isExhausted else { return false }
        keep(invocation, as: .busy(since: since, retry))
        return true
    }

    /// Fails the other calls that have waited long enough for the same suite; each try would wait for the lock.
    private func failOthers(waitingBehind invocation: Invocation) {
        guard let since = invocation.busySince else { return }
        let now = Clock.monotonic()
        for other in invocation.peer.scheduler.waiting where other !== invocation {
            guard other.suite === invocation.suite,
                let start = other.busySince ?? other.waitingSince.map({ max($0, since) }),
                // As for the first call, the next attempt would come too late.
                now + lockedSuite.limit - start > lockedSuite.patience
            else { continue }
            invocation.peer.scheduler.remove(other)
            fail(other, SuiteError.busy)
        }
    }
}
