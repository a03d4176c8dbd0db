package import Contract
package import JSON
internal import Platform
package import Suites

/// A source's answer to `pull`.
package struct PullReply {
    package private(set) var records: [StoredRecord] = []
    /// The records that cannot be read, each with the reason: they become dead letters.
    package private(set) var unreadable: [(id: Int64, reason: String)] = []
    /// The identifier of the source's queue.
    package let identity: String
    /// The part of the destination's rate limit that this host may use; nil if it shares the limit with no other one.
    package let share: Double?
    /// The number of records in the queue that are not settled, if the source knows it.
    package let pending: Int64?
    /// The time of the oldest of them, in milliseconds since 1970.
    package let oldest: Int64?

    /// The members of a record.
    private enum Member: Int, CaseIterable {
        case id, suite, kind, name, key, field, properties, value, time, user, possiblySent
    }

    private static let names = Names(Member.allCases.map { "\($0)" })

    /// Reads the result of `pull`.
    ///
    /// - Parameter value: The result.
    /// - Throws: What is wrong with it.
    package init(_ value: JSON) throws(ReplyError) {
        guard let object = value.object, let list = object["records"]?.array else {
            throw ReplyError("pull must be answered with an object that has records")
        }
        guard let identity = object["identity"]?.string, identity.utf8.count == 32,
            identity.utf8.allSatisfy({ Self.digits.contains($0) })
        else { throw ReplyError("identity must be 32 hexadecimal digits") }
        self.identity = identity
        share = try object["share"].map { share throws(ReplyError) in try Self.share(share) }
        pending = object["pending"]?.integer
        oldest = object["oldest"]?.string.flatMap(Timestamp.parse)
        records.reserveCapacity(list.count)
        var ids: Set<Int64> = []
        try list.visit(Self.names) { index, members throws(ReplyError) in
            guard let members, let id = members.integer(at: Member.id.rawValue), id > 0 else {
                throw ReplyError("the record \(index) has no id")
            }
            guard ids.insert(id).inserted else { throw ReplyError("it names the record \(id) twice") }
            do throws(Problem) {
                records.append(try Self.record(id, members, after: records.last))
            } catch {
                unreadable.append((id, "the record cannot be read: \(error.text)"))
            }
        }
    }

    private static let digits = Set("0123456789abcdef".utf8)

    /// Reads a part of a rate limit.
    ///
    /// - Parameter value: The part.
    /// - Returns: A number above 0 and at most 1.
    /// - Throws: What is wrong with it.
    package static func share(_ value: JSON) throws(ReplyError) -> Double {
        guard let share = value.number, share > 0, share <= 1 else {
            throw ReplyError("share must be a number above 0 and at most 1")
        }
        return share
    }

    /// The problem of a record.
    private struct Problem: Error {
        let text: String
    }

    private static func record(
        _ id: Int64,
        _ members: FoundMembers,
        after previous: StoredRecord?
    ) throws(Problem) -> StoredRecord {
        // The text of the previous record is only a guess, which saves making an equal string.
        func text(_ member: Member, likely previous: String?) -> String? {
            members.text(at: member.rawValue, likely: previous)
        }
        let word = text(.kind, likely: previous?.kind.word)
        guard let kind = RecordKind.allCases.first(where: { $0.word == word }) else {
            throw Problem(text: "its kind is unknown")
        }
        let (nameMember, valueMember): (Member, Member) =
            switch kind {
            case .customEvent: (.name, .properties)
            case .customAttribute: (.key, .value)
            case .userAttribute: (.field, .value)
            }
        guard let name = text(nameMember, likely: previous?.name) else { throw Problem(text: "it has no name") }
        guard let suite = text(.suite, likely: previous?.suite) else { throw Problem(text: "it has no suite") }
        guard let time = text(.time, likely: nil).flatMap(Timestamp.parse) else {
            throw Problem(text: "its time is invalid")
        }
        let value = members.json(at: valueMember.rawValue)
        // An attribute without a value must not be taken for null, which removes the attribute.
        guard kind == .customEvent || value != nil else { throw Problem(text: "it has no value") }
        if kind == .customEvent, value != nil, !members.isObject(at: valueMember.rawValue) {
            throw Problem(text: "its properties are not an object")
        }
        let user = members.json(at: Member.user.rawValue)
        if user != nil, !members.isObject(at: Member.user.rawValue) { throw Problem(text: "its user is not an object") }
        return StoredRecord(
            id: id,
            kind: kind,
            name: name,
            value: value == "null" ? nil : value,
            time: time,
            user: user,
            // Within limits in which it can be counted on.
            possiblySent: min(max(0, members.integer(at: Member.possiblySent.rawValue) ?? 0), 1 << 53),
            suite: suite
        )
    }
}

/// A source's answer to `begin` or `settle`.
package struct LostRecordsReply {
    /// The records that are not this host's any more.
    package let lost: Set<Int64>
    /// When the others must have been sent, in milliseconds since 1970; nil if they may be sent at any time.
    package let sendUntil: Int64?

    /// Reads the result of `begin` or `settle`.
    package init(_ value: JSON, to method: String) throws(ReplyError) {
        guard let object = value.object else { throw ReplyError("\(method) must be answered with an object") }
        sendUntil = try object["sendUntil"].map { value throws(ReplyError) in
            guard let time = value.string.flatMap(Timestamp.parse) else {
                throw ReplyError("sendUntil must be a time in RFC 3339")
            }
            return time
        }
        guard let list = object["lost"] else {
            lost = []
            return
        }
        guard let ids = list.array?.integers else { throw ReplyError("lost must hold ids") }
        lost = Set(ids)
    }
}
