/// How the host ends, as a state machine without input or output.
///
/// Times are milliseconds of the monotonic clock. The event loop carries out the actions in order; only events that lead to
/// none may come from elsewhere.
package struct Ending {
    package enum State: Equatable {
        /// Messages are handled.
        case serving
        /// The client sends nothing more. Its messages are handled, and everything that began is finished.
        case finishing
        /// No further message of a client is handled; everything that began is finished.
        case draining
        /// Nothing is finished, since the client is gone or a signal came.
        case aborting
        /// All calls are answered, and the processes of extensions are asked to exit.
        case stopping
        /// Only the client still has to read its replies, before that time if there is one.
        case flushing(until: Int64?)
        case over
    }

    package enum Event: Equatable {
        case inputEnded
        /// `shutdown` was called.
        case shutdown
        /// Nobody reads the replies, or they cannot be written.
        case clientLost
        case signal(Int32)
        /// Every request that will be handled has been answered; for a relay, what became of all records is stored.
        case drained
        /// Every process has ended, and the disk has everything.
        case processesEnded
        case outputRead
        case deadlinePassed
    }

    package enum Action: Equatable {
        /// Finish the batches of the relay.
        case stopRelay
        /// Answer the calls that wait, and ask the extensions to exit.
        case stopExtensions
        /// Kill every process.
        case kill
    }

    package private(set) var state = State.serving
    /// The first signal that asked for the end.
    package private(set) var signal: Int32?
    private var signals = 0
    private let isRelay: Bool
    /// How long a client may take to read its replies after a signal.
    private let patience: Int64

    /// A host that serves.
    package init(isRelay: Bool, patience: Int64) { (self.isRelay, self.patience) = (isRelay, patience) }

    /// Changes the state.
    ///
    /// - Returns: The actions of the event loop, in order.
    @discardableResult
    package mutating func handle(_ event: Event, now: Int64) -> [Action] {
        switch event {
        case .inputEnded:
            switch state {
            case .serving: state = .finishing
            case .finishing, .draining, .aborting, .stopping, .flushing, .over: break
            }
        case .shutdown:
            switch state {
            case .serving, .finishing: state = .draining
            case .draining, .aborting, .stopping, .flushing, .over: break
            }
        case .clientLost:
            switch state {
            case .serving, .finishing, .draining: state = .aborting
            case .aborting, .stopping, .flushing, .over: break
            }
        case .signal(let number): return handle(signal: number, now)
        case .drained:
            switch state {
            case .finishing, .draining, .aborting:
                state = .stopping
                return [.stopExtensions]
            case .serving, .stopping, .flushing, .over: break
            }
        case .processesEnded:
            switch state {
            case .stopping: state = .flushing(until: readingDeadline(now))
            case .serving, .finishing, .draining, .aborting, .flushing, .over: break
            }
        case .outputRead, .deadlinePassed:
            switch state {
            case .flushing: state = .over
            case .serving, .finishing, .draining, .aborting, .stopping, .over: break
            }
        }
        return []
    }

    private mutating func handle(signal number: Int32, _ now: Int64) -> [Action] {
        signals += 1
        signal = signal ?? number
        let isFirst = signals == 1
        switch state {
        case .serving, .finishing, .draining: state = isRelay && isFirst ? .draining : .aborting
        case .flushing: state = .flushing(until: readingDeadline(now))
        case .aborting, .stopping, .over: break
        }
        // A second signal ends the host without waiting.
        guard isFirst else { return [.kill] }
        return isRelay ? [.stopRelay] : []
    }

    /// Until when the client may read its replies: as long as it takes, unless a signal came.
    private func readingDeadline(_ now: Int64) -> Int64? {
        switch signals {
        case 0: nil
        case 1: now + patience
        default: now
        }
    }

    // MARK: Consequences of the state

    /// Whether messages of clients are handled.
    package var admitsMessages: Bool {
        switch state {
        case .serving, .finishing: true
        case .draining, .aborting, .stopping, .flushing, .over: false
        }
    }

    /// Whether what began is being finished, so that nothing waits for a better time.
    package var isFinishing: Bool {
        switch state {
        case .finishing, .draining: true
        case .serving, .aborting, .stopping, .flushing, .over: false
        }
    }

    /// When ``Event/deadlinePassed`` is due.
    package var deadline: Int64? { if case .flushing(let deadline) = state { deadline } else { nil } }

    /// The exit code that the end asks for: 128 and the first signal, 0 for a relay that could finish; nil without a signal.
    package var exitCode: Int32? { isRelay && signals == 1 ? 0 : signal.map { 128 + $0 } }
}
