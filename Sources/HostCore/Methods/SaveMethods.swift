internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Suites

extension MethodTable<HostMethod> {
    /// The three saves, which clients and extensions call alike.
    ///
    /// - Parameter notification: How the parameter `notification` is declared: extensions must name theirs.
    mutating func addSaveMethods(notification: String) {
        let event = ["suite?", "name", "properties?", "time?", "user?", notification, "idempotencyKey?"]
        add("saveCustomEvent", event, order: .append) { host, call in
            let arguments = call.arguments
            let name = try arguments.name("name")
            let properties = try arguments.optionalObject("properties")
            try host.check(arguments) { limits throws(RecordError) in
                try limits.checkEvent(name: name, properties: properties)
            }
            let value = properties.flatMap { $0.isEmpty ? nil : JSON.object($0) }
            return try host.save(.customEvent, name, value, time: try arguments.time("time"), call)
        }
        let attribute = ["suite?", "key", "value", "user?", notification, "idempotencyKey?"]
        add("saveCustomAttribute", attribute, order: .append) { host, call in
            let key = try call.arguments.name("key")
            let value = try call.arguments.value("value")
            try host.check(call.arguments) { limits throws(RecordError) in
                try limits.checkAttribute(key: key, value: value)
            }
            return try host.save(.customAttribute, key, value, time: nil, call)
        }
        let field = ["suite?", "field", "value", "user?", notification, "idempotencyKey?"]
        add("saveUserAttribute", field, order: .append) { host, call in
            let field = try call.arguments.name("field")
            let value = try call.arguments.value("value")
            try host.check(call.arguments) { limits throws(RecordError) in
                try limits.checkField(field, value: value)
            }
            return try host.save(.userAttribute, field, value, time: nil, call)
        }
    }

    /// The guide's RemoteStorage, which clients and extensions call alike.
    mutating func addStorageMethods(extra: [String]) {
        add("store", ["suite?", "key", "value"] + extra, order: .key) { host, call in
            let key = try call.arguments.name("key")
            if let kind = RecordKind(storageKey: key) {
                throw HostError.reservedKey(
                    "the key \(key) holds pending records, which are saved one by one with \(kind.method)",
                    path: call.arguments.path("key")
                )
            }
            let value = try call.arguments.value("value")
            guard value.nests(within: host.configuration.recordLimits.depth) else {
                let text = "a value nests at most \(host.configuration.recordLimits.depth) deep"
                throw HostError.invalidRecord("not stored: \(text)", path: call.arguments.path("value"))
            }
            try call.knownSuite.store(value, forKey: key)
            return .done(["stored": true])
        }
        add("retrieve", ["suite?", "key"] + extra, order: .key) { host, call in
            let key = try call.arguments.name("key")
            let suite = call.knownSuite
            guard let kind = RecordKind(storageKey: key) else {
                return .done(["value": try suite.retrieve(forKey: key) ?? .null])
            }
            let size = try suite.checkFlatSize([kind], byteLimit: ReplyLimits.flatBytes).bytes
            guard size <= RetrieveJob.atOnce else { return host.begin(RetrieveJob(suite, kind), call) }
            return .done(["value": try suite.flatRecords(kind, byteLimit: ReplyLimits.flatBytes) ?? .null])
        }
        add("removeObject", ["suite?", "key"] + extra, order: .key) { host, call in
            let key = try call.arguments.name("key")
            let suite = call.knownSuite
            guard let kind = RecordKind(storageKey: key) else {
                return .done(["removed": try suite.removeObject(forKey: key) ? 1 : 0])
            }
            return try host.make(suite.removeRecords([kind]), call, counting: "removed")
        }
    }
}

extension Host {
    /// Judges a record by its limits, and says where in the params it breaks one.
    fileprivate func check(
        _ arguments: Arguments,
        _ body: (RecordLimits) throws(RecordError) -> Void
    ) throws(RPCError) {
        do throws(RecordError) {
            try body(configuration.recordLimits)
        } catch {
            throw error.error(arguments)
        }
    }

    /// Checks that a standard field does not name another user than the one whose field it is.
    private func check(_ field: String, _ value: JSON, of user: JSON, _ arguments: Arguments) throws(RPCError) {
        guard Identity.isIdentifier(field), let identity = user.object.flatMap({ try? Identity($0) }),
            let reason = identity.conflict(field, value)
        else { return }
        throw RecordError(reason, RecordPlace("user", identity.name)).error(arguments)
    }

