internal import Calls
internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// A dry run of a flush: the destination says what it would send of the first batch.
///
/// Nothing is sent, claimed or changed.
struct FlushDryRun {
    private let invocation: Invocation
    private let destination: any Destination
    private let user: JSON?
    private let limit: Int64
    private let now: Int64
    private let outbox: Outbox

    /// Reads a request.
    init(
        _ invocation: Invocation,
        _ find: DestinationFinder,
        _ clock: Clock,
        _ outbox: Outbox
    ) throws(RPCError) {
        let arguments = invocation.arguments
        (self.invocation, self.outbox) = (invocation, outbox)
        let name = try arguments.optionalString("to") ?? CallerFlush.name
        guard name != CallerFlush.name else {
            let text = "a dry run needs a destination in to; pending shows the records that the caller would get"
            throw .invalidParams(path: arguments.path("dryRun"), text)
        }
        guard arguments["lease"] == nil else {
            throw .invalidParams(path: arguments.path("lease"), "a dry run takes no records, so there is no lease")
        }
        destination = try find(name, arguments.path("to"))
        user = try arguments.flushUser()
        limit = try arguments.optionalInteger("limit", in: 1...Int64.max) ?? .max
        now = invocation.time(clock)
    }

    /// Reads the first batch and asks the destination about it.
    func run(_ advice: SuiteDiagnostics) throws(SuiteError) -> HostMethod.Outcome {
        let suite = invocation.knownSuite
        let page = try suite.claims.read(
            1...Int64.max,
            records: Int(min(limit, Int64(OutgoingBatch.recordLimit))),
            bytes: OutgoingBatch.byteLimit,
            withLeasesExpiredAt: now
        )
        let remaining = try suite.leases.freeRecords(now: now)
        var diagnostics = page.damaged.map(\.diagnostic)
        let omitted = max(0, remaining - Int64(page.records.count + page.damaged.count))
        guard !page.records.isEmpty else {
            diagnostics += [advice.missingSuite(suite, invocation.arguments)].compactMap(\.self)
            return .done(result(DryRunReply([]), records: 0, omitted: omitted, remaining: remaining, diagnostics))
        }
        let batch = OutgoingBatch(
            queue: suite.name.text,
            identity: destination.isIdempotent ? try suite.identity() : nil,
            records: page.records,
            user: user?.description,
            isDryRun: true
        )
        invocation.peer.scheduler.begin(invocation)
        destination.dryRun(batch, invocation.arguments) { [self] reply in
            defer { invocation.peer.scheduler.end(invocation) }
            guard !invocation.call.isAnswered else { return }
            outbox.finish(
                invocation.call,
                reply.flatMap { reply in
                    if let text = reply.stop { return .failure(HostError.stopped(destination.name, text)) }
                    let count = batch.records.count - reply.rejected - reply.held
                    let all = diagnostics + reply.diagnostics
                    return .success(result(reply, records: count, omitted: omitted, remaining: remaining, all))
                },
                dependsOn: invocation.suite
            )
        }
        return .later
    }

    private func result(
        _ reply: DryRunReply,
        records: Int,
        omitted: Int64,
        remaining: Int64,
        _ diagnostics: [Diagnostic]
    ) -> JSON {
        JSON(present: [
            "requests": JSON(reply.requests), "records": JSON(records), "rejected": JSON(positive: reply.rejected),
            "held": JSON(positive: reply.held), "omitted": JSON(positive: omitted), "remaining": .integer(remaining),
            "diagnostics": JSON(diagnostics.map(\.json)),
        ])
    }
}
