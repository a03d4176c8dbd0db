public import JSON
internal import JSONRPC

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A source: it hands out the records of a durable queue, and stores what became of them.
///
/// The host delivers the records to a destination with the same retries, order and rules as the records of a suite. Mark
/// the type `@main`, and set `PushhostSourceName` in the bundle's `Info.plist`. On Linux other processes of the same user
/// cannot read the memory or the environment of a source, as for a ``DestinationExtension``.
public protocol SourceExtension: Sendable {
    /// Creates the only object of the process, when the host activates it.
    ///
    /// - Parameter context: The settings of the host, its log, and what the source may tell it.
    init(context: SourceContext)

    /// Hands out records.
    ///
    /// The host makes one call at a time, and calls ``begin(_:)`` and ``settle(_:)`` meanwhile. The records are this host's
    /// until it settles or gives them back, or this process ends. They do not count as sent: if this process dies before
    /// the host begins them, they come again with the same `possiblySent`.
    ///
    /// The records of one user must come in their order. While the host holds a record of a user, the source may hand out
    /// later records of that user, but never earlier ones.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - wait: How long to wait if there is no record now; return no records then.
    /// - Returns: The records, and the state of the source.
    /// - Throws: An ``ExtensionError`` if nothing was handed out; the host calls again after a pause.
    func pull(limit: Int, wait: Duration) async throws -> PulledRecords

    /// Stores that records may be sent from now on, durably before it returns.
    ///
    /// The host makes one call at a time, for the records of the batches that it sends next; it sends no record before. If
    /// this process or the host dies then, a record comes again with a `possiblySent` that is higher by one, unless
    /// a settlement says that it was not sent. A record that is begun and not settled counts once, however often it is begun.
    ///
    /// - Parameter ids: Records that were handed out.
    /// - Returns: Which of them the host may send, and until when.
    /// - Throws: An ``ExtensionError`` if not all is stored; the host then sends none of the records, and begins them again
    ///   or gives them back.
    func begin(_ ids: [Int64]) async throws -> BegunRecords

    /// Stores what became of records that were handed out, durably before it returns.
    ///
    /// The host makes one call at a time. It repeats a call that throws, so a repeated call must have the same effect as
    /// a single one.
    ///
    /// - Parameter settlement: What became of the records.
    /// - Returns: The records that do not belong to this process any more, for which nothing was stored.
    /// - Throws: An ``ExtensionError`` if nothing was stored; the host repeats the call.
    func settle(_ settlement: SourceSettlement) async throws -> [Int64]

    /// Gives back all records that were handed out and not settled, because the host asks the process to end.
    ///
    /// None of these records is being sent. A ``pull(limit:wait:)`` that waits should return. No further call is made. If
    /// the host dies, the process ends without this call: what was begun may have been sent.
    func stop() async
}

/// The environment of a source and its way to the host; any thread may use it.
public struct SourceContext: Sendable {
    /// The severity of a log message.
    public typealias LogLevel = DestinationContext.LogLevel

    /// The variables of the host's environment that the plist lists in `PushhostEnvironment` and that are set.
    ///
    /// They are not in the environment of this process, which other processes of the same user could read at its start.
    public let environment: [String: String]

    let notify: @Sendable (_ method: String, _ params: JSON) -> Void

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - message: One sentence for people, without secrets.
    public func log(_ level: LogLevel, _ message: String) {
        notify("log", ["level": .string(level.rawValue), "message": .string(message)])
    }

    /// Takes records back, because they belong to another host now; the host does not send them any more.
    ///
    /// A record that is being sent at this moment cannot be called back, and is not settled. Call this for records that
    /// ``SourceExtension/pull(limit:wait:)`` is about to return, too: the host does not send these either, and gives them
    /// back with ``SourceSettlement/retry``.
    ///
    /// - Parameter ids: The records.
    public func revoke(_ ids: [Int64]) {
        notify("revoked", ["ids": .array(JSON.Array(integers: ids))])
    }

    /// Says which part of the destination's rate limit this host may use from now on.
    ///
    /// - Parameter share: More than 0 and at most 1.
    public func setShare(_ share: Double) { notify("share", ["share": .real(share)]) }
}