    /// Saves a record with the time of capture and whom it is about.
    fileprivate func save(
        _ kind: RecordKind,
        _ name: String,
        _ value: JSON?,
        time: Int64?,
        _ invocation: Invocation
    ) throws -> HostMethod.Outcome {
        var user = try invocation.arguments.recordUser()
        let key = try invocation.arguments.idempotencyKey()
        /// The record, once it is known whom it is about.
        func record() -> NewRecord {
            NewRecord(kind: kind, name: name, value: value, time: time ?? invocation.time(self), user: user)
        }
        func save(_ key: IdempotencyKey) -> RepeatableSave {
            RepeatableSave(record(), key: key, hasTime: time != nil, now: invocation.time(self))
        }
        if invocation.arguments["notification"] != nil {
            do throws(RPCError) {
                try checkPresentation(invocation)
            } catch {
                // Saved before the presentation ended, or before the host was started again, it need not be known.
                let isGone = ["unknownNotification", "noPresentation"].contains(error.reason)
                guard case .client = invocation.peer.role, isGone, let key else { throw error }
                guard let reply = try findRepeated(save(key), invocation) else { throw error }
                return .done(reply)
            }
            user = user ?? invocation.payload?.user
        }
        if kind == .userAttribute, let value, let user { try check(name, value, of: user, invocation.arguments) }
        noteSave(invocation.knownSuite)
        do throws(SuiteError) {
            guard let key else { return .done(["id": .integer(try invocation.knownSuite.save(record()))]) }
            return .done(try invocation.knownSuite.save(save(key)).reply)
        } catch {
            throw refusal(error, kind, invocation)
        }
    }

    /// Checks that the presentation is there that a save names.
    private func checkPresentation(_ invocation: Invocation) throws(RPCError) {
        // What an extension saved before it died is kept, even where the suite was busy then.
        if case .client = invocation.peer.role { _ = try notifications.live(invocation) }
        if invocation.presentation == nil {
            _ = try notifications.presentation(invocation.arguments, of: invocation.peer)
        }
    }

    /// The result of a save that was made before; nil if it was not.
    private func findRepeated(_ save: RepeatableSave, _ invocation: Invocation) throws -> JSON? {
        do throws(SuiteError) {
            return try invocation.knownSuite.findRepeated(save)?.reply
        } catch {
            throw refusal(error, save.record.kind, invocation)
        }
    }

    /// The error for what a suite does not take, with the place in the params.
    private func refusal(_ error: SuiteError, _ kind: RecordKind, _ invocation: Invocation) -> any Error {
        switch error {
        case .recordTooLarge(let bytes, let limit):
            let text = "a value has at most \(limit) bytes, this one \(bytes)"
            return RecordError(text, RecordPlace(kind == .customEvent ? "properties" : "value"))
                .error(invocation.arguments)
        case .keyReused(let id):
            let path = invocation.arguments.path("idempotencyKey")
            return RPCError(keyReusedFor: id, suite: invocation.knownSuite.name, path: path)
        default: return error
        }
    }
}

extension Saved {
    /// The result of a save on the wire.
    fileprivate var reply: JSON { isRepeated ? ["id": .integer(id), "repeated": true] : ["id": .integer(id)] }
}

extension Invocation {
    /// The suite of a call whose method has one.
    var knownSuite: Suite {
        guard let suite else { preconditionFailure("\(call.method) has no suite") }
        return suite
    }
}

extension RecordKind {
    /// The method that saves a record of the kind.
    var method: String {
        switch self {
        case .customEvent: "saveCustomEvent"
        case .customAttribute: "saveCustomAttribute"
        case .userAttribute: "saveUserAttribute"
        }
    }
}

/// How large a reply may be.
enum ReplyLimits {
    /// The greatest size of records in the guide's flat form, in bytes.
    static let flatBytes: Int64 = 16 << 20
    /// The greatest size of a page of records or of a flush to the caller, in bytes.
    static let pageBytes: Int64 = 8 << 20
    /// The greatest number of records in a page or a flush to the caller.
    static let records: Int64 = 1_000
}
