import ExtensionKit
import JSON

/// What records become, as an operator decides.
struct MappingOptions: Equatable, Sendable {
    /// The app that events are counted for.
    var appID: String?
    /// Whether profiles that do not exist are left so.
    var updatesExistingOnly = false
    /// Whether an object is merged into the attribute's present one instead of replacing it.
    var mergesObjects = false
    /// Braze's limits.
    var limits = ValueLimits()
}

/// A record on its way into a request, as JSON text.
struct Draft: Equatable, Sendable {
    /// What it becomes.
    enum Form: Equatable, Sendable {
        /// A whole object of `events`.
        case event
        /// A member of an object of `attributes`; the key in UTF-8, because String compares canonical forms.
        case attribute(key: [UInt8], isPlain: Bool)
    }

    /// The record.
    let id: Int64
    /// Whom it is about: a place among the users of the batch.
    let user: Int
    let form: Form
    let bytes: [UInt8]

    /// Whether it is an event.
    var isEvent: Bool { form == .event }
}

/// Turns the records of one batch into what is sent.
struct Mapping {
    /// What Braze takes for itself in an object of `attributes`.
    private static let reserved: Set<String> = [
        "external_id", "user_alias", "braze_id", "app_id", "push_token_import", "_update_existing_only",
        "_merge_objects",
    ]

    private let options: MappingOptions
    /// The identities of the batch, each under its place.
    private(set) var users: [Identity] = []
    /// The places by the record's `user` and by the identifier, as JSON text.
    private var places: [[UInt8]: Result<Int, Unsendable>] = [:]
    private var placesByMember: [[UInt8]: Int] = [:]
    /// The last record's `user` and its place: most records are followed by one of the same user.
    private var last: (key: [UInt8], place: Int) = ([], 0)
    private var key: [UInt8] = []

    init(_ options: MappingOptions) { self.options = options }

    /// What a record becomes.
    ///
    /// - Throws: Why it cannot be sent.
    mutating func draft(_ record: DeliveryRecord) throws(Unsendable) -> Draft {
        let user = try place(record.user)
        switch record.content {
        case .customEvent(let name, let properties):
            try options.limits.checkEvent(name, properties)
            let bytes = try event(name, properties, record.time, users[user])
            return Draft(id: record.id, user: user, form: .event, bytes: bytes)
        case .customAttribute(let key, let value): return try attribute(key, value, record.id, user)
        case .userAttribute(let field, let value):
            try StandardFields.check(field, value)
            return try attribute(field, value, record.id, user)
        }
    }

    private mutating func place(_ user: JSON.Object?) throws(Unsendable) -> Int {
        key.removeAll(keepingCapacity: true)
        if let user { JSON.object(user).write(to: &key) }
        if key == last.key, !key.isEmpty { return last.place }
        let place = try (places[key] ?? add(user)).get()
        last = (key, place)
        return place
    }

    /// Adds a user as it is written here, who may be one that is known under another form.
    private mutating func add(_ user: JSON.Object?) -> Result<Int, Unsendable> {
        let place = Result { () throws(Unsendable) in try Identity(user) }.map { identity in
            if let known = placesByMember[identity.member] { return known }
            users.append(identity)
            placesByMember[identity.member] = users.count - 1
            return users.count - 1
        }
        places[key] = place
        return place
    }

    private func event(
        _ name: String,
        _ properties: JSON.Object?,
        _ time: String,
        _ user: Identity
    ) throws(Unsendable) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(UInt8(ascii: "{"))
        bytes.append(contentsOf: user.member)
        if let appID = options.appID {
            bytes.append(literal: ",\"app_id\":")
            JSON.string(appID).write(to: &bytes)
        }
        bytes.append(literal: ",\"name\":")
        JSON.string(name).write(to: &bytes)
        bytes.append(literal: ",\"time\":")
        JSON.string(time).write(to: &bytes)
        if let properties, !properties.isEmpty {
            bytes.append(literal: ",\"properties\":")
            let start = bytes.count
            JSON.object(properties).write(to: &bytes)
            try options.limits.checkSize(bytes.count - start, "the object of the properties of \(name)")
        }
        if options.updatesExistingOnly { bytes.append(literal: ",\"_update_existing_only\":true") }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private func attribute(_ key: String, _ value: JSON, _ id: Int64, _ user: Int) throws(Unsendable) -> Draft {
        guard !Self.reserved.contains(key) else {
            throw .rejected("\(key) is no attribute: Braze takes it for a part of the request")
        }
        if StandardFields.has(key) { try StandardFields.check(key, value) }
        try options.limits.checkAttribute(key, value)
        try users[user].check(key, value)
        let isPlain = try Change(value, key, options.limits) == nil && !(options.mergesObjects && value.object != nil)
        var bytes = JSON.string(key).bytes
        bytes.append(UInt8(ascii: ":"))
        let start = bytes.count
        value.write(to: &bytes)
        try options.limits.checkSize(bytes.count - start, "the value of \(key)")
        let form = Draft.Form.attribute(key: Array(key.utf8), isPlain: isPlain)
        return Draft(id: id, user: user, form: form, bytes: bytes)
    }
}
