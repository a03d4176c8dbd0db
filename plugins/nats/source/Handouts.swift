internal import Synchronization

/// The records that the host has, of all partitions.
///
/// The lock is held for moments only, so a thread may use it while it holds another lock.
final class Handouts: Sendable {
    private struct State {
        var partitions: [Int64: Int] = [:]
        var stored: Set<Int64> = []
    }

    private let state = Mutex(State())

    /// Notes that the host gets records.
    func add(_ ids: [Int64], of partition: Int) {
        state.withLock { state in for id in ids { state.partitions[id] = partition } }
    }

    /// Notes that the host does not have records any more.
    func remove(_ ids: [Int64]) {
        state.withLock { state in for id in ids { state.partitions[id] = nil } }
    }

    /// The records that the host has, with their partitions.
    var all: [Int64: Int] { state.withLock { $0.partitions } }

    /// The records of a partition that the host has.
    func ids(of partition: Int) -> [Int64] {
        state.withLock { $0.partitions.filter { $0.value == partition }.map(\.key) }
    }

    // MARK: Calls that the host repeats

    /// The records whose outcome was stored by a call that failed for others, so that the host repeats it.
    var stored: Set<Int64> { state.withLock { $0.stored } }

    /// Notes that the outcome of records is stored, though the call fails.
    func noteStored(_ ids: [Int64]) { state.withLock { $0.stored.formUnion(ids) } }

    /// Notes that a call was answered, so that it is not repeated.
    func forgetStored() { state.withLock { $0.stored = [] } }
}
