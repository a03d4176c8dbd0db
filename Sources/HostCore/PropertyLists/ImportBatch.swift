internal import Suites

/// What an import writes into the suite by one transaction, which others wait for.
struct ImportBatch {
    /// How many rows it has at most, and past how many bytes it takes no further one.
    private static let rowLimit = 400
    private static let byteLimit: Int64 = 256 << 10

    private(set) var rows: [StagedRow] = []
    private(set) var defaults: [StagedDefault] = []
    private var bytes: Int64 = 0

    /// Whether it is to be written before anything is added.
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
