internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Suites

/// The three saves, of clients and of extensions.
final class SaveService {
    private let limits: RecordLimits
    private let clock: Clock
    private let presentations: Presentations
    private let flushes: FlushService

    init(
        _ limits: RecordLimits,
        _ clock: Clock,
        _ presentations: Presentations,
        _ flushes: FlushService
    ) {
        self.limits = limits
        self.clock = clock
        self.presentations = presentations
        self.flushes = flushes
    }

    /// Finds the notification that a save names, so that it waits for what may end it, and whom the record is about.
    func prepare(_ invocation: Invocation) {
        presentations.setSubject(of: invocation)
        // The time of capture is that of the call, even if the call waits.
        _ = invocation.time(clock)
    }

    /// Judges a record by its limits, and says where in the params it breaks one.
    func check(
        _ arguments: Arguments,
        _ body: (RecordLimits) throws(RecordError) -> Void
    ) throws(RPCError) {
        do throws(RecordError) {
            try body(limits)
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
    func save(
        _ kind: RecordKind,
        _ name: String,
        _ value: JSON?,
        time: Int64?,
        _ invocation: Invocation
    ) throws -> HostMethod.Outcome {
        var user = try invocation.arguments.recordUser()
        let key = try invocation.arguments.idempotencyKey()
        /// The record, once it is known whom it is about.
        func record() -> RecordContent {
            RecordContent(kind: kind, name: name, value: value, time: time ?? invocation.time(clock), user: user)
        }
        func save(_ key: IdempotencyKey) -> RepeatableSave {
            RepeatableSave(record(), key: key, hasTime: time != nil, now: invocation.time(clock))
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
            if case .presentation(_, let payload) = invocation.subject { user = user ?? payload.user }
        }
        if kind == .userAttribute, let value, let user { try check(name, value, of: user, invocation.arguments) }
        flushes.policy.handleSave(in: invocation.knownSuite.name)
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
        if case .client = invocation.peer.role { _ = try presentations.live(invocation) }
        if invocation.presentation == nil {
            _ = try presentations.presentation(invocation.arguments, of: invocation.peer)
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
