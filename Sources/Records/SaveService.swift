package import BrazeRules
package import Calls
package import Configuration
internal import Contract
package import Delivering
internal import JSON
package import JSONRPC
internal import Notifications
package import Platform
package import Presenting
internal import Spelling
package import Suites

/// The methods `saveCustomEvent`, `saveCustomAttribute` and `saveUserAttribute`, of clients and of extensions.
package final class SaveService {
    private let limits: RecordLimits
    private let clock: Clock
    private let suites: SuiteService
    private let presentations: Presentations
    private let flushes: FlushService
    private let publisher: Publisher

    package init(
        _ limits: RecordLimits,
        _ clock: Clock,
        _ suites: SuiteService,
        _ presentations: Presentations,
        _ flushes: FlushService,
        _ publisher: Publisher
    ) {
        self.limits = limits
        self.clock = clock
        self.suites = suites
        self.presentations = presentations
        self.flushes = flushes
        self.publisher = publisher
    }

    /// Sets the suite of a save, and the presentation that it names; the save waits for calls that may end that.
    package func prepare(_ invocation: Invocation) throws(RPCError) {
        try prepare(invocation, namesNotification: invocation.arguments.has("notification"))
    }

    /// Does the same for the storage of a list, for which only extensions have the parameter `notification`.
    package func prepareList(_ invocation: Invocation) throws(RPCError) {
        var isExtension: Bool { if case .extension = invocation.peer.role { true } else { false } }
        try prepare(invocation, namesNotification: isExtension)
    }

    private func prepare(_ invocation: Invocation, namesNotification: Bool) throws(RPCError) {
        try suites.setSuite(of: invocation)
        if namesNotification { presentations.setNotification(ofSave: invocation) }
        // A record is captured when the call arrives, even if the call waits.
        _ = invocation.time(clock)
    }

    // MARK: The methods

    /// Saves an event.
    package func saveCustomEvent(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let name = try invocation.arguments.name("name")
        let properties = try invocation.arguments.optionalObject("properties")
        try limits.checkEvent(name: name, properties: properties)
        let value = properties.flatMap { $0.isEmpty ? nil : JSON.object($0) }
        return try save(.customEvent, name, value, time: try invocation.arguments.time("time"), invocation)
    }

    /// Saves a custom attribute.
    package func saveCustomAttribute(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let key = try invocation.arguments.name("key")
        let value = try invocation.arguments.value("value")
        try limits.checkAttribute(key: key, value: value)
        return try save(.customAttribute, key, value, time: nil, invocation)
    }

    /// Saves a standard field of the user's profile.
    package func saveUserAttribute(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let field = try invocation.arguments.name("field")
        let value = try invocation.arguments.value("value")
        try limits.checkField(field, value: value)
        return try save(.userAttribute, field, value, time: nil, invocation)
    }

    // MARK: Saving

    /// Saves a record with the time of capture and the user that it is about.
    private func save(
        _ kind: RecordKind,
        _ name: String,
        _ value: JSON?,
        time: Int64?,
        _ invocation: Invocation
    ) throws -> HostMethod.Outcome {
        let suite = invocation.knownSuite
        let captured = invocation.time(clock)
        var user = try invocation.arguments.recordUser()
        let key = try invocation.arguments.idempotencyKey()
        func record(of user: JSON?) -> RecordContent {
            RecordContent(kind: kind, name: name, value: value, time: time ?? captured, user: user)
        }
        /// A save that has an effect only once.
        func keyed(_ record: RecordContent, _ key: IdempotencyKey) -> RepeatableSave {
            RepeatableSave(record, key: key, hasTime: time != nil, now: captured)
        }
        if invocation.arguments.has("notification") {
            do throws(RPCError) {
                try checkPresentation(invocation)
            } catch {
                // A client may repeat a save after the presentation ended or the host was restarted.
                let isGone = ["unknownNotification", "noPresentation"].contains(error.reason)
                guard case .client = invocation.peer.role, isGone, let key else { throw error }
                let saved = try inSuite(of: invocation, kind) { () throws(SuiteError) in
                    try suite.repeatableSaves.find(keyed(record(of: user), key))
                }
                guard let saved else { throw error }
                return saved.outcome
            }
            if let named = invocation.object as? NamedPresentation { user = user ?? named.payload.user }
        }
        if kind == .userAttribute, let value, let user { try Self.checkIdentity(name, value, of: user) }
        let saved = try inSuite(of: invocation, kind) { () throws(SuiteError) in
            guard let key else { return Saved(id: try suite.pending.save(record(of: user)), isRepeated: false) }
            return try suite.repeatableSaves.save(keyed(record(of: user), key))
        }
        if !saved.isRepeated {
            flushes.policy.handleSave(in: suite.name)
            publish(saved.id, in: suite, of: invocation)
        }
        return saved.outcome
    }

    /// Saves records that are checked: all of them, or none.
    func save(_ records: [RecordContent], _ invocation: Invocation) throws(SuiteError) {
        let suite = invocation.knownSuite
        let ids = try suite.pending.save(records)
        flushes.policy.handleSave(in: suite.name)
        for id in ids { publish(id, in: suite, of: invocation) }
    }

    /// The user of the notification for which an extension stores a list; nil if its payload has none.
    func userOfList(_ invocation: Invocation) throws(RPCError) -> JSON? {
        guard case .extension = invocation.peer.role else { return nil }
        try checkPresentation(invocation)
        return (invocation.object as? NamedPresentation)?.payload.user
    }

    /// Notifies subscribers of a record that an extension saved; a client knows of its own.
    private func publish(_ id: Int64, in suite: Suite, of invocation: Invocation) {
        guard case .extension = invocation.peer.role else { return }
        let notification = invocation.arguments["notification"] ?? .null
        publisher.publish(.didSave, dependsOn: suite) {
            ["notification": notification, "suite": .string(suite.name.text), "id": .integer(id)]
        }
    }

    /// Checks that a standard field does not name another user than the one whose field it is.
    static func checkIdentity(_ field: String, _ value: JSON, of user: JSON) throws(RecordError) {
        guard Identity.isIdentifier(field), let identity = user.object.flatMap({ try? Identity($0) }),
            let reason = identity.conflict(field, value)
        else { return }
        throw RecordError(reason, RecordPlace("user", identity.name))
    }

    /// Checks that the presentation exists that a save names.
    private func checkPresentation(_ invocation: Invocation) throws(RPCError) {
        // A save of an extension whose process ended is kept, even if the suite was locked at that time.
        if case .client = invocation.peer.role { _ = try presentations.live(invocation) }
        if invocation.presentation == nil {
            _ = try presentations.presentation(invocation.arguments, of: invocation.peer)
        }
    }

    /// Runs an operation of the suite; an error names the parameter that caused it.
    private func inSuite<Result>(
        of invocation: Invocation,
        _ kind: RecordKind,
        _ body: () throws(SuiteError) -> Result
    ) throws -> Result {
        do throws(SuiteError) {
            return try body()
        } catch .recordTooLarge(let bytes, let limit) {
            let text = "a value has at most \(limit) bytes, this one \(bytes)"
            throw RecordError(text, RecordPlace(kind == .customEvent ? "properties" : "value"))
        } catch .keyReused(let id) {
            let path = invocation.arguments.path("idempotencyKey")
            throw RPCError(keyReusedFor: id, suite: invocation.knownSuite.name, path: path)
        }
    }
}

