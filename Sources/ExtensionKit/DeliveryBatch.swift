public import JSON
internal import JSONRPC
internal import Platform

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A batch of records for a destination to deliver.
public struct DeliveryBatch: Sendable {
    /// The suite that contains the records.
    public let suite: String
    /// An identifier of the suite's file, as 32 hexadecimal digits; only for an idempotent destination.
    ///
    /// Together with the id and the content of a record it identifies the record in all of its deliveries. A copy of the
    /// file has the same identifier and may hold other records under the same ids.
    public let suiteIdentity: String?
    /// The records in the order of capture, which delivery must keep for each user.
    public let records: [DeliveryRecord]
    /// Whether to send the service a harmless request before anything is delivered.
    ///
    /// It is true if the last reply was ambiguous, or if the batch holds records that may have been sent before. If the
    /// service does not answer that request, deliver nothing and return an empty result. Otherwise each outage costs
    /// records, since a record that is uncertain twice becomes a dead letter.
    public let probe: Bool
    /// The part of the service's rate limit that this process may use from now on: more than 0, at most 1; nil if no other
    /// process delivers to the service.
    ///
    /// It may change from batch to batch, since other processes begin and end. What one of them gives up, another one uses
    /// at once, so send no more in a part of the limit's window than the same part of the share.
    public let rateShare: Double?
    /// When this process must have begun to send the records, since another one may send them after that; nil if it may
    /// send them at any time.
    ///
    /// Look before each request. What is not sent by then, leave out of the result.
    public let sendUntil: Date?

    /// A batch of those records.
    public init(
        suite: String,
        records: [DeliveryRecord],
        probe: Bool = false,
        suiteIdentity: String? = nil,
        rateShare: Double? = nil,
        sendUntil: Date? = nil
    ) {
        self.suite = suite
        self.suiteIdentity = suiteIdentity
        self.records = records
        self.probe = probe
        self.rateShare = rateShare
        self.sendUntil = sendUntil
    }
}

/// A record of a suite: an event or a change of a user's profile.
public struct DeliveryRecord: Sendable {
    /// The content of a record.
    public enum Content: Sendable {
        /// A custom event; the properties are nil if it has none.
        case customEvent(name: String, properties: JSON.Object?)
        /// A custom attribute: a value, `null` to remove it, or an object that describes a change.
        case customAttribute(key: String, value: JSON)
        /// A standard field of the user's profile.
        case userAttribute(field: String, value: JSON)
    }

    /// The id by which the result refers to the record.
    public let id: Int64
    /// How often the record may have been sent before.
    public let possiblySent: Int
    private let form: Form

    fileprivate enum Form: Sendable {
        case read(Members)
        /// The record as an object without `id` and `possiblySent`, and the place of the user in it.
        case text(ArraySlice<UInt8>, user: Range<Int>?)
    }

    fileprivate struct Members: Sendable {
        let content: Content
        let time: String
        let user: JSON.Object?
    }

    /// The event or the change.
    public var content: Content { members.content }
    /// The time of capture: RFC 3339, UTC, milliseconds.
    public var time: String { members.time }
    /// The user, such as `{"external_id": "ada"}`: the record's own, or that of the flush if the record has none.
    public var user: JSON.Object? { members.user }

    /// The record as the text of a JSON object, without `id` and `possiblySent`, and the text of its user, if it has one.
    ///
    /// Nil unless ``DestinationExtension/keepsTexts`` is true, and even then for a record in an unusual form.
    public var text: (record: ArraySlice<UInt8>, user: ArraySlice<UInt8>?)? {
        guard case .text(let text, let user) = form else { return nil }
        return (text, user.map { text[$0] })
    }

    private var members: Members {
        switch form {
        case .read(let members): return members
        case .text(let text, _):
            var reader = RecordReader(keepsTexts: false)
            var members: Members?
            let list = JSON.Array([(try? JSON(parsing: Array(text))) ?? .null])
            list.visit(RecordReader.names) { _, found in members = found.flatMap { try? reader.members($0, id) } }
            guard let members else { preconditionFailure("the text of the record \(id) was checked before") }
            return members
        }
    }

    /// A record.
    public init(id: Int64, _ content: Content, time: String, user: JSON.Object? = nil, possiblySent: Int = 0) {
        self.init(id: id, possiblySent: possiblySent, .read(Members(content: content, time: time, user: user)))
    }

    fileprivate init(id: Int64, possiblySent: Int, _ form: Form) {
        (self.id, self.possiblySent, self.form) = (id, possiblySent, form)
    }
}

