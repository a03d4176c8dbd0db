internal import GRDB

/// A change of many records, made in parts that may be committed one by one.
///
/// Committed parts stay even if a later one fails. A record is always either pending, or a dead letter, or deleted.
public struct BulkChange {
    enum Action {
        /// Makes dead letters pending again, each at its old place in the order.
        case retry
        /// Deletes dead letters for good.
        case discard
        /// Deletes pending records of a kind.
        case remove(RecordKind)
        /// Deletes pending rows of unknown kinds, after those of every known kind.
        case removeDamaged
    }

    /// The maximum number of records that a part changes.
    private static let partSize = 200

    private let suite: Suite
    /// The remaining steps, the next one last.
    private var steps: [(action: Action, ids: ClosedRange<Int64>)]
    /// The number of records changed so far.
    public private(set) var count: Int64 = 0
    /// The maximum number of records that this change affects.
    public let total: Int64

    init(_ suite: Suite, _ actions: [Action], ids: [ClosedRange<Int64>], total: Int64) {
        self.suite = suite
        self.total = total
        steps = actions.reversed().flatMap { action in ids.reversed().map { (action, $0) } }
    }

    /// Whether all steps are done.
    public var isDone: Bool { steps.isEmpty }

    /// Makes all remaining parts in the open transaction.
    ///
    /// - Returns: The number of records changed.
    /// - Throws: An error if the suite cannot be changed.
    public mutating func finish() throws(SuiteError) -> Int64 {
        while !isDone { try changePart() }
        return count
    }

    /// Makes some parts and commits them.
    ///
    /// - Parameter shouldContinue: Returns whether to continue; called after each part.
    /// - Throws: An error if the suite cannot be changed; then this value is unchanged.
    public mutating func advance(while shouldContinue: () -> Bool) throws(SuiteError) {
        let before = self
        do throws(SuiteError) {
            while !isDone {
                try changePart()
                guard shouldContinue() else { break }
            }
            try suite.commit()
            // On a full disk, the log has room for one part only.
            suite.checkpoint(isIdle: false, isBetweenSlices: true)
        } catch {
            suite.rollback()
            self = before
            throw error
        }
    }

    private mutating func changePart() throws(SuiteError) {
        guard let (action, ids) = steps.last else { return }
        switch action {
        case .retry: break
        case .discard, .remove, .removeDamaged: suite.store.reserve.releaseIfFull()
        }
        var counted = Counters()
        let end = try suite.write { db in
            var end = ids.upperBound
            try db.inSavepoint {
                if let part = try Self.window(db, action, ids) {
                    try apply(db, action, part, &counted)
                    end = part.upperBound
                }
                return .commit
            }
            return end
        }
        suite.counters.add(counted)
        switch action {
        case .retry: count += counted.allRecords
        case .discard: count -= counted.deadLetters.records
        case .remove, .removeDamaged: count -= counted.allRecords
        }
        steps.removeLast()
        if end < ids.upperBound { steps.append((action, end + 1...ids.upperBound)) }
    }

    /// The range of the first visible ids that the action affects, at most ``partSize`` of them; nil if it affects none.
    private static func window(
        _ db: Database,
        _ action: Action,
        _ ids: ClosedRange<Int64>
    ) throws -> ClosedRange<Int64>? {
        let table: String
        var arguments: StatementArguments = []
        switch action {
        case .retry, .discard: table = "dead_letters WHERE id BETWEEN ? AND ?"
        case .remove(let kind):
            table = "pending WHERE id BETWEEN ? AND ? AND kind = ?"
            arguments += [kind.rawValue]
        // There are few damaged rows, so one part removes all of them.
        case .removeDamaged: return ids
        }
        let newest = try db.cachedStatement(
            sql: "SELECT max(id) FROM (SELECT id FROM \(table) ORDER BY id LIMIT \(partSize))"
        )
        for part in try VisibleRows.ranges(db, in: ids) {
            let bounds: StatementArguments = [part.lowerBound, part.upperBound]
            if let end = try Int64.fetchOne(newest, arguments: bounds + arguments) { return part.lowerBound...end }
        }
        return nil
    }

    private func apply(
        _ db: Database,
        _ action: Action,
        _ ids: ClosedRange<Int64>,
        _ counted: inout Counters
    ) throws {
        switch action {
        case .retry: try DeadLetters.retry(db, ids, &counted)
        case .discard: try DeadLetters.discard(db, ids, where: "TRUE", &counted)
        case .remove(let kind): try PendingRecords.remove(db, kind, ids, &counted)
        case .removeDamaged:
            try PendingRecords.removeDamaged(db, ids, known: suite.counters.current, &counted)
        }
    }
}

