internal import BrazeRules
internal import JSON
internal import Suites

/// The records of a queue that a flush has read and not settled yet: those that wait, and those in batches under way.
///
/// Order is kept per user: a record waits while a batch with records of its user is under way.
struct BatchWindow {
    /// The maximum number of records in a batch.
    static let batchRecords = 1_000
    /// The number of bytes of text at which a batch gets no further record.
    static let batchBytes = 1 << 20
    /// The maximum number of waiting records; more than one batch, so that records of users with a batch under way do
    /// not block those of other users.
    static let windowRecords = 3_000
    /// The number of bytes of waiting text at which nothing more is read.
    static let windowBytes = 3 << 20

    /// The records of a batch, with its number.
    typealias Batch = (number: Int, records: [StoredRecord])

    private struct Waiting {
        let record: StoredRecord
        let user: Int
    }

    /// A batch under way: its records, which every step shares, and the user of each.
    private struct Open {
        var records: [StoredRecord] = []
        var users: [Int] = []

        mutating func append(_ entry: Waiting) {
            records.append(entry.record)
            users.append(entry.user)
        }

        /// Visits the users, each with the number of consecutive records; usually one user has them all.
        func visitUsers(_ body: (_ user: Int, _ records: Int) -> Void) {
            var start = 0
            for (index, user) in users.enumerated() where index + 1 == users.count || users[index + 1] != user {
                body(user, index + 1 - start)
                start = index + 1
            }
        }
    }

    /// The id of the newest record of the flush; later records belong to the next flush.
    private let newest: Int64
    private let batchesAtOnce: Int
    /// How many more records may be put into batches.
    private var allowance: Int64
    /// The id of the last record that was read.
    private var lastRead: Int64 = 0
    /// The records that are in no batch, in order of capture.
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// Whether every waiting record was found to have a user with a batch under way, and nothing has changed since.
    private var isBlocked = false
    /// Whether the queue was empty and may have records again.
    private var awaitsRecords = false
    /// The batches that are under way, by number.
    private var batches: [Int: Open] = [:]
    private var nextNumber = 0
    private var keys: UserKeys

    /// A window that has read nothing yet.
    init(newest: Int64, limit: Int64, batchesAtOnce: Int, user: String?) {
        self.newest = newest
        self.batchesAtOnce = batchesAtOnce
        allowance = limit
        keys = UserKeys(user: user)
    }

    /// Whether no further batch can be formed; batches may still be under way.
    var isExhausted: Bool { lastRead >= newest && waiting.isEmpty || allowance == 0 }

    /// Whether fewer records wait than a batch may have.
    var isLow: Bool { waiting.count < Self.batchRecords && waitingBytes < Self.batchBytes }

    /// The next records to read; nil if the window is full or everything was read.
    var nextRead: (range: ClosedRange<Int64>, records: Int, bytes: Int)? {
        let room = (records: Self.windowRecords - waiting.count, bytes: Self.windowBytes - waitingBytes)
        guard lastRead < newest, allowance > 0, !awaitsRecords else { return nil }
        guard room.records >= Self.batchRecords, room.bytes > 0 else { return nil }
        return (lastRead + 1...newest, room.records, room.bytes)
    }

    /// Adds the records of ``nextRead``.
    mutating func append(_ page: QueuePage) {
        add(page.records)
        if page.isOpenEnded {
            // Records of such a queue do not come in the order of their ids, so each read may return any.
            awaitsRecords = page.records.isEmpty
        } else {
            lastRead = page.last ?? newest
        }
    }

    /// Reads again, because a queue that was empty has records.
    mutating func resume() { awaitsRecords = false }

    /// Removes records that are in no batch.
    mutating func discard(_ ids: Set<Int64>) {
        waiting.removeAll { entry in
            guard ids.contains(entry.record.id) else { return false }
            keys.remove(entry.user)
            waitingBytes -= entry.record.bytes
            return true
        }
        isBlocked = false
    }

