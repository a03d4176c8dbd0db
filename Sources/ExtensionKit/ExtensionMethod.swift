/// The methods that the host calls on an extension.
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

    /// The minimum version of the contract that this kit needs; the reply to `activate` names it unless the extension
    /// needs a later one.
    ///
    /// Raise it only when the kit itself uses something of a later version: an older host refuses every extension
    /// made with the kit.
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
