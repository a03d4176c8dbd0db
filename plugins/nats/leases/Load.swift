/// In which partitions records wait for longer than a moment.
///
/// Relays exchange partitions because of it, so a partition becomes busy only if many records were waiting at two counts in
/// a row, and stays busy until few are.
public struct Load: Equatable, Sendable {
    /// From how many records on a partition becomes busy: more than a relay keeps.
    static let many: UInt64 = 5_000
    /// Below how many records it is not busy any more: those of a batch.
    static let few: UInt64 = 1_000

    /// The busy partitions.
    public private(set) var busy: Set<Int> = []
    /// Those in which many records waited at the last count.
    private var full: Set<Int> = []

    /// No partition is busy.
    public init() {}

    /// Notes how many records wait.
    ///
    /// - Parameter counts: The number of records in each partition that are not settled.
    public mutating func note(_ counts: [Int: UInt64]) {
        let full = Set(counts.filter { $0.value >= Self.many }.keys)
        let ended = busy.filter { counts[$0, default: 0] < Self.few }
        busy = busy.subtracting(ended).union(full.intersection(self.full))
        self.full = full
    }
}
