internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the three methods that save records, for clients or for extensions.
    ///
    /// - Parameters:
    ///   - saves: Saves the records.
    ///   - suites: Finds the suites of the calls.
    ///   - notification: The declaration of the parameter `notification`, which is required of extensions only.
    mutating func addSaveMethods(_ saves: SaveService, _ suites: SuiteService, notification: String) {
        let prepare: HostMethod.Preparation = { call throws(RPCError) in
            try suites.find(call)
            saves.prepare(call)
        }
        let event = ["suite?", "name", "properties?", "time?", "user?", notification, "idempotencyKey?"]
        add("saveCustomEvent", event, .save, prepare: prepare) { call in
            let arguments = call.arguments
            let name = try arguments.name("name")
            let properties = try arguments.optionalObject("properties")
            try saves.check(arguments) { limits throws(RecordError) in
                try limits.checkEvent(name: name, properties: properties)
            }
            let value = properties.flatMap { $0.isEmpty ? nil : JSON.object($0) }
            return try saves.save(.customEvent, name, value, time: try arguments.time("time"), call)
        }
        let attribute = ["suite?", "key", "value", "user?", notification, "idempotencyKey?"]
        add("saveCustomAttribute", attribute, .save, prepare: prepare) { call in
            let key = try call.arguments.name("key")
            let value = try call.arguments.value("value")
            try saves.check(call.arguments) { limits throws(RecordError) in
                try limits.checkAttribute(key: key, value: value)
            }
            return try saves.save(.customAttribute, key, value, time: nil, call)
        }
        let field = ["suite?", "field", "value", "user?", notification, "idempotencyKey?"]
        add("saveUserAttribute", field, .save, prepare: prepare) { call in
            let field = try call.arguments.name("field")
            let value = try call.arguments.value("value")
            try saves.check(call.arguments) { limits throws(RecordError) in
                try limits.checkField(field, value: value)
            }
            return try saves.save(.userAttribute, field, value, time: nil, call)
        }
    }

    /// Adds the methods of the guide's RemoteStorage, for clients or for extensions.
    mutating func addStorageMethods(
        _ suites: SuiteService,
        _ presentations: Presentations,
        _ jobs: JobService,
        _ limits: RecordLimits,
        extra: [String]
    ) {
        let prepare: HostMethod.Preparation = { call throws(RPCError) in
            try suites.find(call)
            // Only extensions have the parameter `notification` here.
            if case .extension = call.peer.role { _ = try presentations.presentation(call.arguments, of: call.peer) }
        }
        add("store", ["suite?", "key", "value"] + extra, .changeKey, prepare: prepare) { call in
            let key = try call.arguments.name("key")
            if let kind = RecordKind(storageKey: key) {
                throw HostError.reservedKey(
                    "the key \(key) holds pending records, which are saved one by one with \(kind.method)",
                    path: call.arguments.path("key")
                )
            }
            let value = try call.arguments.value("value")
            guard value.nests(within: limits.depth) else {
                let text = "a value nests at most \(limits.depth) deep"
                throw HostError.invalidRecord("not stored: \(text)", path: call.arguments.path("value"))
            }
            try call.knownSuite.store(value, forKey: key)
            return .done(["stored": true])
        }
        add("retrieve", ["suite?", "key"] + extra, .readKey, prepare: prepare) { call in
            let key = try call.arguments.name("key")
            let suite = call.knownSuite
            guard let kind = RecordKind(storageKey: key) else {
                return .done(["value": try suite.retrieve(forKey: key) ?? .null])
            }
            let size = try suite.checkFlatSize([kind], byteLimit: ReplyLimits.flatBytes).bytes
            guard size <= RetrieveJob.directByteLimit else { return jobs.begin(RetrieveJob(suite, kind), call) }
            return .done(["value": try suite.flatRecords(kind, byteLimit: ReplyLimits.flatBytes) ?? .null])
        }
        add("removeObject", ["suite?", "key"] + extra, .changeKey, prepare: prepare) { call in
            let key = try call.arguments.name("key")
            let suite = call.knownSuite
            guard let kind = RecordKind(storageKey: key) else {
                return .done(["removed": try suite.removeObject(forKey: key) ? 1 : 0])
            }
            return try jobs.apply(suite.removeRecords([kind]), call, counting: "removed")
        }
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
