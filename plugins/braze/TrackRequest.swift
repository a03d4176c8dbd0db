import BrazeRules
import JSON

/// What a request may hold.
struct RequestLimits: Equatable, Sendable {
    /// The greatest number of objects.
    var objects = 75
    /// Whether that is meant for each array and not for both together, as in older contracts.
    var countsEachArray = false
    /// The greatest size of a body in bytes.
    var bytes = 4_000_000
}

/// An object of a request, with the records that it stands for.
struct TrackObject: Equatable, Sendable {
    /// The records; several attributes of one user share an object.
    let drafts: [Draft]
    let isEvent: Bool
    /// The object as JSON text.
    let bytes: [UInt8]

    /// The object of an event.
    init(event: Draft) {
        drafts = [event]
        isEvent = true
        bytes = event.bytes
    }

    /// The object of a user's attributes, in order; of one key the last counts.
    init(attributes drafts: [Draft], of user: Identity, _ options: MappingOptions) {
        self.drafts = drafts
        isEvent = false
        var last: [[UInt8]: Int] = [:]
        if drafts.count > 1 {
            for (place, draft) in drafts.enumerated() { last[draft.key] = place }
        }
        var bytes = [UInt8(ascii: "{")]
        bytes.append(contentsOf: user.member)
        // What names the user is there already.
        for (place, draft) in drafts.enumerated()
        where last[draft.key] ?? place == place && draft.bytes != user.member {
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: draft.bytes)
        }
        bytes.append(literal: Self.ending(user, options))
        self.bytes = bytes
    }

    /// What an object of a user's attributes holds beside them: braces, the identifier, the options.
    static func overhead(_ user: Identity, _ options: MappingOptions) -> Int {
        1 + user.member.count + ending(user, options).utf8CodeUnitCount
    }

    private static func ending(_ user: Identity, _ options: MappingOptions) -> StaticString {
        switch (options.updatesExistingOnly, user.isAlias, options.mergesObjects) {
        case (true, _, false): ",\"_update_existing_only\":true}"
        case (true, _, true): ",\"_update_existing_only\":true,\"_merge_objects\":true}"
        // A profile with an alias is created only where that is asked for.
        case (false, true, false): ",\"_update_existing_only\":false}"
        case (false, true, true): ",\"_update_existing_only\":false,\"_merge_objects\":true}"
        case (false, false, false): "}"
        case (false, false, true): ",\"_merge_objects\":true}"
        }
    }
}

extension Draft {
    /// The key of an attribute.
    var key: [UInt8] {
        if case .attribute(let key, _) = form { key } else { [] }
    }
}

/// A request: objects of `attributes`, then objects of `events`.
struct TrackRequest: Equatable, Sendable {
    let objects: [TrackObject]

    /// How many of the objects are attributes.
    var attributesCount: Int { objects.firstIndex(where: \.isEvent) ?? objects.count }

    /// The records of all objects.
    var records: [Int64] { objects.flatMap { $0.drafts.map(\.id) } }

    /// The bytes to be posted.
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

    /// What a body holds beside objects and the commas between them.
    static let overhead = "{\"attributes\":[],\"events\":[]}".utf8.count

    private static func write(_ objects: ArraySlice<TrackObject>, _ name: StaticString, to body: inout [UInt8]) {
        body.append(literal: name)
        for object in objects {
            body.append(contentsOf: object.bytes)
            body.append(UInt8(ascii: ","))
        }
        body[body.count - 1] = UInt8(ascii: "]")
    }

    /// Both halves, to be sent one after the other; nothing where there is only one object.
    var halves: [TrackRequest]? {
        guard objects.count > 1 else { return nil }
        let middle = objects.count / 2
        return [TrackRequest(objects: Array(objects[..<middle])), TrackRequest(objects: Array(objects[middle...]))]
    }
}
