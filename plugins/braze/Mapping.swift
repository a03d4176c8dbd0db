import BrazeRules
import ExtensionKit
import JSON

/// The operator's options for the encoding of records.
struct MappingOptions: Equatable, Sendable {
    /// The app that events belong to.
    var appID: String?
    /// Whether no profiles are created.
    var updatesExistingOnly = false
    /// Whether an object is merged into the attribute's current one instead of replacing it.
    var mergesObjects = false
}

/// What the `attributes` object of a record must ask of Braze.
struct ObjectOptions: Equatable, Sendable {
    /// Whether the object must be merged (`true`) or must not be (`false`); `nil` if that is the same.
    var merges: Bool?
    /// Whether no profile is created.
    var updatesExistingOnly = false

    /// The options of an object that holds records with both; `nil` if there is none.
    func joined(_ other: ObjectOptions) -> ObjectOptions? {
        guard updatesExistingOnly == other.updatesExistingOnly, (merges ?? other.merges) == (other.merges ?? merges)
        else { return nil }
        return ObjectOptions(merges: merges ?? other.merges, updatesExistingOnly: updatesExistingOnly)
    }
}

/// A record as JSON text for a request.
struct EncodedRecord: Equatable, Sendable {
    /// The place of the record in a request.
    enum Form: Equatable, Sendable {
        /// A whole object of `events`.
        case event
        /// A member of an object of `attributes`; the key in UTF-8, because String compares canonical forms.
        case attribute(key: [UInt8], isPlain: Bool, object: ObjectOptions)
    }

    /// The record.
    let id: Int64
    /// The user, as an index of the users of the batch.
    let userIndex: Int
    let form: Form
    let bytes: [UInt8]

    /// Whether it is an event.
    var isEvent: Bool { form == .event }
}

/// Encodes the records of one batch.
struct Mapping {
    /// The widest limits: the host applied its own limits at capture, and a record that passed them is sent.
    ///
    /// The rules are checked again because Braze drops or shortens some values silently, treats a control member as
    /// an attribute, or answers with an error that costs the request's other records an attempt.
    private static let limits = RecordLimits.widest

    private static let noUser =
        "it has no user: name an external_id, user_alias or braze_id, or an email or phone, when it is saved or in flushPending"

    private let options: MappingOptions
    /// The users of the batch.
    private(set) var users: [Identity] = []
    /// The users' indices by the record's `user` and by the identifier, as JSON text.
    private var places: [[UInt8]: Result<Int, Unsendable>] = [:]
    private var placesByMember: [[UInt8]: Int] = [:]
    /// The last record's `user` and its index, since consecutive records often have the same user.
    private var last: (user: JSON.Object, place: Int)?
    private var key: [UInt8] = []
    /// The last event up to its time, since consecutive events often have the same user and name.
    private var opening: (user: Int, name: String, bytes: [UInt8]) = (-1, "", [])
    /// The last time as JSON text.
    private var time: (text: String, bytes: [UInt8]) = ("", [])

    init(_ options: MappingOptions) { self.options = options }

    /// Encodes a record.
    ///
    /// - Throws: Why it cannot be sent.
    mutating func encode(_ record: DeliveryRecord) throws(Unsendable) -> EncodedRecord {
        let user = try place(record.user)
        try Self.check(record.content)
        let updatesOnly = record.user.flatMap(Identity.updatesExistingOnly) ?? options.updatesExistingOnly
        switch record.content {
        case .customEvent(let name, let properties):
            let bytes = event(name, properties, record.time, user, updatesOnly)
            return EncodedRecord(id: record.id, userIndex: user, form: .event, bytes: bytes)
        case .customAttribute(let key, let value): return attribute(key, value, record.id, user, updatesOnly)
        case .userAttribute(let field, let value):
            if let reason = users[user].conflict(field, value) { throw .held(reason) }
            return attribute(field, value, record.id, user, updatesOnly)
        }
    }

