internal import Suites

/// What a request touches, so that each one sees the effects of every earlier one of its connection.
struct Footprint: Hashable {
    enum Kind: Hashable {
        /// A save: it commutes with what an extension may save meanwhile.
        case append
        /// Reads or changes what stands in a suite.
        case suite
        /// Reads or changes what stands in a suite, but no pending record.
        case defaults
        /// Flushes a suite; saves and calls go on meanwhile, and while it waits.
        case flush
        /// A call into an extension, on a presentation or to begin one.
        case call(extension: String)
        /// A notification that may join a presentation of the extension, which must stand firm by then.
        case joining(extension: String)
        /// A notification at an extension that may change who shows it and what it joins: one that renders its
        /// template, or the service extension.
        case undecided
        /// Ends a presentation.
        case dismissal
        /// Looks at every presentation.
        case listing
        /// Swaps bundles and ends what they show, when nobody uses them.
        case reload
    }

    let kind: Kind
    /// The suites that it may touch; `nil` means all of them.
    var suites: [SuiteName]? = []
    /// The presentation that it is about.
    var presentation: String?

    static let listing = Footprint(kind: .listing)

    /// Whether a request with this footprint must wait for an earlier one, which may not have been started itself.
    func mustWait(for earlier: Footprint, isWaiting: Bool) -> Bool {
        if case .flush = earlier.kind {
            // It takes what is pending when it starts; only a call that reads that must see its effects. One that
            // waits may do so for minutes behind another flush, and no save is to wait with it.
            return (kind == .suite || kind == .flush) && sharesSuite(with: earlier)
        }
        return switch (earlier.kind.asPlain, kind.asPlain) {
        case (.reload, .append):
            presentation != nil
        case (.append, .reload):
            isWaiting && earlier.presentation != nil
        case (.reload, .undecided):
            // It is at the other extension already, and waits when it is back.
            false
        case (.reload, .suite), (.suite, .reload):
            false
        case (.reload, _), (_, .reload):
            true
        case (.undecided, .call), (.undecided, .dismissal), (.undecided, .listing):
            true
        case (.undecided, .suite):
            sharesSuite(with: earlier)
        case (.undecided, _), (_, .undecided):
            // What goes to the other extension goes there in order, and waits for nothing until it is back.
            false
        case (.call(let first), .call(let second)):
            // An extension takes its calls in order anyway, once they are on their way; but what
            // a presentation offers, and whether it is still there, is known after the call before.
            first == second && (isWaiting || kind.isJoining || sharesPresentation(with: earlier))
        case (.append, .call):
            sharesPresentation(with: earlier) || (isWaiting && sharesSuite(with: earlier))
        case (.call, .append):
            // A save that names a notification asks whether it is still shown, and for whom.
            sharesPresentation(with: earlier)
        case (.call, .suite), (.suite, .call), (.suite, .suite), (.suite, .append), (.append, .suite),
            (.append, .append):
            sharesSuite(with: earlier)
        case (.dismissal, .call) where kind.isJoining:
            true
        case (.call, .dismissal) where earlier.kind.isJoining:
            true
        case (.call, .dismissal), (.dismissal, .call), (.dismissal, .dismissal), (.dismissal, .append):
            sharesPresentation(with: earlier)
        case (.listing, .call), (.call, .listing), (.listing, .dismissal), (.dismissal, .listing):
            true
        case (.listing, _), (_, .listing), (.dismissal, _), (_, .dismissal), (.joining, _), (_, .joining),
            (.defaults, _), (_, .defaults), (.flush, _), (_, .flush):
            false
        }
    }

    private func sharesPresentation(with other: Footprint) -> Bool {
        presentation != nil && presentation == other.presentation
    }

    private func sharesSuite(with other: Footprint) -> Bool {
        guard let suites, let others = other.suites else { return true }
        return suites.contains { others.contains($0) }
    }
}

extension Footprint.Kind {
    fileprivate var isJoining: Bool { if case .joining = self { true } else { false } }

    fileprivate var asPlain: Footprint.Kind {
        switch self {
        case .joining(let identifier): .call(extension: identifier)
        case .defaults, .flush: .suite
        default: self
        }
    }
}
