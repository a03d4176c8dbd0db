internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Platform
internal import Records
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the methods about suites that only a client may call.
    mutating func addSuiteMethods(
        _ suites: SuiteService,
        _ list: SuiteList,
        _ jobs: JobService,
        _ lists: PendingLists,
        _ flushes: FlushService,
        _ outbox: Outbox,
        _ clock: Clock
    ) {
        add("resetStorageKeys", ["suite?"], .changeRecords, prepare: suites.setSuite) { invocation in
            let outcome = try jobs.apply(
                invocation.knownSuite.pending.remove(RecordKind.allCases),
                invocation,
                counting: "removed"
            )
            lists.forget(RecordKind.allCases, invocation)
            return outcome
        }
        add("suites", [], .readEverySuite) { invocation in
            // The reply covers every suite, so it must not wait for the transaction of one of them.
            outbox.commit()
            return jobs.summarize(try list.suiteNames(), invocation) { ["suites": JSON($0.map(SuiteList.describe))] }
        }
        add("pending", ["suite?", "kind?", "after?", "limit?"], .readRecords, prepare: suites.setSuite) { invocation in
            let kind = try invocation.arguments.kind("kind")
            let after = try invocation.arguments.optionalInteger("after", in: 0...Int64.max) ?? 0
            let limit =
                try invocation.arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
            let suite = invocation.knownSuite
            var diagnostics: [Diagnostic] = []
            let records = try suite.pending.records(kind, after: after, limit: limit, byteLimit: ReplyLimits.pageBytes)
            {
                diagnostics.append($0.diagnostic)
            }
            let abandoned = try suite.claims.abandonedRecords()
            let advice = SuiteDiagnostics(store: list.store)
            if records.isEmpty,
                let missing = advice.missingSuite(suite, invocation.arguments)
                    ?? advice.emptyDefault(suite, invocation.arguments)
            {
                diagnostics.append(missing)
            }
            return .done(
                JSON(present: [
                    "records": JSON(records.map { $0.json(isAbandoned: abandoned.contains($0.id)) }),
                    "total": .integer(try suite.pending.total(kind)),
                    "possiblySent": JSON(positive: try suite.claims.possiblySentRecords()),
                    "diagnostics": JSON(nonEmpty: diagnostics.map(\.json)),
                ])
            )
        }
        let flushParameters = ["suite?", "to?", "user?", "limit?", "lease?", "dryRun?"]
        add("flushPending", flushParameters, .flush, prepare: suites.setSuite) { try flushes.flushPending($0) }
        add("checkDestination", ["to"], .readBundles) { try flushes.checkDestination($0) }
        add("acknowledge", ["suite?", "lease"], .changeRecords, prepare: suites.setSuite) { invocation in
            let token = try invocation.arguments.name("lease")
            let count = try invocation.knownSuite.leases.acknowledge(token, now: invocation.time(clock))
            return .done(["acknowledged": .integer(count)])
        }
    }
}

/// Lists suites.
struct SuiteList {
    let store: SuiteStore

    func suiteNames() throws(RPCError) -> [SuiteName] {
        do throws(SuiteError) {
            return try store.names()
        } catch {
            throw HostError.suiteUnreadable(error.text)
        }
    }

    /// A suite as `suites` returns it.
    static func describe(_ suite: SummaryJob.Summary) -> JSON {
        switch suite.content {
        case .success(let summary):
            return JSON(present: [
                "suite": .string(suite.name.text), "pending": .integer(summary.pending),
                "deadLetters": .integer(summary.deadLetters), "deliveries": JSON(summary.deliveries.map(\.json)),
                "possiblySent": JSON(positive: summary.possiblySent),
            ])
        case .failure(let error):
            return ["suite": .string(suite.name.text), "error": RPCError(error, suite: suite.name).json]
        }
    }
}

extension DeliveryTotals {
    /// The totals as `suites` returns them.
    fileprivate var json: JSON {
        JSON(present: [
            "to": .string(destination), "delivered": .integer(delivered), "rejected": .integer(rejected),
            "possiblySent": .integer(ambiguousDeliveries), "failures": JSON(positive: failures),
            "notBefore": notBefore.map { .string(Timestamp.format($0)) }, "problem": problem.map(JSON.string),
        ])
    }
}

extension Record {
    /// The record as `pending` returns it; abandoned if a host died during its delivery and no flush has counted that yet.
    fileprivate func json(isAbandoned: Bool) -> JSON {
        var members = [("id", .integer(id))] + content.members
        if isLeased { members.append(("leased", true)) }
        let times = possiblySent + (isAbandoned ? 1 : 0)
        if times > 0 { members.append(("possiblySent", .integer(times))) }
        return .object(JSON.Object(members))
    }
}