    private mutating func add(_ records: [StoredRecord]) {
        isBlocked = false
        for record in records {
            waiting.append(Waiting(record: record, user: keys.add(record)))
            waitingBytes += record.bytes
        }
    }

    /// The records of a batch that is under way.
    func records(of number: Int) -> [StoredRecord] { batches[number]?.records ?? [] }

    /// Forms the next batch: the first records of one suite whose users have nothing under way.
    ///
    /// - Parameter isProbe: Whether the batch only probes the destination: it then has one record, and no other batch
    ///   is under way.
    /// - Returns: The batch; nil if none can be formed now.
    mutating func nextBatch(isProbe: Bool) -> Batch? {
        guard !isBlocked, batches.count < (isProbe ? 1 : batchesAtOnce) else { return nil }
        let limit = min(allowance, Int64(isProbe ? 1 : Self.batchRecords))
        var busy: Set<Int> = []
        for batch in batches.values { batch.visitUsers { user, _ in busy.insert(user) } }
        var batch = Open()
        // Positions, since a user with thousands of waiting records would be copied in vain each time.
        var skipped: [Int] = []
        var last = (user: 0, isBusy: false)
        var bytes = 0
        var position = 0
        while position < waiting.count, batch.users.count < limit, bytes < Self.batchBytes {
            let user = waiting[position].user
            if user != last.user { last = (user, busy.contains(user)) }
            if last.isBusy {
                skipped.append(position)
            } else if let first = batch.records.first, first.suite != waiting[position].record.suite {
                // A batch has records of one suite; later ones of this user must not overtake the record that waits.
                skipped.append(position)
                busy.insert(user)
                last.isBusy = true
            } else {
                batch.append(waiting[position])
                bytes += waiting[position].record.bytes
            }
            position += 1
        }
        isBlocked = batch.users.isEmpty
        guard !isBlocked else { return nil }
        waiting.replaceSubrange(..<position, with: skipped.map { waiting[$0] })
        waitingBytes -= bytes
        allowance -= Int64(batch.users.count)
        defer { nextNumber += 1 }
        batches[nextNumber] = batch
        return (nextNumber, batch.records)
    }

    /// Removes records from a batch, because they were deleted before it was claimed.
    mutating func remove(_ ids: Set<Int64>, from number: Int) {
        guard !ids.isEmpty, let batch = batches[number] else { return }
        var rest = Open()
        for (record, user) in zip(batch.records, batch.users) {
            if ids.contains(record.id) {
                keys.remove(user)
                allowance += 1
            } else {
                rest.append(Waiting(record: record, user: user))
            }
        }
        batches[number] = rest
        isBlocked = false
    }

    /// Ends a batch, so that other batches may have records of its users.
    ///
    /// - Parameters:
    ///   - number: The number of the batch.
    ///   - retried: Those of its records that wait for another batch, at their old places in the order.
    mutating func endBatch(_ number: Int, retrying retried: [StoredRecord] = []) {
        batches.removeValue(forKey: number)?.visitUsers { user, records in keys.remove(user, records: records) }
        isBlocked = false
        guard !retried.isEmpty else { return }
        allowance += Int64(retried.count)
        add(retried)
        waiting.sort { $0.record.id < $1.record.id }
    }
}

/// Assigns a number to each user of the records that are being sent or are read ahead.
///
/// Two users are the same if Braze would use the same identifier for them. A user without such records has no number, so
/// the table stays small.
private struct UserKeys {
    /// The user for records without one, as JSON text.
    private let user: String?
    private var numbers: [String: Int] = [:]
    private var users: [Int: (key: String, records: Int)] = [:]
    private var last = 0
    /// The text and the number of the last record's user, since consecutive records often have the same user, and how many
    /// records of that user `users` does not count yet.
    private var recent: (text: String, number: Int, uncounted: Int)?

    /// An empty table.
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
            // U+2028 and U+2029, which the parser's text has escaped, begin with E2.
            if byte == UInt8(ascii: "\\") || byte == 0xE2 { return false }
            if byte == UInt8(ascii: "\"") { quotes += 1 }
        }
        return quotes == 4
    }
}
