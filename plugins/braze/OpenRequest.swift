import BrazeRules

/// A request that is being filled.
struct OpenRequest {
    /// Attributes of one user that share an object.
    private struct Fold {
        let user: Int
        var drafts: [Draft]
        /// The size of the last member of each key, and whether that is a plain value.
        var members: [[UInt8]: (size: Int, isPlain: Bool)]
    }

    private let limits: RequestLimits
    private let options: MappingOptions
    private var folds: [Fold] = []
    private var events: [Draft] = []
    private var bytes = TrackRequest.overhead
    /// The objects of each user's attributes, in order, as places in `folds`.
    private var foldsByUser: [Int: [Int]] = [:]
    private var eventUsers: Set<Int> = []

    init(_ limits: RequestLimits, _ options: MappingOptions) {
        self.limits = limits
        self.options = options
    }

    /// Whether no further object goes in.
    var isFull: Bool { !hasRoom(forEvent: true) && !hasRoom(forEvent: false) }

    /// Whether it holds an event of that user.
    func holdsEvent(of user: Int) -> Bool { eventUsers.contains(user) }

    /// Takes a record, if there is room.
    mutating func take(_ draft: Draft, of user: Identity) -> Bool {
        if case .attribute(let key, let isPlain) = draft.form { return take(draft, key, isPlain: isPlain, user) }
        let size = draft.bytes.count + 1
        guard hasRoom(forEvent: true), bytes + size <= limits.bytes else { return false }
        events.append(draft)
        eventUsers.insert(draft.user)
        bytes += size
        return true
    }

    private mutating func take(_ draft: Draft, _ key: [UInt8], isPlain: Bool, _ user: Identity) -> Bool {
        let own = foldsByUser[draft.user] ?? []
        // Into the last object that knows the key, where a value follows a value; else behind that one.
        let known = own.lastIndex { folds[$0].members[key] != nil }
        let next = known.map { place in
            isPlain && folds[own[place]].members[key]?.isPlain == true ? place : place + 1
        }
        let size = draft.bytes.count + 1
        if let fold = own.dropFirst(next ?? 0).first {
            let growth = size - (folds[fold].members[key]?.size ?? 0)
            guard bytes + growth <= limits.bytes else { return false }
            folds[fold].drafts.append(draft)
            folds[fold].members[key] = (size, isPlain)
            bytes += growth
            return true
        }
        let growth = size + TrackObject.overhead(user, options) + 1
        guard hasRoom(forEvent: false), bytes + growth <= limits.bytes else { return false }
        foldsByUser[draft.user, default: []].append(folds.count)
        folds.append(Fold(user: draft.user, drafts: [draft], members: [key: (size, isPlain)]))
        bytes += growth
        return true
    }

    private func hasRoom(forEvent isEvent: Bool) -> Bool {
        guard limits.countsEachArray else { return folds.count + events.count < limits.objects }
        return (isEvent ? events.count : folds.count) < limits.objects
    }

    /// The request as it is sent.
    func finish(_ users: [Identity]) -> TrackRequest {
        let attributes = folds.map { TrackObject(attributes: $0.drafts, of: users[$0.user], options) }
        return TrackRequest(objects: attributes + events.map { TrackObject(event: $0) })
    }
}
