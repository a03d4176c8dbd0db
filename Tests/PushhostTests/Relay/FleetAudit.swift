import JSON
import TestSupport
import Testing

/// Where the records of a fleet are: how often the service got each, and which are dead letters.
struct FleetAudit {
    /// The records in the order in which the service processed them.
    private let arrived: [FleetRecord]
    private let counts: [FleetRecord: Int]
    private let dead: Set<FleetRecord>

    /// Reads what the service processed.
    ///
    /// - Parameters:
    ///   - server: The service.
    ///   - dead: The dead letters.
    /// - Throws: If the service cannot be asked, or has something else.
    init(_ server: UsersTrackServer, dead: [FleetRecord] = []) throws {
        arrived = try server.log().flatMap { try FleetRecord.records(in: $0) }
        counts = Dictionary(arrived.map { ($0, 1) }, uniquingKeysWith: +)
        self.dead = Set(dead)
    }

    /// How many different records arrived or are dead letters.
    var accounted: Int { Set(counts.keys).union(dead).count }

    /// How many additional copies arrived.
    var doubles: Int { arrived.count - counts.count }

    /// Some of the records that neither arrived nor are dead letters.
    func missing(_ hosts: [FleetHost]) -> [String] {
        let all = hosts.flatMap { host in (0..<host.saved).map { FleetRecord(host: host.number, number: $0) } }
        let missing = all.filter { counts[$0] == nil && !dead.contains($0) }
        return missing.prefix(10).map { "\($0.host).\($0.number)" } + ["\(dead.count) dead letters"]
    }

    /// Expects that each record arrived or is a dead letter, and that nothing came too often: an increment once, any
    /// other record twice.
    ///
    /// - Parameters:
    ///   - hosts: The hosts that saved the records.
    ///   - location: Where the check stands.
    func expectNoneLost(_ hosts: [FleetHost], at location: SourceLocation = #_sourceLocation) {
        var wrong: [String] = []
        for host in hosts {
            for number in 0..<host.saved {
                let record = FleetRecord(host: host.number, number: number)
                let count = counts[record, default: 0]
                if count == 0 && !dead.contains(record) || count > (record.isIncrement ? 1 : 2) {
                    wrong.append("\(record.host).\(record.number): \(count)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) records, such as \(wrong.prefix(10))", sourceLocation: location)
    }

    /// Expects that the events of each user arrived in the order of their saves; a copy may come again later.
    func expectOrder(at location: SourceLocation = #_sourceLocation) {
        var seen: Set<FleetRecord> = []
        var last: [String: Int] = [:]
        var wrong: [String] = []
        for record in arrived where !record.isIncrement && seen.insert(record).inserted {
            if record.number < last[record.user, default: -1] { wrong.append("\(record)") }
            last[record.user] = record.number
        }
        #expect(wrong.isEmpty, "\(wrong.count) too late, such as \(wrong.prefix(5))", sourceLocation: location)
    }
}
