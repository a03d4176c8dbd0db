import BrazeRules
import JSON

/// The limits of a request.
struct RequestLimits: Equatable, Sendable {
    /// The maximum number of objects.
    var objects = 75
    /// Whether ``objects`` limits each array, as in older contracts, instead of both together.
    var countsEachArray = false
    /// The maximum size of a body in bytes.
    var bytes = 4_000_000
}

/// An object of a request, and the records in it.
struct TrackObject: Equatable, Sendable {
    /// The records; several attributes of one user share an object.
    let records: [EncodedRecord]
    let isEvent: Bool
    /// The object as JSON text.
    let bytes: [UInt8]

    /// The object of an event.
    init(event: EncodedRecord) {
        records = [event]
        isEvent = true
        bytes = event.bytes
    }

    /// The object of a user's attributes, in order; the last value of a key wins.
    init(attributes records: [EncodedRecord], of user: Identity, _ options: MappingOptions) {
        self.records = records
        isEvent = false
        var last: [[UInt8]: Int] = [:]
        if records.count > 1 {
            for (place, record) in records.enumerated() { last[record.key] = place }
        }
        var bytes = [UInt8(ascii: "{")]
        bytes.append(contentsOf: user.member)
        // The member that identifies the user is there already.
        for (place, record) in records.enumerated()
        where last[record.key] ?? place == place && record.bytes != user.member {
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: record.bytes)
        }
        let object = records.dropFirst().reduce(records[0].object) { $0.joined($1.object) ?? $0 }
        bytes.append(literal: Self.ending(user, options, object))
        self.bytes = bytes
    }

    /// The size of an attributes object without the attributes: braces, identifier and options.
    static func overhead(_ user: Identity, _ options: MappingOptions, _ object: ObjectOptions) -> Int {
        1 + user.member.count + ending(user, options, object).utf8CodeUnitCount
    }

    private static func ending(_ user: Identity, _ options: MappingOptions, _ object: ObjectOptions) -> StaticString {
        switch (object.updatesExistingOnly, user.isAlias, object.merges == true || options.mergesObjects) {
        case (true, _, false): ",\"_update_existing_only\":true}"
        case (true, _, true): ",\"_update_existing_only\":true,\"_merge_objects\":true}"
        // Braze creates a profile with an alias only on request.
        case (false, true, false): ",\"_update_existing_only\":false}"
        case (false, true, true): ",\"_update_existing_only\":false,\"_merge_objects\":true}"
        case (false, false, false): "}"
        case (false, false, true): ",\"_merge_objects\":true}"
        }
    }
}

extension EncodedRecord {
    /// The key of an attribute.
    var key: [UInt8] {
        if case .attribute(let key, _, _) = form { key } else { [] }
    }

    /// What its object asks of Braze.
    var object: ObjectOptions {
        if case .attribute(_, _, let object) = form { object } else { ObjectOptions() }
    }
}

/// A request: objects of `attributes`, then objects of `events`.
struct TrackRequest: Equatable, Sendable {
    let objects: [TrackObject]

    /// The number of attributes objects.
    var attributesCount: Int { objects.firstIndex(where: \.isEvent) ?? objects.count }

    /// The records of all objects.
    var records: [Int64] { objects.flatMap { $0.records.map(\.id) } }

    /// The users of all objects.
    var users: Set<Int> {
        var users: Set<Int> = []
        var last: Int?
        for object in objects {
            // Consecutive records often have the same user.
            for record in object.records where record.userIndex != last {
                users.insert(record.userIndex)
                last = record.userIndex
            }
        }
        return users
    }

    /// The body to post.
    var body: [UInt8] {
        let count = attributesCount
        var body: [UInt8] = []
        body.reserveCapacity(objects.reduce(Self.overhead) { $0 + $1.bytes.count + 1 })
        body.append(UInt8(ascii: "{"))
        if count > 0 { Self.write(objects[..<count], "\"attributes\":[", to: &body) }
        if count > 0 && count < objects.count { body.append(UInt8(ascii: ",")) }
        if count < objects.count { Self.write(objects[count...], "\"events\":[", to: &body) }
        body.append(UInt8(ascii: "}"))
        return body
    }

    /// The size of a body without objects.
    static let overhead = "{\"attributes\":[],\"events\":[]}".utf8.count
    /// The size of the comma after each object, and before each attribute in an object.
    static let separator = 1

    private static func write(_ objects: ArraySlice<TrackObject>, _ name: StaticString, to body: inout [UInt8]) {
        body.append(literal: name)
        for object in objects {
            body.append(contentsOf: object.bytes)
            body.append(UInt8(ascii: ","))
        }
        body[body.count - 1] = UInt8(ascii: "]")
    }

    /// Two halves, to be sent one after the other; nil if there is only one object.
    var halves: [TrackRequest]? {
        guard objects.count > 1 else { return nil }
        let middle = objects.count / 2
        return [TrackRequest(objects: Array(objects[..<middle])), TrackRequest(objects: Array(objects[middle...]))]
    }
}