/// Records that a source hands out, and the state of the source.
public struct PulledRecords: Sendable {
    /// The records, at most as many as were asked for.
    public var records: [SourceRecord]
    /// An identifier of the source's queue, as 32 hexadecimal digits.
    ///
    /// The id of a record is never used for another one while the identifier stays the same.
    public var identity: String
    /// The part of the destination's rate limit that this host may use now: more than 0 and at most 1; nil if no other host
    /// delivers from the queue.
    public var share: Double?
    /// The number of records in the queue that are not settled; nil if the source does not know.
    public var pending: Int64?
    /// The time of the oldest of these records: RFC 3339, UTC, milliseconds.
    public var oldest: String?

    /// Records of a source.
    public init(
        _ records: [SourceRecord] = [],
        identity: String,
        share: Double? = nil,
        pending: Int64? = nil,
        oldest: String? = nil
    ) {
        self.records = records
        self.identity = identity
        self.share = share
        self.pending = pending
        self.oldest = oldest
    }
}

/// A record that a source hands out.
public struct SourceRecord: Sendable {
    /// The id by which the host settles the record: positive, unique in the source, ascending for each user.
    public let id: Int64
    private let form: Form

    private enum Form: Sendable {
        /// The record on the wire.
        case json(JSON)
        /// The record on the wire without its id and its suite, as the text of a JSON object that is not empty.
        case text(ArraySlice<UInt8>, suite: String, possiblySent: Int)
    }

    /// A record of a suite.
    ///
    /// - Parameters:
    ///   - record: The record, with the id by which the host settles it.
    ///   - suite: The suite that the record comes from.
    public init(_ record: DeliveryRecord, suite: String) {
        var members: [(String, JSON)] = [("id", .integer(record.id)), ("suite", .string(suite))]
        switch record.content {
        case .customEvent(let name, let properties):
            members += [("kind", "customEvent"), ("name", .string(name))]
            if let properties { members.append(("properties", .object(properties))) }
        case .customAttribute(let key, let value):
            members += [("kind", "customAttribute"), ("key", .string(key)), ("value", value)]
        case .userAttribute(let field, let value):
            members += [("kind", "userAttribute"), ("field", .string(field)), ("value", value)]
        }
        members.append(("time", .string(record.time)))
        if let user = record.user { members.append(("user", .object(user))) }
        self.init(id: record.id, members, possiblySent: record.possiblySent)
    }

    /// A record in the form that it has in `deliver`, with its suite as the member `suite`.
    ///
    /// A record that the host cannot read becomes a dead letter of the source.
    ///
    /// - Parameters:
    ///   - id: The id by which the host settles the record; it replaces the one in the members.
    ///   - members: The members of the record; any that the contract does not name are left out.
    ///   - possiblySent: How often the record may have been sent before.
    public init(id: Int64, members: JSON.Object, possiblySent: Int) {
        let known = Self.names.compactMap { name in members[name].map { (name, $0) } }
        self.init(id: id, [("id", .integer(id))] + known, possiblySent: possiblySent)
    }

    /// A record as the text of a JSON object, which is passed on to the host without being parsed.
    ///
    /// A record that the host cannot read becomes a dead letter of the source.
    ///
    /// - Parameters:
    ///   - id: The id by which the host settles the record.
    ///   - suite: The suite that the record comes from.
    ///   - text: An object with the members of the record in `deliver`, without `id` and `possiblySent`. Any other text is a
    ///     record without members.
    ///   - possiblySent: How often the record may have been sent before.
    public init(id: Int64, suite: String, text: ArraySlice<UInt8>, possiblySent: Int) {
        let isPlain = text.count > 2 && text.withUnsafeBytes { PlainText.isObject($0, without: Self.own) }
        guard !isPlain else {
            self.init(id: id, .text(text, suite: suite, possiblySent: possiblySent))
            return
        }
        let members = (try? JSON(parsing: Array(text)))?.object ?? [:]
        self.init(id: id, members: members.setting("suite", to: .string(suite)), possiblySent: possiblySent)
    }

    /// The names of the members that the source adds to a text.
    private static let own: [StaticString] = ["id", "suite", "possiblySent"]

    private static let names = ["suite", "kind", "name", "key", "field", "properties", "value", "time", "user"]

    private init(id: Int64, _ members: [(String, JSON)], possiblySent: Int) {
        let sent = possiblySent > 0 ? [("possiblySent", JSON(possiblySent))] : []
        self.init(id: id, .json(.object(JSON.Object(members + sent))))
    }