/// Reads records from their form on the wire.
///
/// Consecutive records often have the same user, name or time; these share one value.
private struct RecordReader {
    /// The index of each name in ``names``.
    private enum Member {
        static let (id, kind, name, properties, time) = (0, 1, 2, 3, 4)
        static let (user, value, key, field, possiblySent) = (5, 6, 7, 8, 9)
    }

    static let names = Names([
        "id", "kind", "name", "properties", "time", "user", "value", "key", "field", "possiblySent",
    ])

    private let keepsTexts: Bool
    private var lastName: String?
    private var lastTime: String?
    private var lastUser: JSON.Object?

    init(keepsTexts: Bool) { self.keepsTexts = keepsTexts }

    mutating func read(_ members: FoundMembers?) throws(RecordFormatError) -> DeliveryRecord {
        guard let members else { throw RecordFormatError(id: nil, text: "is not an object") }
        guard let id = members.integer(at: Member.id) else { throw RecordFormatError(id: nil, text: "has no id") }
        let possiblySent = Int(clamping: members.integer(at: Member.possiblySent) ?? 0)
        if keepsTexts, let text = Self.text(members) { return DeliveryRecord(id: id, possiblySent: possiblySent, text) }
        return DeliveryRecord(id: id, possiblySent: possiblySent, .read(try self.members(members, id)))
    }

    mutating func members(_ members: FoundMembers, _ id: Int64) throws(RecordFormatError) -> DeliveryRecord.Members {
        guard let time = members.text(at: Member.time, likely: lastTime) else {
            throw RecordFormatError(id: id, text: "has no time")
        }
        lastTime = time
        let user = members.object(at: Member.user, likely: lastUser)
        if user != nil { lastUser = user }
        return DeliveryRecord.Members(content: try content(members, id), time: time, user: user)
    }

    /// The text of a record that has it in the form in which hosts write it, and all members that it must have.
    private static func text(_ members: FoundMembers) -> DeliveryRecord.Form? {
        guard let text = members.text, let id = members.place(at: Member.id), id.lowerBound == idStart.count,
            text.starts(with: idStart), text[id.upperBound] == UInt8(ascii: ",")
        else { return nil }
        func first(_ member: Int) -> UInt8? { members.place(at: member).map { text[$0.lowerBound] } }
        let (quote, brace) = (UInt8(ascii: "\""), UInt8(ascii: "{"))
        let isWhole =
            if members.isText("customEvent", at: Member.kind) {
                first(Member.name) == quote && [nil, brace].contains(first(Member.properties))
            } else if members.isText("customAttribute", at: Member.kind) {
                first(Member.key) == quote && first(Member.value) != nil
            } else if members.isText("userAttribute", at: Member.kind) {
                first(Member.field) == quote && first(Member.value) != nil
            } else {
                false
            }
        guard isWhole, first(Member.time) == quote, [nil, brace].contains(first(Member.user)) else { return nil }
        var end = text.count - 1
        if let sent = members.place(at: Member.possiblySent) {
            guard sent.upperBound == end, text[..<sent.lowerBound].suffix(sentStart.count).elementsEqual(sentStart)
            else { return nil }
            end = sent.lowerBound - sentStart.count
        }
        let start = id.upperBound
        guard start < end else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - start + 1)
        bytes.append(brace)
        bytes += text[(start + 1)..<end]
        bytes.append(UInt8(ascii: "}"))
        // The brace takes the place of the comma.
        let user = members.place(at: Member.user).map { $0.lowerBound - start..<$0.upperBound - start }
        return .text(bytes[...], user: user)
    }

    private static let (idStart, sentStart) = (Array("{\"id\":".utf8), Array(",\"possiblySent\":".utf8))

    private mutating func content(
        _ members: FoundMembers,
        _ id: Int64
    ) throws(RecordFormatError) -> DeliveryRecord.Content {
        if members.isText("customEvent", at: Member.kind) {
            let name = try name(members, Member.name, id)
            return .customEvent(name: name, properties: members.object(at: Member.properties))
        }
        if members.isText("customAttribute", at: Member.kind) {
            return .customAttribute(key: try name(members, Member.key, id), value: members[Member.value] ?? .null)
        }
        if members.isText("userAttribute", at: Member.kind) {
            return .userAttribute(field: try name(members, Member.field, id), value: members[Member.value] ?? .null)
        }
        throw RecordFormatError(id: id, text: "has the unknown kind \(members[Member.kind] ?? .null)")
    }

    private mutating func name(
        _ members: FoundMembers,
        _ member: Int,
        _ id: Int64
    ) throws(RecordFormatError) -> String {
        guard let name = members.text(at: member, likely: lastName) else {
            throw RecordFormatError(id: id, text: "has no name")
        }
        lastName = name
        return name
    }
}

/// The error for a record that cannot be read.
private struct RecordFormatError: Error {
    let id: Int64?
    let text: String
}