extension BulkChange {
    /// The ids that records of the suite have or had, without those of imports that are not visible yet: an import that is
    /// published while the change runs is not part of it.
    fileprivate static func visibleIDs(of suite: Suite) throws(SuiteError) -> [ClosedRange<Int64>] {
        let newest = max(1, try suite.currentCounters().newestID)
        return try suite.read { try VisibleRows.ranges($0, in: 1...newest) } ?? []
    }
}

extension DeadLetters {
    /// Makes dead letters pending again, each at its old place in the order.
    ///
    /// - Parameter ids: Their ids, or nil for all of them. Unknown ids and dead letters that could not be read as
    ///   records are skipped.
    /// - Returns: The change; the caller must carry it out.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func retry(_ ids: [Int64]?) throws(SuiteError) -> BulkChange {
        try change(.retry, ids)
    }

    /// Deletes dead letters for good.
    ///
    /// - Parameter ids: Their ids, or nil for all of them. Unknown ids are skipped.
    /// - Returns: The change; the caller must carry it out.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func remove(_ ids: [Int64]?) throws(SuiteError) -> BulkChange {
        try change(.discard, ids)
    }

    private func change(_ action: BulkChange.Action, _ ids: [Int64]?) throws(SuiteError) -> BulkChange {
        let all = try total()
        // Otherwise a suite without a file would get one, only to find nothing in it.
        guard all > 0 else { return BulkChange(suite, [], ids: [], total: 0) }
        let runs = if let ids { IDRuns(ids).runs } else { try BulkChange.visibleIDs(of: suite) }
        return BulkChange(suite, [action], ids: runs, total: min(all, Int64(ids?.count ?? .max)))
    }
}

extension PendingRecords {
    /// Deletes every pending record of some kinds, except those that are saved after this call.
    ///
    /// - Parameter kinds: The kinds.
    /// - Returns: The change; the caller must carry it out.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func remove(_ kinds: [RecordKind]) throws(SuiteError) -> BulkChange {
        var total: Int64 = 0
        for kind in kinds { total += try self.total(kind) }
        guard total > 0 else { return BulkChange(suite, [], ids: [], total: 0) }
        let ids = try BulkChange.visibleIDs(of: suite)
        var actions = kinds.map { BulkChange.Action.remove($0) }
        if kinds == RecordKind.allCases, try !recordsOfUnknownKind(limit: 1).isEmpty { actions.append(.removeDamaged) }
        return BulkChange(suite, actions, ids: ids, total: total)
    }

    /// Deletes rows of unknown kinds.
    ///
    /// They were counted under the kind that they were saved with, so the remaining
    /// records are counted again.
    fileprivate static func removeDamaged(
        _ db: Database,
        _ ids: ClosedRange<Int64>,
        known: Counters,
        _ counted: inout Counters
    ) throws {
        try db.execute(
            sql: """
                DELETE FROM pending WHERE kind NOT IN (\(Schema.kinds)) AND id BETWEEN ? AND ?;
                UPDATE leases SET records = (SELECT count(*) FROM pending WHERE lease = leases.id)
                """,
            arguments: [ids.lowerBound, ids.upperBound]
        )
        let count = try db.cachedStatement(
            sql: """
                SELECT count(*), coalesce(sum(\(Schema.recordBytes)), 0) FROM pending
                WHERE kind = ? AND id BETWEEN ? AND ?
                """
        )
        for kind in RecordKind.allCases {
            var now = (records: Int64(0), bytes: Int64(0))
            for part in try VisibleRows.ranges(db, in: 1...Int64.max) {
                let arguments: StatementArguments = [kind.rawValue, part.lowerBound, part.upperBound]
                guard let row = try Row.fetchOne(count, arguments: arguments) else { continue }
                now.records += row.integer(0)
                now.bytes += row.integer(1)
            }
            counted.count(kind, records: now.records - known[kind].records, bytes: now.bytes - known[kind].bytes)
        }
    }

    fileprivate static func remove(
        _ db: Database,
        _ kind: RecordKind,
        _ ids: ClosedRange<Int64>,
        _ counted: inout Counters
    ) throws {
        let condition = "kind = ? AND id BETWEEN ? AND ?"
        let arguments: StatementArguments = [kind.rawValue, ids.lowerBound, ids.upperBound]
        let count = try db.cachedStatement(
            sql: "SELECT count(*), coalesce(sum(\(Schema.recordBytes)), 0) FROM pending WHERE \(condition)"
        )
        guard let row = try Row.fetchOne(count, arguments: arguments) else { return }
        try Lease.release(db, kind, ids)
        try db.cachedStatement(sql: "DELETE FROM pending WHERE \(condition)").execute(arguments: arguments)
        counted.count(kind, records: -row.integer(0), bytes: -row.integer(1))
    }
}
