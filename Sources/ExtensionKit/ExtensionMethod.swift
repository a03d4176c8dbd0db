/// What the host calls on an extension, as the contract has it.
enum ExtensionMethod: String, CaseIterable {
    case activate
    case didReceive
    case serviceExtensionTimeWillExpire
    case didReceiveResponse
    case interact
    case mediaPlay
    case mediaPause
    case didDismiss
    case deactivate

    /// The least version of the contract that this kit needs: what `activate` is answered with, unless the
    /// extension says that it needs a later one.
    ///
    /// It stays behind the contract's own where a later version brings nothing that the kit itself uses: a host that
    /// is older than this refuses every extension made with the kit.
    static let contractVersion = "1.0"

    /// The parameters in positional order; a name that ends in `?` is optional.
    var parameters: [String] {
        switch self {
        case .activate: ["version", "bundle", "locale", "clock?", "seed?", "suites", "attachments?"]
        case .didReceive: ["notification", "request", "actions?"]
        case .didReceiveResponse: ["notification", "actionIdentifier", "userText?"]
        case .interact: ["notification", "element", "value?"]
        case .serviceExtensionTimeWillExpire, .mediaPlay, .mediaPause, .didDismiss: ["notification"]
        case .deactivate: []
        }
    }
}