extension Saved {
    fileprivate var outcome: HostMethod.Outcome {
        isRepeated ? .done(["id": .integer(id), "repeated": true]) : .saved(id: id)
    }
}

extension Arguments {
    /// The user of a record; nil if it is absent.
    fileprivate func recordUser() throws(RPCError) -> JSON? {
        try user("user") { HostError.invalidRecord("not saved: \($0)", path: $1) }
    }
}

extension RecordPlace {
    /// The part of the JSON Pointer after the parameter.
    package var pointer: String { JSONPointer.pointer(steps) }
}

extension RecordError: ArgumentError {
    package func error(_ arguments: Arguments) -> RPCError {
        HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + place.pointer)
    }
}

/// Finds the suite of a call.
package final class SuiteService {
    private let defaultSuite: String
    private let store: SuiteStore
    /// The suite of the last call, which the next call often names too.
    private var lastSuite: Suite?

    package init(_ configuration: HostConfiguration, _ store: SuiteStore) {
        defaultSuite = configuration.defaultSuite
        self.store = store
    }

    /// Sets the suite of a call about records.
    package func setSuite(of invocation: Invocation) throws(RPCError) {
        try setSuite(of: invocation, allowsStandard: false)
    }

    /// Sets the suite of a call to the one that it names, or to the default; an extension may only name one of its App
    /// Groups.
    ///
    /// - Parameters:
    ///   - invocation: The call.
    ///   - allowsStandard: Whether an extension may name `standard`, its own defaults, which no other extension can read. Records
    ///     cannot be saved there, since its app would never see them.
    /// - Throws: `notEntitled` or `invalidSuiteName`.
    package func setSuite(of invocation: Invocation, allowsStandard: Bool) throws(RPCError) {
        // Compared as bytes, without making a string.
        if case .client = invocation.peer.role, let name = invocation.arguments.text("suite"), let lastSuite,
            lastSuite.name.isEqual(to: name)
        {
            return invocation.suite = lastSuite
        }
        let given = try invocation.arguments.optionalString("suite")
        let text: String
        switch invocation.peer.role {
        case .client, .control: text = given ?? defaultSuite
        case .extension(let caller):
            let groups = caller.applicationGroups
            // As on a phone, the file of these defaults has the name of the bundle.
            if allowsStandard, given == SuiteName.standard.text {
                text = caller.identifier
                break
            }
            guard let group = given ?? groups.first, groups.contains(group) else {
                throw HostError.notEntitled(
                    "\(caller.identifier) may not touch \(given?.excerpt() ?? "any suite"): "
                        + (groups.isEmpty
                            ? "its entitlements list no App Group"
                            : "its App Groups are \(groups.joined(separator: ", "))"),
                    path: invocation.arguments.path("suite")
                )
            }
            text = group
        }
        // Not by Swift's equality, which ignores how a character is composed.
        if let lastSuite, lastSuite.name.text.utf8.elementsEqual(text.utf8) { return invocation.suite = lastSuite }
        guard let name = SuiteName(text) else {
            throw HostError.invalidSuiteName(
                "\(JSON.string(text).excerpt()) is not a valid suite name: \(SuiteName.rule)",
                path: invocation.arguments.path("suite")
            )
        }
        let suite = store.suite(name)
        lastSuite = suite
        invocation.suite = suite
    }
}
