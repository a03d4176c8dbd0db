internal import BrazeRules
internal import JSON
internal import Suites

/// Assigns a number to each user of the records that are being sent or are read ahead.
///
/// Two users are the same if Braze would use the same identifier for them. A user without such records has no number, so
/// the table stays small.
struct UserKeys {
    /// The user for records without one, as JSON text.
    private let user: String?
    private var users: [String: (number: Int, records: Int)] = [:]
    private var last = 0

    /// An empty table.
    ///
    /// - Parameter user: The user for records without one, as JSON text.
    init(user: String? = nil) { self.user = user }

    /// Adds a record to the count of its user, and returns the user's number.
    mutating func add(_ record: StoredRecord) -> Int {
        let key = key(record)
        if let entry = users[key] {
            users[key] = (entry.number, entry.records + 1)
            return entry.number
        }
        last += 1
        users[key] = (last, 1)
        return last
    }

    /// Removes a record from the count of its user.
    mutating func remove(_ record: StoredRecord) {
        let key = key(record)
        guard let entry = users[key] else { return }
        users[key] = entry.records > 1 ? (entry.number, entry.records - 1) : nil
    }

    private func key(_ record: StoredRecord) -> String { (record.user ?? user).map(Self.canonical) ?? "" }

    /// The user as an object with the one identifier by which Braze finds the profile.
    private static func canonical(_ user: String) -> String {
        if hasOneMember(user) { return user }
        guard let object = (try? JSON(parsing: user))?.object, let identity = try? Identity(object) else { return user }
        return JSON.object(JSON.Object([(identity.name, identity.value)])).description
    }

    /// Whether the text is an object with one string member, as for most users: it then has four quotes, none escaped.
    ///
    /// The members of a user are strings, or objects of strings, so no other user has four.
    private static func hasOneMember(_ text: String) -> Bool {
        var quotes = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\\") { return false }
            if byte == UInt8(ascii: "\"") { quotes += 1 }
        }
        return quotes == 4
    }
}
