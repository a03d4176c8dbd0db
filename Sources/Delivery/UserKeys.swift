internal import BrazeRules
internal import JSON
internal import Suites

/// Numbers for the users of records: the same number for the same user, by the identifier that Braze would use.
///
/// Only users with records in the window have a number, so the table stays small.
struct UserKeys {
    /// The user of records that name none, as JSON text.
    private let user: String?
    private var users: [String: (number: Int, records: Int)] = [:]
    private var next = 0

    /// An empty table.
    ///
    /// - Parameter user: The user of records that name none, as JSON text.
    init(user: String? = nil) { self.user = user }

    /// Counts a record in, and returns the number of its user.
    mutating func add(_ record: StoredRecord) -> Int {
        let key = key(record)
        if let entry = users[key] {
            users[key] = (entry.number, entry.records + 1)
            return entry.number
        }
        next += 1
        users[key] = (next, 1)
        return next
    }

    /// Counts a record out.
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

    /// Whether the text is an object with one string, as most users are: four quotes, none of them escaped.
    private static func hasOneMember(_ text: String) -> Bool {
        var quotes = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\\") { return false }
            if byte == UInt8(ascii: "\"") { quotes += 1 }
        }
        return quotes == 4
    }
}
