internal import Suites

/// The footprints of unfinished calls by what they touch: whether one more must wait is found without a look at each.
///
/// A footprint is compared with one of each kind that there is, with those of its suites and those of its
/// presentation; how many calls have the same one does not matter.
struct FootprintIndex {
    /// Whether these calls have not been started themselves.
    let isWaiting: Bool

    /// Each footprint with what many calls differ in left out, and how many calls have it.
    private var shapes: [Footprint: Int] = [:]
    private var bySuite: [SuiteName: [Footprint: Int]] = [:]
    private var byPresentation: [String: [Footprint: Int]] = [:]

    init(isWaiting: Bool) { self.isWaiting = isWaiting }

    mutating func insert(_ footprint: Footprint) { count(footprint, 1) }

    mutating func remove(_ footprint: Footprint) { count(footprint, -1) }

    private mutating func count(_ footprint: Footprint, _ difference: Int) {
        if let presentation = footprint.presentation {
            byPresentation.count(presentation, footprint, difference)
        }
        var shape = footprint
        // It is compared with the others of its presentation above.
        shape.presentation = footprint.presentation.map { _ in "" }
        if footprint.kind.isAboutSuite, let suites = footprint.suites {
            for suite in suites { bySuite.count(suite, shape, difference) }
            shape.suites = []
        }
        shapes.count(shape, difference)
    }

    /// Whether a call with this footprint must wait for one of these.
    func mustWait(_ footprint: Footprint) -> Bool {
        contains(near: footprint) { footprint.mustWait(for: $0, isWaiting: isWaiting) }
    }

    /// Whether a footprint fits, of those that may matter to another one.
    func contains(near footprint: Footprint, where fits: (Footprint) -> Bool) -> Bool {
        if shapes.keys.contains(where: fits) { return true }
        if let presentation = footprint.presentation, let same = byPresentation[presentation],
            same.keys.contains(where: fits)
        {
            return true
        }
        return (footprint.suites ?? []).contains { bySuite[$0]?.keys.contains(where: fits) ?? false }
    }

    /// Whether a reload is among these.
    var hasReload: Bool { shapes[Footprint(kind: .reload)] != nil }
}

extension Footprint.Kind {
    /// Whether such requests are about suites alone, each of which may have its own.
    fileprivate var isAboutSuite: Bool {
        switch self {
        case .append, .suite, .defaults, .flush: true
        case .call, .joining, .undecided, .dismissal, .listing, .reload: false
        }
    }
}

extension [Footprint: Int] {
    fileprivate mutating func count(_ footprint: Footprint, _ difference: Int) {
        let count = self[footprint, default: 0] + difference
        self[footprint] = count > 0 ? count : nil
    }
}

extension Dictionary where Value == [Footprint: Int] {
    fileprivate mutating func count(_ key: Key, _ footprint: Footprint, _ difference: Int) {
        self[key, default: [:]].count(footprint, difference)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
