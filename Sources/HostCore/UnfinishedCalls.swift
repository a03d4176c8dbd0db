/// The calls of a peer that wait or are worked on, and what they touch.
struct UnfinishedCalls {
    /// Calls that wait, in the order in which they came.
    private(set) var waiting: [Invocation] = []
    /// Calls that are worked on, in the order in which that began.
    private(set) var inFlight: [Invocation] = []
    private var waitingFootprints = FootprintIndex(isWaiting: true)
    private var inFlightFootprints = FootprintIndex(isWaiting: false)

    /// Lets a call wait, behind those that do.
    mutating func enqueue(_ invocation: Invocation) {
        let footprint = invocation.footprint
        waitingFootprints.insert(footprint)
        invocation.place = .waiting(footprint)
        waiting.append(invocation)
    }

    /// Takes a call out of those that wait.
    mutating func dequeue(at position: Int) {
        let invocation = waiting.remove(at: position)
        guard case .waiting(let footprint) = invocation.place else { return }
        waitingFootprints.remove(footprint)
        invocation.place = nil
    }

    /// Takes every call out of those that wait.
    mutating func dequeueAll() -> [Invocation] {
        defer {
            for invocation in waiting { if case .waiting = invocation.place { invocation.place = nil } }
            waiting = []
            waitingFootprints = FootprintIndex(isWaiting: true)
        }
        return waiting
    }

    /// Notes that the work on a call began, which goes on.
    mutating func begin(_ invocation: Invocation) {
        // It may stand among those that wait still: whoever carried it out takes it away.
        if case .waiting(let footprint) = invocation.place { waitingFootprints.remove(footprint) }
        let footprint = invocation.footprint
        inFlightFootprints.insert(footprint)
        invocation.place = .inFlight(footprint)
        inFlight.append(invocation)
    }

    /// Notes that the work on a call is over.
    mutating func end(_ invocation: Invocation) {
        guard case .inFlight(let footprint) = invocation.place else { return }
        inFlightFootprints.remove(footprint)
        invocation.place = nil
        if let index = inFlight.firstIndex(where: { $0 === invocation }) { inFlight.remove(at: index) }
    }

    /// Takes note that a call touches something else than before.
    mutating func update(_ invocation: Invocation) {
        let footprint = invocation.footprint
        switch invocation.place {
        case .waiting(let old) where old != footprint:
            waitingFootprints.remove(old)
            waitingFootprints.insert(footprint)
            invocation.place = .waiting(footprint)
        case .inFlight(let old) where old != footprint:
            inFlightFootprints.remove(old)
            inFlightFootprints.insert(footprint)
            invocation.place = .inFlight(footprint)
        case .waiting, .inFlight, nil: break
        }
    }

    /// Whether a reload waits or is under way.
    var hasReload: Bool { waitingFootprints.hasReload || inFlightFootprints.hasReload }

    /// Whether a call must wait for one of these.
    ///
    /// - Parameters:
    ///   - footprint: What the call touches.
    ///   - ahead: The calls that wait before it; all that wait where absent.
    /// - Returns: Whether it must.
    func mustWait(_ footprint: Footprint, behind ahead: FootprintIndex? = nil) -> Bool {
        inFlightFootprints.mustWait(footprint) || (ahead ?? waitingFootprints).mustWait(footprint)
    }
}
