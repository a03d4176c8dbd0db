internal import Contract
internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Suites

// How a call is carried out and answered, and what the end of a turn does.

extension Host {
    // MARK: A call is carried out

    func wait(_ invocation: Invocation) {
        invocation.waitingSince = Clock.monotonic()
        invocation.call.session.track(invocation.call)
        invocation.peer.calls.enqueue(invocation)
        invocation.call.onAnswer { [weak invocation] in
            if let invocation { invocation.peer.calls.lookAgain(at: invocation) }
        }
    }

    /// Carries out a call whose turn has come.
    ///
    /// - Returns: Whether it is out of the way: not when its suite is held by another process.
    @discardableResult
    func run(_ invocation: Invocation) -> Bool {
        do {
            // Its answer is about every suite, so it must not fall with one of them.
            if case .allSuites = invocation.order { commit() }
            // Suites that were changed keep their files open until the commit.
            if store.isCrowded { commit() }
            // A reload may have come while it waited.
            if case .beginning = invocation.order {
                notifications.route(invocation, host: self)
                // It is back at once if the service could not be asked.
                if try sendAhead(invocation), invocation.undecidedSuites != nil { return false }
            }
            switch try invocation.body(self, invocation) {
            case .done(let value): finish(invocation, .success(value))
            case .later:
                guard !invocation.call.isAnswered else { return true }
                invocation.call.session.track(invocation.call)
            }
        } catch SuiteError.tooManyFiles where store.hasTransactions {
            // The suites that were changed keep their files until the commit.
            commit()
            return run(invocation)
        } catch is FlushUnderWay {
            // The end of that flush brings the next try, whatever an earlier one waited for.
            (invocation.retryAt, invocation.busySince, invocation.retry) = (nil, nil, nil)
            keepWaiting(invocation)
            return false
        } catch let error as SuiteError where error.isPassing {
            if mayRetry(invocation) {
                keepWaiting(invocation)
                return false
            }
            finish(invocation, .failure(self.error(error, invocation)))
            // Whoever flushes the suite does not hold it.
            if error == .busy { giveUp(behind: invocation) }
        } catch {
            if case .transactionLost(let text) = error as? SuiteError { lose(invocation.suite, text) }
            finish(invocation, .failure(self.error(error, invocation)))
        }
        return true
    }

    private func keepWaiting(_ invocation: Invocation) {
        if !invocation.isWaiting { wait(invocation) }
    }

    private func error(_ error: any Error, _ invocation: Invocation) -> RPCError {
        guard let error = error as? SuiteError, let suite = invocation.suite else { return RPCError(error) }
        return RPCError(error, suite: suite.name)
    }

    /// Notes when to try again, with growing pauses, while the limit lasts.
    private func mayRetry(_ invocation: Invocation) -> Bool {
        let now = Clock.monotonic()
        // The time may be known before the first attempt, from a call that waited for the same suite.
        let since = invocation.busySince ?? now
        var retry = invocation.retry ?? Retry(configuration.heldSuite, start: since)
        retry.expire(at: now)
        retry.fail(at: now)
        (invocation.busySince, invocation.retry, invocation.retryAt) = (since, retry, retry.nextTry)
        return !retry.isExhausted
    }

    /// Answers those that waited as long for the same suite, without trying: each try waits a moment for the lock.
    private func giveUp(behind invocation: Invocation) {
        guard let since = invocation.busySince else { return }
        let now = Clock.monotonic()
        for other in invocation.peer.waiting where other.suite === invocation.suite && other !== invocation {
            let start = other.busySince ?? max(other.waitingSince ?? now, since)
            other.busySince = start
            // Those for which the next attempt would come too late, as it would for the first.
            guard now + configuration.heldSuite.limit - start > configuration.busyLimit else { continue }
            other.isDone = true
            invocation.peer.calls.lookAgain(at: other)
            finish(other, .failure(error(SuiteError.busy, other)))
        }
    }

    // MARK: An answer goes out