    private static func check(_ content: DeliveryRecord.Content) throws(Unsendable) {
        do throws(RecordError) {
            switch content {
            case .customEvent(let name, let properties): try limits.checkEvent(name: name, properties: properties)
            case .customAttribute(let key, let value): try limits.checkAttribute(key: key, value: value)
            case .userAttribute(let field, let value): try limits.checkField(field, value: value)
            }
        } catch {
            let place = [error.place.parameter] + error.place.steps
            throw .rejected("\(error.text) (\(place.joined(separator: "/")))")
        }
    }

    private mutating func place(_ user: JSON.Object?) throws(Unsendable) -> Int {
        if let user, let last, user.isIdentical(to: last.user) { return last.place }
        key.removeAll(keepingCapacity: true)
        if let user { JSON.object(user).write(to: &key) }
        let place = try (places[key] ?? addUser(user)).get()
        if let user { last = (user, place) }
        return place
    }

    /// Adds a user in this spelling; the user may be known in another spelling.
    private mutating func addUser(_ user: JSON.Object?) -> Result<Int, Unsendable> {
        let place = Result { () throws(Unsendable) in try Self.identity(user) }.map { identity in
            if let known = placesByMember[identity.member] { return known }
            users.append(identity)
            placesByMember[identity.member] = users.count - 1
            return users.count - 1
        }
        places[key] = place
        return place
    }

    private static func identity(_ user: JSON.Object?) throws(Unsendable) -> Identity {
        do throws(IdentityError) {
            if let user, let identity = try Identity(user) { return identity }
        } catch {
            throw .rejected(error.text)
        }
        throw .held(noUser)
    }

    private mutating func event(
        _ name: String,
        _ properties: JSON.Object?,
        _ time: String,
        _ user: Int,
        _ updatesOnly: Bool
    ) -> [UInt8] {
        if opening.user != user || !opening.name.hasSameBytes(as: name) {
            opening = (user, name, eventOpening(name, users[user]))
        }
        if !self.time.text.hasSameBytes(as: time) { self.time = (time, JSON.string(time).bytes) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(opening.bytes.count + 128)
        bytes.append(contentsOf: opening.bytes)
        bytes.append(contentsOf: self.time.bytes)
        if let properties, !properties.isEmpty {
            bytes.append(literal: ",\"properties\":")
            JSON.object(properties).write(to: &bytes)
        }
        if updatesOnly { bytes.append(literal: ",\"_update_existing_only\":true") }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The beginning of an event's object, up to its time.
    private func eventOpening(_ name: String, _ user: Identity) -> [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        bytes.append(contentsOf: user.member)
        if let appID = options.appID {
            bytes.append(literal: ",\"app_id\":")
            JSON.string(appID).write(to: &bytes)
        }
        bytes.append(literal: ",\"name\":")
        JSON.string(name).write(to: &bytes)
        bytes.append(literal: ",\"time\":")
        return bytes
    }

    private func attribute(
        _ key: String,
        _ value: JSON,
        _ id: Int64,
        _ user: Int,
        _ updatesOnly: Bool
    ) -> EncodedRecord {
        let change = AttributeChange(value)
        var object = ObjectOptions(updatesExistingOnly: updatesOnly)
        var value = value
        switch change {
        case .merge(let members): (value, object.merges) = (members, true)
        // Without `_merge_objects`, `$update` overwrites the whole array of objects.
        case .objects: object.merges = value["$update"] == nil ? nil : true
        case .removal, .increment, .elements: break
        case nil: object.merges = value.object == nil || value["$time"] != nil ? nil : options.mergesObjects
        }
        var bytes = JSON.string(key).bytes
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
        let isPlain = change == nil && !(options.mergesObjects && value.object != nil)
        let form = EncodedRecord.Form.attribute(key: Array(key.utf8), isPlain: isPlain, object: object)
        return EncodedRecord(id: id, userIndex: user, form: form, bytes: bytes)
    }
}

extension String {
    /// Whether both have the same UTF-8 bytes; `==` compares canonical forms.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(start, other, left.count) == 0
            }
        }
    }
}
