internal import BrazeRules
internal import Calls
internal import Configuration
internal import Contract
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Presenting
internal import Records
internal import Suites

extension MethodTable<HostMethod> {
    /// Adds the three methods that save records, for clients or for extensions.
    ///
    /// `notification` declares the parameter of that name, which extensions must give and clients may omit.
    mutating func addSaveMethods(_ saves: SaveService, notification: String) {
        let common = ["user?", notification, "idempotencyKey?"]
        let event = ["suite?", "name", "properties?", "time?"] + common
        add("saveCustomEvent", event, .save, prepare: saves.prepare, saves.saveCustomEvent)
        let attribute = ["suite?", "key", "value"] + common
        add("saveCustomAttribute", attribute, .save, prepare: saves.prepare, saves.saveCustomAttribute)
        let field = ["suite?", "field", "value"] + common
        add("saveUserAttribute", field, .save, prepare: saves.prepare, saves.saveUserAttribute)
    }

    /// Adds the methods of the guide's RemoteStorage, for clients or for extensions.
    mutating func addStorageMethods(
        _ suites: SuiteService,
        _ presentations: Presentations,
        _ jobs: JobService,
        _ saves: SaveService,
        _ lists: PendingLists,
        _ limits: RecordLimits,
        extra: [String]
    ) {
        let prepare: OrderedMethod.Preparation = { invocation throws(RPCError) in
            try suites.setSuite(of: invocation, allowsStandard: true)
            // Only extensions have the parameter `notification` here.
            if case .extension = invocation.peer.role {
                _ = try presentations.presentation(invocation.arguments, of: invocation.peer)
            }
        }
        let prepareStore: OrderedMethod.Preparation = { invocation throws(RPCError) in
            try invocation.namesRecords ? saves.prepareList(invocation) : prepare(invocation)
        }
        add("store", ["suite?", "key", "value"] + extra, .changeKey, prepare: prepareStore) { invocation in
            let key = try invocation.arguments.name("key")
            let value = try invocation.arguments.value("value")
            guard value.nests(within: limits.depth) else {
                let text = "a value nests at most \(limits.depth) deep"
                throw HostError.invalidRecord("not stored: \(text)", path: invocation.arguments.path("value"))
            }
            if let kind = RecordKind(storageKey: key) { return try lists.store(kind, invocation) }
            try invocation.knownSuite.defaults.store(value, forKey: key)
            return .done(["stored": true])
        }
        add("retrieve", ["suite?", "key"] + extra, .readKey, prepare: prepare) { invocation in
            let key = try invocation.arguments.name("key")
            if let kind = RecordKind(storageKey: key) { return try lists.retrieve(kind, invocation) }
            return .done(["value": try invocation.knownSuite.defaults.retrieve(forKey: key) ?? .null])
        }
        add("removeObject", ["suite?", "key"] + extra, .changeKey, prepare: prepare) { invocation in
            let key = try invocation.arguments.name("key")
            let suite = invocation.knownSuite
            guard let kind = RecordKind(storageKey: key) else {
                return .done(["removed": try suite.defaults.removeObject(forKey: key) ? 1 : 0])
            }
            let outcome = try jobs.apply(suite.pending.remove([kind]), invocation, counting: "removed")
            lists.forget([kind], invocation)
            return outcome
        }
    }
}
