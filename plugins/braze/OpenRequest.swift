import BrazeRules

/// A request that is being filled.
struct OpenRequest {
    /// An object that holds attributes of one user.
    private struct AttributesObject {
        let userIndex: Int
        var records: [EncodedRecord]
        /// The size of the last member of each key, and whether it is a plain value.
        var members: [[UInt8]: (size: Int, isPlain: Bool)]
        /// What it asks of Braze.
        var options: ObjectOptions
    }

    private let limits: RequestLimits
    private let options: MappingOptions
    private var objects: [AttributesObject] = []
    private var events: [EncodedRecord] = []
    private var bytes = TrackRequest.overhead
    /// The objects of each user, in order, as indices of `objects`.
    private var objectsByUser: [Int: [Int]] = [:]
    private var eventUsers: Set<Int> = []

    init(_ limits: RequestLimits, _ options: MappingOptions) {
        self.limits = limits
        self.options = options
    }

    /// Whether there is no room for another object.
    var isFull: Bool { !hasRoom(forEvent: true) && !hasRoom(forEvent: false) }

    /// Whether it holds no attributes.
    var holdsEventsOnly: Bool { objects.isEmpty }

    /// Whether it holds an event of that user.
    func holdsEvent(of user: Int) -> Bool { eventUsers.contains(user) }

    /// Adds a record if there is room for it, and returns whether there was.
    mutating func add(_ record: EncodedRecord, of user: Identity) -> Bool {
        if case .attribute(let key, let isPlain, _) = record.form { return add(record, key, isPlain: isPlain, user) }
        let size = record.bytes.count + TrackRequest.separator
        guard hasRoom(forEvent: true), bytes + size <= limits.bytes else { return false }
        if events.last?.userIndex != record.userIndex { eventUsers.insert(record.userIndex) }
        events.append(record)
        bytes += size
        return true
    }

    private mutating func add(_ record: EncodedRecord, _ key: [UInt8], isPlain: Bool, _ user: Identity) -> Bool {
        let own = objectsByUser[record.userIndex] ?? []
        // Goes into the last object that has the key if one plain value follows another, else into a later object.
        let known = own.lastIndex { objects[$0].members[key] != nil }
        let next = known.map { place in
            isPlain && objects[own[place]].members[key]?.isPlain == true ? place : place + 1
        }
        let size = record.bytes.count + TrackRequest.separator
        let fitting = own.dropFirst(next ?? 0).first { objects[$0].options.joined(record.object) != nil }
        if let object = fitting, let joined = objects[object].options.joined(record.object) {
            var growth = size - (objects[object].members[key]?.size ?? 0)
            growth += TrackObject.overhead(user, options, joined)
            growth -= TrackObject.overhead(user, options, objects[object].options)
            guard bytes + growth <= limits.bytes else { return false }
            objects[object].records.append(record)
            objects[object].members[key] = (size, isPlain)
            objects[object].options = joined
            bytes += growth
            return true
        }
        let growth = size + TrackObject.overhead(user, options, record.object) + TrackRequest.separator
        guard hasRoom(forEvent: false), bytes + growth <= limits.bytes else { return false }
        objectsByUser[record.userIndex, default: []].append(objects.count)
        objects.append(
            AttributesObject(
                userIndex: record.userIndex,
                records: [record],
                members: [key: (size, isPlain)],
                options: record.object
            )
        )
        bytes += growth
        return true
    }

    private func hasRoom(forEvent isEvent: Bool) -> Bool {
        guard limits.countsEachArray else { return objects.count + events.count < limits.objects }
        return (isEvent ? events.count : objects.count) < limits.objects
    }

    /// The finished request.
    func finish(_ users: [Identity]) -> TrackRequest {
        let attributes = objects.map { TrackObject(attributes: $0.records, of: users[$0.userIndex], options) }
        return TrackRequest(objects: attributes + events.map { TrackObject(event: $0) })
    }
}
