internal import JSON
internal import Suites

/// Tells whether two records are about one user, by the identifier that Braze would take.
struct UserKeys {
    /// Whom records without a user are about, as JSON text.
    private let user: String?
    /// What was found for the texts of users, so that each is read once.
    private var known: [String: String] = [:]
    /// The greatest number of texts that are remembered.
    private static let limit = 20_000

    /// Keys of nobody yet.
    ///
    /// - Parameter user: Whom records without a user are about, as JSON text.
    init(user: String? = nil) { self.user = user }

    /// The key of a record's user; records without one share the key of the flush's user.
    mutating func key(_ record: StoredRecord) -> String {
        guard let user = record.user ?? user else { return "" }
        if let key = known[user] { return key }
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        let key = Self.key(user)
        known[user] = key
        return key
    }

    private static func key(_ user: String) -> String {
        guard let object = (try? JSON(parsing: user))?.object else { return user }
        // With a primary identifier, email and phone are no identifiers.
        for name in ["external_id", "user_alias", "braze_id", "email", "phone"] {
            guard let value = object[name] else { continue }
            return "\(name) \(value["alias_label"].map { "\($0) \(value["alias_name"] ?? .null)" } ?? "\(value)")"
        }
        return user
    }
}
