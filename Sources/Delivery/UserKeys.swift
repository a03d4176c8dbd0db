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
    private var numbers: [String: Int] = [:]
    private var users: [Int: (key: String, records: Int)] = [:]
    private var last = 0
    /// The text and the number of the last record's user, since consecutive records often have the same user, and how many
    /// records of that user `users` does not count yet.
    private var recent: (text: String, number: Int, uncounted: Int)?

    /// An empty table.
    ///
    /// - Parameter user: The user for records without one, as JSON text.
    init(user: String? = nil) { self.user = user }

    /// Adds a record to the count of its user, and returns the user's number.
    mutating func add(_ record: StoredRecord) -> Int {
        let text = record.user ?? user ?? ""
        if let recent, recent.text == text {
            self.recent?.uncounted += 1
            return recent.number
        }
        countRecent()
        let key = text.isEmpty ? text : Self.canonical(text)
        let number = numbers[key] ?? addUser(key)
        recent = (text, number, 1)
        return number
    }

    private mutating func countRecent() {
        guard let recent, recent.uncounted > 0 else { return }
        users[recent.number]?.records += recent.uncounted
        self.recent?.uncounted = 0
    }

    private mutating func addUser(_ key: String) -> Int {
        last += 1
        numbers[key] = last
        users[last] = (key, 0)
        return last
    }

    /// Removes records from the count of their user, which has that number.
    mutating func remove(_ number: Int, records: Int = 1) {
        countRecent()
        guard let entry = users[number] else { return }
        guard entry.records == records else {
            users[number]?.records -= records
            return
        }
        users[number] = nil
        numbers[entry.key] = nil
        if recent?.number == number { recent = nil }
    }

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
