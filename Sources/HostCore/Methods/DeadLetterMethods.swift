internal import Calls
internal import Configuration
internal import Contract
internal import Delivering
internal import Foundation
internal import JSON
internal import JSONRPC
internal import Platform
internal import Records
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the methods about records that no destination accepted or that could not be imported.
    mutating func addDeadLetterMethods(
        _ suites: SuiteService,
        _ jobs: JobService,
        _ flushes: FlushService,
        _ advice: SuiteDiagnostics
    ) {
        add("deadLetters", ["suite?", "after?", "limit?"], .readRecords, prepare: suites.setSuite) { call in
            let after = try call.arguments.optionalInteger("after", in: 0...Int64.max) ?? 0
            let limit = try call.arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
            let suite = call.knownSuite
            let letters = try suite.deadLetters.page(after: after, limit: limit, byteLimit: ReplyLimits.pageBytes)
            return .done(
                JSON(present: [
                    "deadLetters": JSON(letters.map(\.json)), "total": .integer(try suite.deadLetters.total()),
                    "diagnostics": advice.missingSuite(suite, call.arguments).map { [$0.json] },
                ])
            )
        }
        add("retryDeadLetters", ["suite?", "ids?"], .changeRecords, prepare: suites.setSuite) { call in
            let ids = try call.arguments.ids("ids")
            let suite = call.knownSuite
            return try jobs.apply(suite.deadLetters.retry(ids), call, counting: "retried") {
                flushes.policy.handleSave(in: suite.name)
            }
        }
        add("discardDeadLetters", ["suite?", "ids?"], .changeRecords, prepare: suites.setSuite) { call in
            let ids = try call.arguments.ids("ids")
            return try jobs.apply(call.knownSuite.deadLetters.remove(ids), call, counting: "discarded")
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
