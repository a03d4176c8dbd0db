internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Platform
internal import Suites

// How a call is carried out and answered, and what the end of a turn does.

extension Host {
    // MARK: A call is carried out

    func wait(_ invocation: Invocation) {
        keep(invocation, as: .waiting(since: Clock.monotonic()))
    }

    /// Keeps a call at its place among those that wait.
    private func keep(_ invocation: Invocation, as state: ScheduledCall.State) {
        if !invocation.isWaiting {
            invocation.call.session.track(invocation.call)
            invocation.call.onAnswer { [weak invocation] in
                if let invocation { invocation.peer.calls.reconsider(invocation) }
            }
        }
        invocation.peer.calls.enqueue(invocation, as: state)
    }

    /// Carries out a call whose turn has come.
    ///
    /// - Returns: Whether it is out of the way: not when its suite is held by another process.
    @discardableResult
    func run(_ invocation: Invocation) -> Bool {
        do {
            // Suites that were changed keep their files open until the commit.
            if store.isCrowded { commit() }
            switch try invocation.body(self, invocation) {
            case .done(let value): finish(invocation, .success(value))
            case .later:
                guard !invocation.call.isAnswered else { return true }
                invocation.call.session.track(invocation.call)
            case .away:
                guard !invocation.call.isAnswered else { return true }
                keep(invocation, as: .away(since: Clock.monotonic()))
                return false
            case .blocked:
                wait(invocation)
                return false
            }
        } catch SuiteError.tooManyFiles where store.hasTransactions {
            // The suites that were changed keep their files until the commit.
            commit()
            return run(invocation)
        } catch let error as SuiteError where error.isPassing {
            if mayRetry(invocation) { return false }
            finish(invocation, .failure(self.error(error, invocation)))
            // Whoever flushes the suite does not hold it.
            if error == .busy { giveUp(behind: invocation) }
        } catch {
            if case .transactionLost(let text) = error as? SuiteError { lose(invocation.suite, text) }
            finish(invocation, .failure(self.error(error, invocation)))
        }
        return true
    }

    private func error(_ error: any Error, _ invocation: Invocation) -> RPCError {
        guard let error = error as? SuiteError, let suite = invocation.suite else { return RPCError(error) }
        return RPCError(error, suite: suite.name)
    }

    /// Keeps a call until it is tried again, with growing pauses, while the limit lasts.
    private func mayRetry(_ invocation: Invocation) -> Bool {
        let now = Clock.monotonic()
        let since = invocation.busySince ?? now
        guard now - since < configuration.busyLimit else { return false }
        keep(invocation, as: .busy(since: since, retryAt: now + min(250, max(10, (now - since) / 4))))
        return true
    }

    /// Answers those that waited as long for the same suite, without trying: each try waits a moment for the lock.
    private func giveUp(behind invocation: Invocation) {
        guard let since = invocation.busySince else { return }
        let now = Clock.monotonic()
        for case let other as Invocation in invocation.peer.calls.waiting where other !== invocation {
            guard other.suite === invocation.suite,
                let start = other.busySince ?? other.waitingSince.map({ max($0, since) }),
                now - start >= configuration.busyLimit
            else { continue }
            invocation.peer.calls.remove(other)
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

    func commit() {
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
        peer.calls.advance(now: Clock.monotonic()) { call in
            guard let invocation = call as? Invocation else { return }
            if invocation.isDropped {
                // Cancelled before it began.
                attachments?.remove(invocation.reception?.arrival?.content.attachments ?? [])
            } else {
                guard run(invocation) else { return }
            }
            peer.calls.remove(invocation)
        }
    }

    /// The client's call that an extension works on.
    func call(of process: ExtensionProcess) -> Invocation? {
        clients.lazy.flatMap(\.calls.running).compactMap { $0 as? Invocation }.first { $0.process === process }
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
        for peer in clients { next = min(next, peer.calls.deadline ?? .max) }
        for peer in extensions.peers { next = min(next, peer.calls.deadline ?? .max) }
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
            for case let invocation as Invocation in peer.calls.removeAll() {
                finish(invocation.call, .failure(HostError.hostIsStopping))
            }
            for call in peer.removeBatchMembers() { finish(call, .failure(HostError.hostIsStopping)) }
        }
        for call in shutdownCalls { finish(call, .success(.null)) }
        shutdownCalls = []
    }
}
