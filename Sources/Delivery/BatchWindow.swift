internal import Suites

/// The part of a queue that a flush has read and not settled yet: what waits, and the batches that are under way.
///
/// Order is kept per user: a record waits while a batch with records of its user is under way.
struct BatchWindow {
    /// The greatest number of records in a batch.
    static let batchRecords = 1_000
    /// A batch that holds this many bytes of text gets no further record.
    static let batchBytes = 1 << 20
    /// The greatest number of records that wait, so that users with a batch under way do not hide the others.
    static let windowRecords = 3_000
    /// If this many bytes of text wait, nothing more is read.
    static let windowBytes = 3 << 20

    /// The records of a batch, with its number.
    typealias Batch = (number: Int, records: [StoredRecord])

    private struct Waiting {
        let record: StoredRecord
        let user: Int
    }

    /// The newest record of the flush: what is saved later belongs to the next one.
    private let newest: Int64
    private let batchesAtOnce: Int
    /// How many more records may be offered.
    private var allowance: Int64
    /// The last record that was read.
    private var lastRead: Int64 = 0
    /// In order of capture.
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// The batches that are under way, by number.
    private var batches: [Int: [Waiting]] = [:]
    private var nextNumber = 0
    private var keys: UserKeys

    /// A window that has read nothing yet.
    ///
    /// - Parameters:
    ///   - newest: The newest record to offer.
    ///   - limit: The greatest number of records to offer.
    ///   - batchesAtOnce: How many batches may be under way.
    ///   - user: The user of records that name none, as JSON text.
    init(newest: Int64, limit: Int64, batchesAtOnce: Int, user: String?) {
        self.newest = newest
        self.batchesAtOnce = batchesAtOnce
        allowance = limit
        keys = UserKeys(user: user)
    }

    /// Whether there is nothing left to offer; batches may still be under way.
    var isExhausted: Bool { lastRead >= newest && waiting.isEmpty || allowance == 0 }

    /// The next records to read; nil while there is no room for them, and at the end.
    var nextRead: (range: ClosedRange<Int64>, records: Int, bytes: Int)? {
        let room = (records: Self.windowRecords - waiting.count, bytes: Self.windowBytes - waitingBytes)
        guard lastRead < newest, allowance > 0, room.records >= Self.batchRecords, room.bytes > 0 else { return nil }
        return (lastRead + 1...newest, room.records, room.bytes)
    }

    /// Adds what ``nextRead`` asked for.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - last: The last row that was read; nil if there are no more.
    mutating func append(_ records: [StoredRecord], last: Int64?) {
        add(records)
        lastRead = last ?? newest
    }

    private mutating func add(_ records: [StoredRecord]) {
        for record in records {
            waiting.append(Waiting(record: record, user: keys.add(record)))
            waitingBytes += record.bytes
        }
    }

    /// The records of a batch that is under way.
    func records(of number: Int) -> [StoredRecord] { batches[number]?.map(\.record) ?? [] }

    /// Forms the next batch: the first records whose users have nothing under way.
    ///
    /// - Parameter isProbe: Whether it is to try the destination, with one record and alone.
    /// - Returns: The batch; nil if none may be formed now.
    mutating func nextBatch(isProbe: Bool) -> Batch? {
        guard batches.count < (isProbe ? 1 : batchesAtOnce) else { return nil }
        let limit = min(allowance, Int64(isProbe ? 1 : Self.batchRecords))
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
        guard !batch.isEmpty else { return nil }
        waiting.replaceSubrange(..<position, with: skipped)
        waitingBytes -= bytes
        allowance -= Int64(batch.count)
        defer { nextNumber += 1 }
        batches[nextNumber] = batch
        return (nextNumber, batch.map(\.record))
    }

    /// Removes records from a batch, because they were deleted before it was claimed.
    mutating func remove(_ ids: Set<Int64>, from number: Int) {
        guard !ids.isEmpty, let batch = batches[number] else { return }
        for entry in batch where ids.contains(entry.record.id) {
            keys.remove(entry.record)
            allowance += 1
        }
        batches[number] = batch.filter { !ids.contains($0.record.id) }
    }

    /// Ends a batch: its users may have other batches under way.
    ///
    /// - Parameters:
    ///   - number: The number of the batch.
    ///   - again: Those of its records that wait again, at their old places.
    mutating func end(_ number: Int, again: [StoredRecord] = []) {
        for entry in batches.removeValue(forKey: number) ?? [] { keys.remove(entry.record) }
        guard !again.isEmpty else { return }
        allowance += Int64(again.count)
        add(again)
        waiting.sort { $0.record.id < $1.record.id }
    }
}