extension RecordContent {
    /// The members that `pending` returns for the record besides its id.
    var members: [(String, JSON)] {
        var members: [(String, JSON)] = [("kind", .string(kind.word))]
        switch kind {
        case .customEvent:
            members.append(("name", .string(name)))
            if let value { members.append(("properties", value)) }
        case .customAttribute: members += [("key", .string(name)), ("value", value ?? .null)]
        case .userAttribute: members += [("field", .string(name)), ("value", value ?? .null)]
        }
        members.append(("time", .string(Timestamp.format(time))))
        if let user { members.append(("user", user)) }
        return members
    }
}

extension Arguments {
    fileprivate func kind(_ name: String) throws(RPCError) -> RecordKind? {
        guard let word = try optionalString(name) else { return nil }
        guard let kind = RecordKind(word: word) else {
            throw mistyped(name, "one of \(RecordKind.allCases.map(\.word).joined(separator: ", "))")
        }
        return kind
    }
}

extension MethodTable<HostMethod> {
    /// Adds the methods about records that no destination accepted or that could not be imported.
    mutating func addDeadLetterMethods(
        _ suites: SuiteService,
        _ jobs: JobService,
        _ flushes: FlushService,
        _ advice: SuiteDiagnostics
    ) {
        add("deadLetters", ["suite?", "after?", "limit?"], .readRecords, prepare: suites.setSuite) { invocation in
            let after = try invocation.arguments.optionalInteger("after", in: 0...Int64.max) ?? 0
            let limit =
                try invocation.arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
            let suite = invocation.knownSuite
            let letters = try suite.deadLetters.page(after: after, limit: limit, byteLimit: ReplyLimits.pageBytes)
            return .done(
                JSON(present: [
                    "deadLetters": JSON(letters.map(\.json)), "total": .integer(try suite.deadLetters.total()),
                    "diagnostics": advice.missingSuite(suite, invocation.arguments).map { [$0.json] },
                ])
            )
        }
        add("retryDeadLetters", ["suite?", "ids?"], .changeRecords, prepare: suites.setSuite) { invocation in
            let ids = try invocation.arguments.ids("ids")
            let suite = invocation.knownSuite
            return try jobs.apply(suite.deadLetters.retry(ids), invocation, counting: "retried") {
                flushes.policy.handleSave(in: suite.name)
            }
        }
        add("discardDeadLetters", ["suite?", "ids?"], .changeRecords, prepare: suites.setSuite) { invocation in
            let ids = try invocation.arguments.ids("ids")
            return try jobs.apply(invocation.knownSuite.deadLetters.remove(ids), invocation, counting: "discarded")
        }
    }
}

extension DeadLetter {
    /// The dead letter as `deadLetters` returns it: the record as in `pending`, or unreadable bytes in Base64.
    fileprivate var json: JSON {
        let content: MemberList =
            record.map { MemberList($0.members) }
            ?? ["kind": kind.map { .string($0.word) }, "bytes": .string(Data(bytes ?? []).base64EncodedString())]
        return JSON(
            present: ["id": .integer(id)] + content
                + ["reason": .string(reason), "diedAt": .string(Timestamp.format(died))]
        )
    }
}

extension Arguments {
    /// The ids of dead letters; nil if the parameter is absent, which means all of them.
    fileprivate func ids(_ name: String) throws(RPCError) -> [Int64]? {
        guard self[name] != nil else { return nil }
        var ids: [Int64] = []
        for (index, value) in try array(name).enumerated() {
            guard let id = value.integer, id > 0 else {
                throw .invalidParams(
                    path: "\(path(name))/\(index)",
                    "\(value.excerpt()) is not the id of a dead letter"
                )
            }
            ids.append(id)
        }
        return ids
    }
}

extension MethodTable<HostMethod> {
    /// Adds the methods that import and export the property list of an App Group, and copy a suite as it is.
    mutating func addFileMethods(_ lists: PropertyListService, _ backups: BackupService, _ suites: SuiteService) {
        add("importSuite", ["suite?", "path"], .changeSuite, prepare: suites.setSuite) { invocation in
            try lists.importSuite(invocation)
        }
        add("exportSuite", ["suite?", "path", "format?"], .readSuite, prepare: suites.setSuite) { invocation in
            try lists.exportSuite(invocation)
        }
        add("backUpSuite", ["suite?", "folder", "dryRun?"], .readSuite, prepare: suites.setSuite) { invocation in
            try backups.backUpSuite(invocation)
        }
    }
}
