/// The members of a Braze attributes object that are not attributes.
///
/// An attribute with such a name would change the user of the object or how Braze applies it.
enum ControlMember: String, CaseIterable {
    case externalID = "external_id"
    case userAlias = "user_alias"
    case brazeID = "braze_id"
    case appID = "app_id"
    case updateExistingOnly = "_update_existing_only"
    case mergeObjects = "_merge_objects"
    case pushTokenImport = "push_token_import"

    /// Why it cannot be saved as an attribute, and what to do instead: a sentence.
    var advice: String {
        "\(rawValue) is a member of Braze's request and no attribute: \(instead)"
    }

    private var instead: String {
        switch self {
        case .externalID, .userAlias, .brazeID: "it names the user; give it in the parameter user"
        case .appID: "the destination adds it to events, as BRAZE_APP_ID says"
        case .updateExistingOnly: "give it in the parameter user"
        case .mergeObjects: "save the object as {\"$merge\": {…}}"
        case .pushTokenImport: "there is nothing to save it as; save tokens of a known user as push_tokens"
        }
    }
}

/// A set of reserved names, optimized for the lookup that every save of a custom attribute makes.
struct ReservedNames {
    /// The names that no custom attribute may have.
    static let ofAttributes = ReservedNames(StandardField.names.union(ControlMember.allCases.map(\.rawValue)))

    private let names: Set<String>
    /// For each length in bytes, a bit set of the first bytes of the names, modulo 64; it rules out most keys without
    /// hashing them.
    private let firstBytes: [UInt64]

    init(_ names: Set<String>) {
        self.names = names
        var firstBytes = [UInt64](repeating: 0, count: (names.map(\.utf8.count).max() ?? 0) + 1)
        for name in names { firstBytes[name.utf8.count] |= Self.bit(of: name) }
        self.firstBytes = firstBytes
    }

    func contains(_ name: String) -> Bool {
        let count = name.utf8.count
        return count < firstBytes.count && firstBytes[count] & Self.bit(of: name) != 0 && names.contains(name)
    }

    private static func bit(of name: String) -> UInt64 { 1 << UInt64((name.utf8.first ?? 0) & 63) }
}
