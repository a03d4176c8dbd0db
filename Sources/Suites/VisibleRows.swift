internal import GRDB

// Records of unfinished imports are already in the file; readers must skip them.

/// The ids of rows that readers may see.
enum VisibleRows {
    /// The ranges of ids that are reserved for unfinished imports, in ascending order; usually none.
    static func hidden(_ db: Database) throws -> [ClosedRange<Int64>] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT first, last FROM staged ORDER BY first"))
        var ranges: [ClosedRange<Int64>] = []
        while let row = try rows.next() {
            let (first, last) = (row.integer(0), row.integer(1))
            // Otherwise another program wrote the row.
            if first <= last { ranges.append(first...last) }
        }
        return ranges
    }

    /// The parts of a range of ids that do not belong to unfinished imports, in ascending order.
    static func ranges(_ db: Database, in range: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        var parts: [ClosedRange<Int64>] = []
        var start = range.lowerBound
        for hidden in try hidden(db) where hidden.upperBound >= start && hidden.lowerBound <= range.upperBound {
            if hidden.lowerBound > start { parts.append(start...hidden.lowerBound - 1) }
            // Behind the greatest id there is none; a damaged row may name it.
            guard hidden.upperBound < range.upperBound else { return parts }
            start = hidden.upperBound + 1
        }
        if start <= range.upperBound { parts.append(start...range.upperBound) }
        return parts
    }
}