extension ExpectedValue where Value == Date {
    /// A time on the wire.
    static var time: Self {
        Self("a time in RFC 3339") { json in
            json.string.flatMap(Timestamp.parse).map { Date(timeIntervalSince1970: Double($0) / 1_000) }
        }
    }
}

extension ExpectedValue where Value == Double {
    /// A part of a whole.
    static var share: Self {
        Self("a number greater than 0 and at most 1") { $0.number.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil } }
    }
}

extension DeliveryBatch {
    /// Reads a batch from its form on the wire.
    ///
    /// - Returns: The batch, and the records that cannot be read, which stay pending with a reason.
    /// - Throws: An error if a record has no id, since the result could not refer to it.
    static func read(
        suite: String,
        identity: String?,
        _ records: JSON.Array,
        keepsTexts: Bool,
        probe: Bool,
        rateShare: Double?,
        sendUntil: Date?
    ) throws(RPCError) -> (batch: DeliveryBatch, unreadable: [DeliveryResult.Refusal]) {
        var read: [DeliveryRecord] = []
        read.reserveCapacity(records.count)
        var unreadable: [DeliveryResult.Refusal] = []
        var reader = RecordReader(keepsTexts: keepsTexts)
        try records.visit(RecordReader.names) { index, members throws(RPCError) in
            do throws(RecordFormatError) {
                read.append(try reader.read(members))
            } catch {
                let text = "the record \(error.text)"
                guard let id = error.id else {
                    throw .invalidParams(path: "/params/batch/\(index)", text)
                }
                unreadable.append(DeliveryResult.Refusal(id, text))
            }
        }
        let batch = DeliveryBatch(
            suite: suite,
            records: read,
            probe: probe,
            suiteIdentity: identity,
            rateShare: rateShare,
            sendUntil: sendUntil
        )
        return (batch, unreadable)
    }
}

/// The outcome of the records of a batch.
///
/// A record that is in no list was not attempted: it stays pending and is offered
/// again after the host's own pause, or after ``retryAfter`` if that is longer.
public struct DeliveryResult: Equatable, Sendable {
    /// A record that was not delivered, and the reason.
    public struct Refusal: Equatable, Sendable {
        /// The record.
        public let id: Int64
        /// One sentence for people.
        public let reason: String

        /// A record that is refused for that reason.
        public init(_ id: Int64, _ reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// A diagnostic for the caller of the flush.
    public struct Diagnostic: Equatable, Sendable {
        /// A stable word for programs.
        public let reason: String
        /// One sentence for people.
        public let message: String

        /// A diagnostic.
        public init(reason: String, _ message: String) {
            self.reason = reason
            self.message = message
        }
    }

    /// The records that the service has accepted; the host deletes them.
    public var accepted: [Int64] = []
    /// The records that the service will never accept; they become dead letters.
    public var rejected: [Refusal] = []
    /// The records that may have arrived.
    ///
    /// The host offers them once more, with ``DeliveryRecord/possiblySent``. A record
    /// that is uncertain a second time becomes a dead letter; an increment becomes one at once.
    public var uncertain: [Int64] = []
    /// The records that stay pending; this flush does not offer them again.
    public var held: [Refusal] = []
    /// The minimum time before the next delivery; the host's own pause may be longer.
    public var retryAfter: Duration?
    /// If set, the flush ends and all records are kept; it says what an operator has to do.
    public var stop: String?
    /// The diagnostics for the caller of the flush.
    public var diagnostics: [Diagnostic] = []

    /// A result that names no record: nothing was attempted.
    public init() {}

    /// A result in which those records were accepted.
    ///
    /// - Parameter accepted: The numbers of the records.
    public init(accepted: [Int64]) { self.accepted = accepted }
}

extension DeliveryResult {
    /// The result as a reply on the wire; empty members are left out.
    var json: JSON {
        func refusals(_ list: [Refusal]) -> JSON? {
            JSON(nonEmpty: list.map { ["id": .integer($0.id), "reason": .string($0.reason)] })
        }
        return JSON(present: [
            "accepted": JSON(nonEmpty: accepted), "rejected": refusals(rejected),
            "uncertain": JSON(nonEmpty: uncertain), "held": refusals(held),
            "retryAfter": retryAfter.map { .integer($0.wholeMilliseconds) }, "stop": stop.map(JSON.string),
            "diagnostics": JSON(
                nonEmpty: diagnostics.map { ["reason": .string($0.reason), "message": .string($0.message)] }
            ),
        ])
    }
}

extension Duration {
    /// Whole milliseconds, rounded up so that nothing starts too early; never negative.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, again) = product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return overflow || again ? .max : sum
    }
}
