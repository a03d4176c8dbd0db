internal import Suites

/// The records that a flush has read and not settled yet, and what of them may leave next.
///
/// Order is kept per user: what is about a user who has records on their way waits.
struct DeliveryQueue {
    /// How many records a batch has at most.
    static let batchRecords = 1_000
    /// Past this many bytes of texts a batch takes no further record.
    static let batchBytes = 1 << 20
    /// How many records wait here at most, so that users on their way do not hide the others.
    static let windowRecords = 3_000
    /// Past this many bytes of texts nothing more is read.
    static let windowBytes = 3 << 20

    /// In order of capture.
    private var waiting: [StoredRecord] = []
    private(set) var waitingBytes = 0
    private var users: UserKeys
    private var usersOnTheirWay: [String: Int] = [:]

    /// A queue without records.
    ///
    /// - Parameter user: Whom records without a user are about, as JSON text.
    init(user: String? = nil) { users = UserKeys(user: user) }

    /// How many records wait.
    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// How many more records may be read, and how many bytes of them.
    var room: (records: Int, bytes: Int) {
        (max(0, Self.windowRecords - waiting.count), max(0, Self.windowBytes - waitingBytes))
    }

    /// Adds what was read, which comes behind all that was read before.
    mutating func append(_ records: [StoredRecord]) {
        waiting += records
        waitingBytes += records.reduce(0) { $0 + $1.bytes }
    }

    /// Takes the next batch: the first records whose users have nothing on its way.
    ///
    /// - Parameter limit: The greatest number of records.
    /// - Returns: The records in order; none where nothing may leave now.
    mutating func takeBatch(limit: Int) -> [StoredRecord] {
        guard limit > 0, !waiting.isEmpty else { return [] }
        var batch: [StoredRecord] = []
        var rest: [StoredRecord] = []
        var keys: [String: Int] = [:]
        var bytes = 0
        for (index, record) in waiting.enumerated() {
            guard batch.count < limit, bytes < Self.batchBytes else {
                rest += waiting[index...]
                break
            }
            let key = users.key(record)
            guard usersOnTheirWay[key] == nil else {
                rest.append(record)
                continue
            }
            batch.append(record)
            bytes += record.bytes
            keys[key, default: 0] += 1
        }
        usersOnTheirWay.merge(keys) { $0 + $1 }
        waiting = rest
        waitingBytes -= bytes
        return batch
    }

    /// Ends a batch: its users may have others on their way, and some of its records wait again at their places.
    mutating func end(_ batch: [StoredRecord], again: [StoredRecord]) {
        for record in batch {
            let key = users.key(record)
            guard let count = usersOnTheirWay[key] else { continue }
            usersOnTheirWay[key] = count > 1 ? count - 1 : nil
        }
        guard !again.isEmpty else { return }
        append(again)
        waiting.sort { $0.id < $1.id }
    }
}
