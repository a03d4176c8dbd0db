/// The methods that the host calls on a destination.
enum DestinationMethod: String, CaseIterable {
    case activate
    case deliver
    case check
    case deactivate

    /// The parameters in positional order; a name that ends in `?` is optional.
    var parameters: [String] {
        switch self {
        case .activate: ["version", "bundle", "locale", "clock?", "seed?", "suites", "environment?"]
        case .deliver: ["suite", "batch", "suiteIdentity?", "probe?", "dryRun?", "rateShare?"]
        case .check: []
        case .deactivate: []
        }
    }
}
