internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

extension Host {
    /// Gives the caller pending records as the calls of the SDK that the guide makes.
    func flushToCaller(_ invocation: Invocation, user: JSON?) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let limit = try arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
        let seconds = try arguments.optionalInteger("lease", in: 1...86_400)
        let suite = invocation.knownSuite
        try checkIsNotFlushed(suite)
        let now = invocation.time(self)
        guard try suite.newestRecord() > 0 else {
            let nothing: [(String, JSON)] = [("calls", []), ("remaining", 0)]
            return .done(.object(JSON.Object(nothing + missingSuiteMembers(suite, arguments))))
        }
        let (right, possiblySent, deadLetters) = try takeRightToFlush(suite)
        // Nothing was changed where the suite is held by another process; then the next try takes the right anew.
        defer { if suite.isInTransaction { rights[suite.name] = right } }
        var lease = seconds.map { Lease(token: random.uuid(), expires: now + $0 * 1000) }
        // Fixed chance may give a token that a host before this one gave too.
        while let taken = lease, try suite.holds(taken.token) {
            lease = Lease(token: random.uuid(), expires: taken.expires)
        }
        var diagnostics: [Diagnostic] = []
        let taken = try suite.take(limit: limit, byteLimit: ReplyLimits.pageBytes, lease: lease, now: now) {
            diagnostics.append($0.diagnostic)
        }
        let calls = taken.records.flatMap { SDKCalls.calls(of: $0, fallbackUser: user) }
        var members: [(String, JSON)] = [("calls", JSON(calls)), ("remaining", .integer(taken.remaining))]
        // A lease of nothing needs no acknowledgement.
        if let lease, !taken.records.isEmpty { members.append(("lease", .string(lease.token))) }
        if possiblySent > 0 { members.append(("possiblySent", .integer(possiblySent))) }
        if !deadLetters.isEmpty { members.append(("deadLetters", JSON(deadLetters.lazy.map(JSON.integer)))) }
        if !diagnostics.isEmpty { members.append(("diagnostics", JSON(diagnostics.map(\.json)))) }
        return .done(.object(JSON.Object(members)))
    }
}
