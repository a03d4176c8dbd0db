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

    private struct Waiting {
        let record: StoredRecord
        let user: Int
    }

    /// In order of capture.
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// The batches that are on their way, by number.
    private var batches: [Int: [Waiting]] = [:]
    private var keys: UserKeys

    /// A queue without records.
    ///
    /// - Parameter user: Whom records without a user are about, as JSON text.
    init(user: String? = nil) { keys = UserKeys(user: user) }

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// How many batches are on their way.
    var onTheirWay: Int { batches.count }

    /// How many more records may be read, and how many bytes of them.
    var room: (records: Int, bytes: Int) {
        (max(0, Self.windowRecords - waiting.count), max(0, Self.windowBytes - waitingBytes))
    }

    /// Adds what was read, which comes behind all that was read before.
    mutating func append(_ records: [StoredRecord]) {
        for record in records {
            waiting.append(Waiting(record: record, user: keys.add(record)))
            waitingBytes += record.bytes
        }
    }

    /// The records of a batch that is on its way.
    func batch(_ number: Int) -> [StoredRecord]? { batches[number]?.map(\.record) }

    /// Takes the next batch: the first records whose users have nothing on its way.
    ///
    /// - Parameters:
    ///   - number: The batch's number.
    ///   - limit: The greatest number of records.
    /// - Returns: The records in order; none where nothing may leave now.
    mutating func takeBatch(_ number: Int, limit: Int) -> [StoredRecord] {
        let busy = Set(batches.values.joined().lazy.map(\.user))
        var batch: [Waiting] = []
        var skipped: [Waiting] = []
        var bytes = 0
        var position = 0
        while position < waiting.count, batch.count < limit, bytes < Self.batchBytes {
            let next = waiting[position]
            position += 1
            guard !busy.contains(next.user) else {
                skipped.append(next)
                continue
            }
            batch.append(next)
            bytes += next.record.bytes
        }
        guard !batch.isEmpty else { return [] }
        waiting.replaceSubrange(..<position, with: skipped)
        waitingBytes -= bytes
        batches[number] = batch
        return batch.map(\.record)
    }

    /// Takes records out of a batch: somebody removed them before it left.
    ///
    /// - Returns: How many of them were in it.
    mutating func remove(_ ids: Set<Int64>, from number: Int) -> Int {
        guard let batch = batches[number] else { return 0 }
        let removed = batch.filter { ids.contains($0.record.id) }
        for entry in removed { keys.remove(entry.record) }
        batches[number] = batch.filter { !ids.contains($0.record.id) }
        return removed.count
    }

    /// Ends a batch: its users may have others on their way, and some of its records wait again at their places.
    mutating func end(_ number: Int, again: [StoredRecord]) {
        for entry in batches.removeValue(forKey: number) ?? [] { keys.remove(entry.record) }
        guard !again.isEmpty else { return }
        append(again)
        waiting.sort { $0.record.id < $1.record.id }
    }
}
