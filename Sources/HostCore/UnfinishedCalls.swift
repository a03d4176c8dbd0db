/// The calls of a peer that wait or are worked on.
///
/// A call that waits for another one is parked behind it and looked at again when that one is started, is done or
/// touches something else; so what an event costs does not grow with the number of calls that wait.
struct UnfinishedCalls {
    /// The number of calls up to which they are compared one by one: an index would cost more.
    private static let unindexed = 32

    /// Calls that wait, in the order of their numbers.
    private(set) var waiting: [Invocation] = []
    /// Calls that are worked on, in the order in which that began.
    private(set) var inFlight: [Invocation] = []
    /// Calls that wait and may be carried out now, as far as is known, in the order of their numbers.
    private(set) var due: [Invocation] = []
    private var index: Index?
    private var reloads = 0
    private var lastNumber = 0

    private struct Index {
        var waiting = FootprintIndex(isWaiting: true)
        var inFlight = FootprintIndex(isWaiting: false)
    }

    // MARK: Where a call stands

    /// Lets a call wait, behind those that do.
    mutating func enqueue(_ invocation: Invocation) {
        number(invocation)
        invocation.place = .waiting
        waiting.insert(invocation)
        due.insert(invocation)
        enter(invocation)
    }

    /// Takes a call out of those that wait.
    mutating func dequeue(_ invocation: Invocation) {
        guard invocation.isWaiting else { return }
        waiting.remove(invocation)
        due.remove(invocation)
        leave(invocation)
    }

    /// Takes every call out of those that wait.
    mutating func dequeueAll() -> [Invocation] {
        defer { for invocation in waiting { dequeue(invocation) } }
        return waiting
    }

    /// Notes that the work on a call began, which goes on.
    mutating func begin(_ invocation: Invocation) {
        dequeue(invocation)
        number(invocation)
        invocation.place = .inFlight
        inFlight.append(invocation)
        enter(invocation)
    }

    /// Notes that the work on a call is over.
    mutating func end(_ invocation: Invocation) {
        guard case .inFlight = invocation.place else { return }
        if let index = inFlight.firstIndex(where: { $0 === invocation }) { inFlight.remove(at: index) }
        leave(invocation)
    }

    /// Takes note that a call touches something else than before.
    mutating func update(_ invocation: Invocation) {
        removeFromIndex(invocation)
        addToIndex(invocation)
        lookAgain(at: invocation)
        releaseFollowers(of: invocation)
    }

    private mutating func number(_ invocation: Invocation) {
        guard invocation.number == 0 else { return }
        lastNumber += 1
        invocation.number = lastNumber
    }

    private mutating func enter(_ invocation: Invocation) {
        if invocation.isReload { reloads += 1 }
        addToIndex(invocation)
    }

    private mutating func leave(_ invocation: Invocation) {
        if invocation.isReload { reloads -= 1 }
        removeFromIndex(invocation)
        invocation.place = nil
        releaseFollowers(of: invocation)
        if waiting.isEmpty && inFlight.isEmpty { index = nil }
    }

    // MARK: What a call waits for

    /// The call to wait for: the latest that waits before this one, else one that is worked on.
    ///
    /// Where many calls wait for the same, each stands so behind another one, and the end of one lets one go on.
    func blocker(of invocation: Invocation) -> Invocation? {
        guard !inFlight.isEmpty || !waiting.isEmpty else { return nil }
        let footprint = invocation.footprint
        let number = invocation.number == 0 ? Int.max : invocation.number
        guard let index else {
            return waiting.last {
                $0.number < number && footprint.mustWait(for: $0.footprint, isWaiting: true)
            } ?? inFlight.last { footprint.mustWait(for: $0.footprint, isWaiting: false) }
        }
        if let found = index.waiting.blocker(of: footprint, before: number) { return waiting.find(found) }
        guard let found = index.inFlight.blocker(of: footprint, before: .max) else { return nil }
        return inFlight.last { $0.number == found }
    }

    /// Does not look at a call again until another one is started, is done or touches something else; where none is
    /// named, until it touches something else itself.
    mutating func park(_ invocation: Invocation, behind blocker: Invocation?) {
        due.remove(invocation)
        blocker?.followers.append(invocation)
    }

    /// Looks at a call again, if it waits.
    mutating func lookAgain(at invocation: Invocation) {
        if invocation.isWaiting { due.insert(invocation) }
    }

    private mutating func releaseFollowers(of invocation: Invocation) {
        let followers = invocation.followers
        invocation.followers = []
        for follower in followers { lookAgain(at: follower) }
    }

    /// Whether a reload waits or is under way.
    var hasReload: Bool { reloads > 0 }

    // MARK: The index

    private mutating func addToIndex(_ invocation: Invocation) {
        guard index != nil else {
            guard waiting.count + inFlight.count > Self.unindexed else { return }
            index = Index()
            for other in waiting + inFlight { addToIndex(other) }
            return
        }
        let footprint = invocation.footprint
        invocation.indexed = footprint
        if invocation.isWaiting {
            index?.waiting.insert(footprint, invocation.number)
        } else {
            index?.inFlight.insert(footprint, invocation.number)
        }
    }

    private mutating func removeFromIndex(_ invocation: Invocation) {
        guard let footprint = invocation.indexed else { return }
        invocation.indexed = nil
        if invocation.isWaiting {
            index?.waiting.remove(footprint, invocation.number)
        } else {
            index?.inFlight.remove(footprint, invocation.number)
        }
    }
}

/// Calls in the order of their numbers.
extension [Invocation] {
    private func position(_ number: Int) -> Int { partitioningIndex { $0.number >= number } }

    fileprivate mutating func insert(_ invocation: Invocation) {
        let position = position(invocation.number)
        if position == count || self[position] !== invocation { insert(invocation, at: position) }
    }

    fileprivate mutating func remove(_ invocation: Invocation) {
        let position = position(invocation.number)
        if position < count, self[position] === invocation { remove(at: position) }
    }

    fileprivate func find(_ number: Int) -> Invocation? {
        let position = position(number)
        return position < count && self[position].number == number ? self[position] : nil
    }

    /// The first call with a greater number.
    func first(after number: Int) -> Invocation? {
        let position = position(number + 1)
        return position < count ? self[position] : nil
    }
}
