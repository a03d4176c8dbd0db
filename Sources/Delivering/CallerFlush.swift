internal import BrazeRules
internal import Calls
internal import Configuration
internal import Contract
internal import Delivery
package import JSON
package import JSONRPC
internal import Platform
internal import Suites

/// A flush to the caller: pending records as the calls of Braze's SDK that the guide makes.
struct CallerFlush {
    static let name = "caller"

    private let suite: Suite
    private let arguments: Arguments
    private let user: JSON?
    private let limit: Int64
    /// How long the caller leases the records, in seconds; nil if they are deleted.
    private let lease: Int64?
    /// The wall time of the request.
    private let time: () -> Int64

    /// Reads a request.
    init(_ invocation: Invocation, _ clock: Clock) throws(RPCError) {
        suite = invocation.knownSuite
        arguments = invocation.arguments
        user = try arguments.flushUser()
        limit = try arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
        lease = try arguments.optionalInteger("lease", in: 1...86_400)
        time = { invocation.time(clock) }
    }

    /// Removes the records from the suite, or leases them; after an error neither.
    func run(
        _ locks: inout FlushLocks,
        isIdempotent: (String) -> Bool,
        _ advice: SuiteDiagnostics,
        _ identifiers: IdentifierGenerator
    ) throws(SuiteError) -> JSON {
        let now = time()
        guard try suite.claims.newestRecord() > 0 else {
            return JSON(present: [
                "calls": [], "remaining": 0, "diagnostics": advice.missingSuite(suite, arguments).map { [$0.json] },
            ])
        }
        let (lock, recovery) = try locks.acquireAndRecover(suite, isIdempotent: isIdempotent)
        defer { locks.keepUntilCommit(lock, of: suite) }
        let lease = try makeLease(now: now, identifiers)
        var diagnostics: [Diagnostic] = []
        let taken = try suite.leases.take(limit: limit, byteLimit: ReplyLimits.pageBytes, lease: lease, now: now) {
            diagnostics.append($0.diagnostic)
        }
        let calls = taken.records.flatMap { SDKCalls.calls(of: $0, fallbackUser: user) }
        return JSON(present: [
            "calls": JSON(calls), "remaining": .integer(taken.remaining),
            // A lease without records needs no acknowledgement.
            "lease": taken.records.isEmpty ? nil : (lease?.token).map(JSON.string),
            "possiblySent": JSON(positive: recovery.ambiguousRecords),
            "deadLetters": JSON(nonEmpty: recovery.deadLetters),
            "diagnostics": JSON(nonEmpty: diagnostics.map(\.json)),
        ])
    }

    private func makeLease(now: Int64, _ identifiers: IdentifierGenerator) throws(SuiteError) -> Lease? {
        guard let lease else { return nil }
        var token = identifiers.uuid()
        // With a seed, an earlier host may have made the same token.
        while try suite.leases.contains(token) { token = identifiers.uuid() }
        return Lease(token: token, expires: now + lease * 1000)
    }
}

/// Of saves and flushes; `Calls`, where other parameters are read, does not know Braze's rules.
extension Arguments {
    /// An identity such as `{"braze_id": "…"}`; nil if it is absent.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - ruleError: Makes the error for a well-formed identity that breaks a rule of Braze, from a message and a path.
    /// - Returns: The identity as it was given.
    /// - Throws: The error for an invalid identity.
    package func user(_ name: String, ruleError: (String, String) -> RPCError) throws(RPCError) -> JSON? {
        guard let object = try optionalObject(name) else { return nil }
        let known = Identity.names + [Identity.updateMember]
        for (key, _) in object where !known.contains(key) {
            let path = self.path(name) + "/" + JSONPointer.escape(key)
            let text = "\(name) has no member \(key.excerpt()); it takes \(known.joined(separator: ", "))"
            throw .invalidParams(path: path, reason: "unknownParam", text)
        }
        let depth = RecordLimits().depth
        guard JSON.object(object).nests(within: depth) else {
            throw ruleError("\(name) nests at most \(depth) levels deep", path(name))
        }
        let hasIdentifier: Bool
        do throws(IdentityError) {
            hasIdentifier = try Identity.check(object)
        } catch {
            let path = self.path(name) + JSONPointer.pointer(error.steps)
            switch error.kind {
            case .form: throw .invalidParams(path: path, reason: "mistypedParam", error.text)
            case .rule: throw ruleError(error.text, path)
            }
        }
        guard hasIdentifier else {
            let text = "\(name) names nobody; it takes one of \(Identity.names.joined(separator: ", "))"
            throw .invalidParams(path: path(name), reason: "mistypedParam", text)
        }
        return .object(object)
    }

    /// The user of the records that name none; nil if it is absent.
    func flushUser() throws(RPCError) -> JSON? {
        try user("user") { .invalidParams(path: $1, $0) }
    }
}
