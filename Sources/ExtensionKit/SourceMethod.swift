/// The methods that the host calls on a source.
enum SourceMethod: String, CaseIterable {
    case activate
    case pull
    case begin
    case settle
    case deactivate

    /// The parameters in positional order; a name that ends in `?` is optional.
    var parameters: [String] {
        switch self {
        case .activate: ["version", "bundle", "locale", "clock?", "seed?", "suites", "environment?"]
        case .pull: ["limit", "wait"]
        case .begin: ["ids"]
        case .settle: ["delivered?", "dead?", "uncertain?", "retry?", "unsent?"]
        case .deactivate: []
        }
    }
}
