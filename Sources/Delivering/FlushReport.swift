internal import Calls
package import Contract
internal import Delivery
package import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// Reports a flush to clients: its progress, status and result.
struct FlushReport {
    private let suite: Suite
    private let destination: String
    private let flush: Flush
    private let clock: Clock
    /// How long the flush has run, in milliseconds; nil if reports must not depend on the speed.
    private let elapsed: Int64?
    /// How long the flush pauses before the next attempt, in milliseconds.
    private let pause: Int64?

    init(_ run: FlushRun, of suite: Suite, _ clock: Clock, _ settings: FlushSettings) {
        let now = Clock.monotonic()
        self.suite = suite
        self.clock = clock
        destination = run.destination.name
        flush = run.flush
        elapsed = settings.isLockStep ? nil : max(1, now - run.start)
        pause = flush.pause(at: now)
    }

    /// The members that name the flush.
    private var identification: MemberList {
        ["suite": .string(suite.name.text), "to": .string(destination)]
    }

    /// How many records are still pending and not leased.
    private var remaining: Result<Int64, SuiteError> {
        Result { () throws(SuiteError) in try suite.leases.freeRecords(now: clock.wallTime()) }
    }

    /// The flush as `status` shows it.
    var status: JSON {
        let now: MemberList = ["retryAfter": pause.map(JSON.integer), "problem": flush.problem.map(JSON.string)]
        return JSON(present: identification + flush.progress.members + now)
    }

    /// How many records the destination decided about.
    var settled: Int64 { flush.progress.settled }

    /// The progress in words.
    var text: String { "\(flush.progress.delivered) delivered to \(destination), \(flush.progress.rejected) rejected" }

    /// The params of `$/progress`.
    var notification: JSON {
        let counts: MemberList = [
            "delivered": .integer(flush.progress.delivered), "rejected": .integer(flush.progress.rejected),
            "remaining": (try? remaining.get()).map(JSON.integer),
            "rate": elapsed.map { .integer(flush.progress.delivered * 1000 / $0) },
        ]
        return JSON(present: identification + counts)
    }

    /// The answer to `flushPending`.
    func result(_ ending: Flush.Ending) -> Result<JSON, RPCError> {
        let remaining = self.remaining
        // Absent if the suite cannot be read, because 0 would say that nothing is pending.
        let counts = flush.progress.members + ["remaining": (try? remaining.get()).map(JSON.integer)]
        switch ending {
        case .done, .cancelled:
            return remaining.map { flush.progress.result(remaining: $0, flush.progress.diagnostics) }
                .mapError { RPCError($0, suite: suite.name).with(counts) }
        case .stopped(let text):
            return .failure(
                HostError.destinationStopped("\(destination) accepts no records until an operator acts: \(text)").with(
                    counts
                )
            )
        case .unavailable(let problem, let pause):
            let text = "\(destination) accepts no records now: \(problem); try again in \(pause) ms"
            return .failure(HostError.destinationUnavailable(text).with(counts + ["retryAfter": .integer(pause)]))
        case .refused(let error): return .failure(RPCError(error, suite: suite.name).with(counts))
        }
    }
}

extension FlushProgress {
    /// The counts under the names of the contract.
    fileprivate var members: MemberList {
        [
            "delivered": .integer(delivered), "rejected": .integer(rejected), "possiblySent": .integer(possiblySent),
            "held": JSON(positive: heldRecords),
        ]
    }

    /// The result of `flushPending`.
    package func result(remaining: Int64, _ diagnostics: [Diagnostic]) -> JSON {
        JSON(present: members + ["remaining": .integer(remaining), "diagnostics": JSON(diagnostics.map(\.json))])
    }
}

extension RPCError {
    /// The same error with further members in its data.
    fileprivate func with(_ members: MemberList) -> RPCError {
        RPCError(code: code, message: message, data: JSON(present: (data?.members ?? [:]) + members))
    }
}
