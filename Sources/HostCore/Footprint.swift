internal import Suites

/// What a request touches, so that each one sees the effects of every earlier one of its connection.
struct Footprint: Equatable {
    enum Kind: Equatable {
        /// A save: it commutes with what an extension may save meanwhile.
        case append
        /// Reads or changes what stands in a suite.
        case suite
        /// A call into an extension, on a presentation or to begin one.
        case call(extension: String)
        /// Ends a presentation.
        case dismissal
        /// Looks at every presentation.
        case listing
    }

    let kind: Kind
    /// The suites that it may touch; `nil` means all of them.
    var suites: [SuiteName]? = []
    /// The presentation that it is about.
    var presentation: String?

    static let listing = Footprint(kind: .listing)

    /// Whether a request with this footprint must wait for an earlier one, which may not have been started itself.
    func mustWait(for earlier: Footprint, isWaiting: Bool) -> Bool {
        switch (earlier.kind, kind) {
        case (.call(let first), .call(let second)):
            // An extension takes its calls in order anyway, once they are on their way.
            isWaiting && first == second
        case (.call, .append), (.append, .call):
            false
        case (.call, .suite), (.suite, .call), (.suite, .suite), (.suite, .append), (.append, .suite),
            (.append, .append):
            sharesSuite(with: earlier)
        case (.call, .dismissal), (.dismissal, .call), (.dismissal, .dismissal):
            presentation == earlier.presentation
        case (.listing, .call), (.call, .listing), (.listing, .dismissal), (.dismissal, .listing):
            true
        case (.listing, _), (_, .listing), (.dismissal, _), (_, .dismissal):
            false
        }
    }

    private func sharesSuite(with other: Footprint) -> Bool {
        guard let suites, let others = other.suites else { return true }
        return suites.contains { others.contains($0) }
    }
}
