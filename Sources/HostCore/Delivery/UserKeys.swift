internal import BrazeRules
internal import JSON
internal import Suites

/// Numbers for the users of records, the same number for the same user, by the identifier that Braze would take.
///
/// Only users of records that are here have one, so it stays small however many there are.
struct UserKeys {
    /// Whom records without a user are about, as JSON text.
    private let user: String?
    private var known: [String: (number: Int, records: Int)] = [:]
    private var next = 0

    /// Numbers for nobody yet.
    ///
    /// - Parameter user: Whom records without a user are about, as JSON text.
    init(user: String? = nil) { self.user = user }

    /// The number of a record's user; one record more is here.
    ///
    /// Records without a user are about the flush's.
    mutating func add(_ record: StoredRecord) -> Int {
        let key = key(record)
        if let entry = known[key] {
            known[key] = (entry.number, entry.records + 1)
            return entry.number
        }
        next += 1
        known[key] = (next, 1)
        return next
    }

    /// A record is not here any more.
    mutating func remove(_ record: StoredRecord) {
        let key = key(record)
        guard let entry = known[key] else { return }
        known[key] = entry.records > 1 ? (entry.number, entry.records - 1) : nil
    }

    private func key(_ record: StoredRecord) -> String { (record.user ?? user).map(Self.canonical) ?? "" }

    /// The user as an object of the one identifier by which Braze finds it.
    private static func canonical(_ user: String) -> String {
        if hasOneMember(user) { return user }
        guard let object = (try? JSON(parsing: user))?.object, let identity = try? Identity(object) else { return user }
        return JSON.object(JSON.Object([(identity.name, identity.value)])).description
    }

    /// Whether the text is an object of one text, as most users are: four quotes, none of them escaped.
    private static func hasOneMember(_ text: String) -> Bool {
        var quotes = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\\") { return false }
            if byte == UInt8(ascii: "\"") { quotes += 1 }
        }
        return quotes == 4
    }
}