    private init(id: Int64, _ form: Form) { (self.id, self.form) = (id, form) }

    /// The record on the wire; nil if it is a text.
    fileprivate var json: JSON? {
        if case .json(let json) = form { json } else { nil }
    }

    fileprivate func write(to output: inout [UInt8]) {
        switch form {
        case .json(let json): json.write(to: &output)
        case .text(let text, let suite, let possiblySent):
            output.append(literal: "{\"id\":")
            output.append(decimal: id)
            output.append(literal: ",\"suite\":")
            JSON.string(suite).write(to: &output)
            if possiblySent > 0 {
                output.append(literal: ",\"possiblySent\":")
                output.append(decimal: Int64(possiblySent))
            }
            output.append(UInt8(ascii: ","))
            output += text.dropFirst()
        }
    }
}

extension PulledRecords {
    /// The records as a reply on the wire.
    var reply: JSON {
        let values = records.compactMap(\.json)
        let state = JSON(present: [
            "records": values.count == records.count ? JSON(values) : nil, "identity": .string(identity),
            "share": share.map(JSON.real), "pending": pending.map(JSON.integer), "oldest": oldest.map(JSON.string),
        ])
        guard values.count < records.count else { return state }
        var text = Array("{\"records\":[".utf8)
        for (index, record) in records.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            record.write(to: &text)
        }
        text.append(literal: "],")
        text += state.bytes.dropFirst()
        return JSON(objectText: text)
    }
}

/// The answer to ``SourceExtension/begin(_:)``.
public struct BegunRecords: Sendable {
    /// The records that do not belong to this process any more, which the host does not send.
    public var lost: [Int64]
    /// When the destination must have begun to send the others, since another process may have them after that; nil if it
    /// may send them at any time.
    public var sendUntil: Date?

    /// Records that may be sent.
    public init(lost: [Int64] = [], sendUntil: Date? = nil) { (self.lost, self.sendUntil) = (lost, sendUntil) }
}

/// What became of records that a source handed out; a record is in at most one list.
public struct SourceSettlement: Sendable {
    /// A record that will never be accepted, and the reason.
    public typealias DeadLetter = DeliveryResult.Refusal

    /// The records that the destination accepted: they are removed from the queue.
    public var delivered: [Int64] = []
    /// The records that no destination will accept: they become dead letters with their reasons.
    public var dead: [DeadLetter] = []
    /// The records that may have arrived.
    ///
    /// The host keeps them, and begins them again before it delivers them once more. The attempt that was counted by
    /// ``SourceExtension/begin(_:)`` stays counted, whatever becomes of them.
    public var uncertain: [Int64] = []
    /// The records that the host gives back, which come again before later records of their users.
    ///
    /// They were not sent since they were pulled, or since they were last in ``uncertain`` or ``unsent``. If they were begun
    /// since then, that attempt does not count any more.
    public var retry: [Int64] = []
    /// The records that were begun and that the host did not send, for example because the destination asked for a pause.
    ///
    /// The host keeps them, and begins them again before it sends them. The attempt that was counted by
    /// ``SourceExtension/begin(_:)`` does not count any more.
    public var unsent: [Int64] = []

    /// A settlement of no record.
    public init() {}
}

extension SourceSettlement {
    /// Reads the params of `settle`.
    init(_ arguments: Arguments) throws {
        func ids(_ name: String) throws -> [Int64] { arguments[name] == nil ? [] : try arguments.ids(name) }
        delivered = try ids("delivered")
        uncertain = try ids("uncertain")
        retry = try ids("retry")
        unsent = try ids("unsent")
        guard arguments["dead"] != nil else { return }
        dead = try arguments.array("dead").enumerated().map { index, letter in
            guard let id = letter["id"]?.integer, let reason = letter["reason"]?.string else {
                let path = "/params/dead/\(index)"
                throw RPCError.invalidParams(path: path, "a dead letter must have an id and a reason")
            }
            return DeadLetter(id, reason)
        }
    }
}

extension Arguments {
    /// The ids of records in a list that must be present.
    func ids(_ name: String) throws -> [Int64] {
        guard let ids = try array(name).integers else {
            throw RPCError.invalidParams(path: "/params/\(name)", "\(name) must hold the ids of records")
        }
        return ids
    }
}
