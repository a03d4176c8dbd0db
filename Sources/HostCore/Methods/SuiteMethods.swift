internal import JSON
internal import JSONRPC
internal import Suites

extension MethodTable<HostMethod> {
    /// The methods about pending records that only a client calls.
    mutating func addSuiteMethods() {
        add("resetStorageKeys", ["suite?"], order: .suite) { _, call in
            .done(["removed": .integer(try call.knownSuite.removeRecords(RecordKind.allCases))])
        }
        add("suites", order: .allSuites) { host, _ in
            .done(["suites": JSON(try host.suiteNames().map { host.describe($0) })])
        }
        add("pending", ["suite?", "kind?", "after?", "limit?"], order: .suite) { _, call in
            let kind = try call.arguments.kind("kind")
            let after = try call.arguments.optionalInteger("after", in: 0...Int64.max) ?? 0
            let limit = try call.arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
            let suite = call.knownSuite
            let records = try suite.records(kind, after: after, limit: limit, byteLimit: ReplyLimits.pageBytes)
            return .done(["records": JSON(records.map(\.json)), "total": .integer(try suite.total(kind))])
        }
        add("flushPending", ["suite?", "to?", "user?", "limit?", "lease?"], order: .suite) { host, call in
            try host.flushPending(call)
        }
        add("acknowledge", ["suite?", "lease"], order: .suite) { host, call in
            let token = try call.arguments.name("lease")
            let count = try call.knownSuite.acknowledge(token, now: call.time(host))
            return .done(["acknowledged": .integer(count)])
        }
    }
}

extension Host {
    fileprivate func suiteNames() throws(RPCError) -> [SuiteName] {
        do throws(SuiteError) {
            return try store.names()
        } catch {
            throw HostError.suiteUnreadable(error.text)
        }
    }

    fileprivate func describe(_ name: SuiteName) -> JSON {
        do throws(SuiteError) {
            return ["suite": .string(name.text), "pending": .integer(try store.suite(name).total(nil))]
        } catch {
            return ["suite": .string(name.text), "error": RPCError(error, suite: name).json]
        }
    }

    /// Gives the caller pending records as the calls of the SDK that the guide makes.
    fileprivate func flushPending(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let destination = try arguments.optionalString("to") ?? "caller"
        guard destination == "caller" else {
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(destination)); this version flushes to caller",
                path: arguments.path("to")
            )
        }
        let user = try arguments.user("user")
        let limit = try arguments.optionalInteger("limit", in: 1...ReplyLimits.records) ?? ReplyLimits.records
        let seconds = try arguments.optionalInteger("lease", in: 1...86_400)
        let now = invocation.time(self)
        var lease = seconds.map { Lease(token: chance.uuid(), expires: now + $0 * 1000) }
        // Fixed chance may give a token that a host before this one gave too.
        while let taken = lease, try invocation.knownSuite.holds(taken.token) {
            lease = Lease(token: chance.uuid(), expires: taken.expires)
        }
        let taken = try invocation.knownSuite.take(
            limit: limit,
            byteLimit: ReplyLimits.pageBytes,
            lease: lease,
            now: now
        )
        let calls = taken.records.flatMap { SDKCalls.calls(of: $0.content, fallbackUser: user) }
        var members: [(String, JSON)] = [("calls", JSON(calls)), ("remaining", .integer(taken.remaining))]
        // A lease of nothing needs no acknowledgement.
        if let lease, !taken.records.isEmpty { members.append(("lease", .string(lease.token))) }
        return .done(.object(JSON.Object(members)))
    }
}

extension Record {
    /// The record as `pending` shows it.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [("id", .integer(id)), ("kind", .string(content.kind.word))]
        switch content.kind {
        case .customEvent:
            members.append(("name", .string(content.name)))
            if let value = content.value { members.append(("properties", value)) }
        case .customAttribute: members += [("key", .string(content.name)), ("value", content.value ?? .null)]
        case .userAttribute: members += [("field", .string(content.name)), ("value", content.value ?? .null)]
        }
        members.append(("time", .string(Timestamp.format(content.time))))
        if let user = content.user { members.append(("user", user)) }
        if isLeased { members.append(("leased", true)) }
        return .object(JSON.Object(members))
    }
}

/// Records as calls of Braze's SDK, under the names that it has there.
enum SDKCalls {
    /// The calls that a record stands for: one, but for `add` and `remove` one an element.
    static func calls(of record: NewRecord, fallbackUser: JSON?) -> [JSON] {
        let user = (record.user ?? fallbackUser).map { [("user", $0)] } ?? []
        return parts(of: record).map { .object(JSON.Object($0 + user)) }
    }

    private static func parts(of record: NewRecord) -> [[(String, JSON)]] {
        let value = record.value ?? .null
        switch record.kind {
        case .customEvent:
            let properties = record.value.map { [("properties", $0)] } ?? []
            let time = ("time", JSON.string(Timestamp.format(record.time)))
            return [[("call", "logCustomEvent"), ("name", .string(record.name))] + properties + [time]]
        case .userAttribute:
            return [[("call", "setUserAttribute"), ("field", .string(record.name)), ("value", value)]]
        case .customAttribute:
            return attribute(value).map { name, member in
                [("call", .string(name)), ("key", .string(record.name))] + (member.map { [$0] } ?? [])
            }
        }
    }

    private static func attribute(_ value: JSON) -> [(String, (String, JSON)?)] {
        switch value {
        case .null: return [("unsetCustomAttribute", nil)]
        case .array(let array) where array.allSatisfy({ $0.string != nil }):
            return [("setCustomAttributeArray", ("value", value))]
        case .object(let object) where object.count == 1:
            if let by = object["inc"], by.integer != nil { return [("incrementCustomUserAttribute", ("by", by))] }
            if let add = object["add"]?.array { return add.map { ("addToCustomAttributeArray", ("value", $0)) } }
            if let remove = object["remove"]?.array {
                return remove.map { ("removeFromCustomAttributeArray", ("value", $0)) }
            }
        default: break
        }
        return [("setCustomAttribute", ("value", value))]
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
