import BrazeRules
import ExtensionKit

/// Packs the records of a batch into requests, part by part, so that the first are sent while later ones are packed.
struct BatchPacking: Sendable {
    /// The next requests, and the records before them that cannot be sent.
    struct Part: Sendable {
        let requests: [TrackRequest]
        /// The users of these requests, and of earlier ones.
        let users: [Identity]
        /// The rejected and the held records.
        let unsendable: DeliveryResult
        /// Whether no part follows.
        let isLast: Bool
    }

    private let records: [DeliveryRecord]
    private var position = 0
    private var mapping: Mapping
    private var packing: Packing

    init(_ records: [DeliveryRecord], _ configuration: Configuration) {
        self.records = records
        mapping = Mapping(configuration.mapping)
        packing = Packing(configuration.request, configuration.mapping)
    }

    /// Packs records until a request is full, or all of them.
    mutating func next() -> Part {
        var unsendable = DeliveryResult()
        while position < records.count {
            let record = records[position]
            position += 1
            do throws(Unsendable) {
                let record = try mapping.encode(record)
                try packing.add(record, of: mapping.users[record.userIndex])
            } catch {
                switch error {
                case .rejected(let reason): unsendable.rejected.append(.init(record.id, reason))
                case .held(let reason): unsendable.held.append(.init(record.id, reason))
                }
            }
            if packing.hasFull {
                let full = packing.takeFull(mapping.users)
                return Part(requests: full, users: mapping.users, unsendable: unsendable, isLast: false)
            }
        }
        let requests = packing.finish(mapping.users)
        return Part(requests: requests, users: mapping.users, unsendable: unsendable, isLast: true)
    }
}
