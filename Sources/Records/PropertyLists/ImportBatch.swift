internal import Suites

/// The rows that an import writes in one transaction, during which other writers wait.
struct ImportBatch {
    /// The maximum number of rows, and the size beyond which no row is added.
    private static let rowLimit = 400
    private static let byteLimit: Int64 = 256 << 10

    private(set) var rows: [StagedRow] = []
    private(set) var defaults: [StagedDefault] = []
    private var bytes: Int64 = 0

    /// Whether the batch must be written before anything is added.
    var isFull: Bool { rows.count + defaults.count >= Self.rowLimit || bytes >= Self.byteLimit }

    mutating func add(_ row: StagedRow) {
        rows.append(row)
        bytes += row.size
    }

    mutating func add(_ pair: StagedDefault, size: Int) {
        defaults.append(pair)
        bytes += Int64(size)
    }
}