    /// Answers an invocation; what it read or wrote in an open transaction leaves after the commit.
    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) {
        let suite = invocation.suite.flatMap { $0.isInTransaction ? $0 : nil }
        outbox.answer(invocation.call, result, dependsOn: suite)
    }

    /// Answers a call that touched no suite.
    func finish(_ call: Call, _ result: Result<JSON, RPCError>) { outbox.answer(call, result) }

    /// Answers a call with what is true after the commit: a save may still fail and leave a diagnostic.
    func finishLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        outbox.answerLate(call, result)
    }

    /// Tells subscribers of a topic.
    func publish(_ topic: Topic, _ params: @escaping () -> JSON) {
        for session in clients.filter({ $0.topics.contains(topic) }).compactMap(\.session) {
            notify(session, topic.rawValue, params)
        }
    }

    /// Sends a notification, behind what waits for a commit.
    func notify(_ session: Session, _ method: String, _ params: @escaping () -> JSON) {
        if outbox.isEmpty && !store.hasTransactions && !isSettling {
            session.notify(method, params: params())
        } else {
            outbox.notify(session, method, params)
        }
    }

    func lose(_ suite: Suite?, _ text: String) {
        guard let suite else { return }
        logger.error("the transaction of \(suite.name) is lost: \(text)")
        outbox.fail(suite, with: RPCError(SuiteError.transactionLost(text), suite: suite.name))
        flushes.lost(suite.name, .transactionLost(text))
    }

    // MARK: The end of a turn

    /// Commits, lets the answers leave, and carries out what waited for that.
    func endTurn() {
        repeat {
            commit()
            settle()
        } while advance() || extensions.forgetRetired()
    }

    private func commit() {
        // One that was lost on the way has nothing to commit, and must not be told that it was.
        for suite in store.takeTransactions() where suite.isInTransaction {
            do {
                try suite.commit()
                suite.checkpoint(isIdle: false)
                flushes.committed(suite.name)
            } catch {
                lose(suite, error.text)
            }
        }
    }

    private func settle() {
        isSettling = true
        while !outbox.isEmpty {
            let leaving = outbox
            outbox = Outbox()
            leaving.release()
        }
        isSettling = false
    }

    private func advance() -> Bool {
        var progress = flushes.advance()
        for peer in clients + extensions.peers where !peer.isIdle || peer.hasBacklog {
            progress = advanceWaiting(peer) || progress
            progress = peer.advance(host: self) || progress
        }
        return progress
    }

    /// Carries out the waiting calls whose turn has come, in their order.
    private func advanceWaiting(_ peer: Peer) -> Bool {
        var progress = false
        var number = 0
        while let invocation = peer.calls.due.first(after: number) {
            number = invocation.number
            if invocation.isDone || invocation.call.isAnswered {
                // Given up, or cancelled before it began.
                peer.calls.dequeue(invocation)
                attachments?.remove(invocation.arrival?.content.attachments ?? [])
                progress = true
            } else if invocation.undecidedSuites != nil {
                peer.calls.park(invocation, behind: nil)
            } else if let blocker = peer.calls.blocker(of: invocation) {
                peer.calls.park(invocation, behind: blocker)
            } else if invocation.retryAt.map({ $0 <= Clock.monotonic() }) ?? true, run(invocation) {
                peer.calls.dequeue(invocation)
                progress = true
            }
        }
        return progress
    }

    /// The client's call that an extension works on.
    func call(of process: ExtensionProcess) -> Invocation? {
        clients.lazy.flatMap(\.inFlight).first { $0.process === process }
    }

    // MARK: For the loop

    /// Whether every request that is to be carried out was answered.
    var isQuiet: Bool {
        outbox.isEmpty && flushes.isQuiet && clients.allSatisfy { $0.isIdle && (isStopping || !$0.hasBacklog) }
            && extensions.peers.allSatisfy { $0.isIdle && (!$0.hasBacklog || isStuck($0)) }
    }

    /// When something is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        var next = Int64.max
        for peer in clients { for call in peer.calls.due { next = min(next, call.retryAt ?? .max) } }
        for peer in extensions.peers { for call in peer.calls.due { next = min(next, call.retryAt ?? .max) } }
        for process in extensions.processes { next = min(next, process.deadline ?? .max) }
        next = min(next, flushes.deadline ?? .max, jobs.deadline ?? .max)
        return next == .max ? nil : next
    }
}

extension Host {
    /// Stops the extensions, fails what still waits and answers `shutdown`: nothing more will be carried out.
    func stop() {
        flushes.stop()
        stopJobs()
        for process in extensions.processes { process.stop(because: .hostStopping) }
        for peer in clients + extensions.peers {
            for invocation in peer.calls.dequeueAll() {
                finish(invocation.call, .failure(HostError.hostIsStopping))
            }
            for call in peer.takeMembers() { finish(call, .failure(HostError.hostIsStopping)) }
        }
        for call in shutdownCalls { finish(call, .success(.null)) }
        shutdownCalls = []
    }
}
