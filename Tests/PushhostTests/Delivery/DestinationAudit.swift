import JSON
import TestSupport
import Testing

/// The location of each record: how often a destination stored it, and whether it is a dead letter or pending.
struct DestinationAudit {
    let kept: [Int64: Int]
    let dead: [Int64: String]
    let pending: Set<Int64>
    /// How often a record may have been sent, as the suite reports it.
    let possiblySent: Int64
    private let increments: Set<Int64>

    /// Reads the counts from a host and from a destination's files.
    init(_ host: HostProcess, _ folder: String, suite: String = "standard", to name: String = "tried") throws {
        let records = try DestinationWorkspace.kept(folder)
        let letters = try host.all("deadLetters", "deadLetters", suite: suite)
        let waiting = try host.all("pending", "records", suite: suite)
        kept = Dictionary(try records.map { (try Self.id($0), 1) }, uniquingKeysWith: +)
        dead = Dictionary(uniqueKeysWithValues: try letters.map { (try Self.id($0), $0["reason"]?.string ?? "") })
        pending = Set(try waiting.map(Self.id))
        possiblySent = try host.deliveryStatus(of: suite, to: name)["possiblySent"]?.integer ?? 0
        increments = Set(
            try (records + letters + waiting).filter { $0["value"] == ["inc": 1] }.map(Self.id)
        )
    }

    private static func id(_ record: JSON) throws -> Int64 {
        guard let id = record["id"]?.integer else { throw TestFailure("no id in \(record)") }
        return id
    }

    /// How often a record occurs in all places together.
    private func places(_ id: Int64) -> Int {
        kept[id, default: 0] + (dead[id] == nil ? 0 : 1) + (pending.contains(id) ? 1 : 0)
    }

    /// Expects that each record is in some place, was stored at most twice (an increment once), and that the
    /// suite counts enough possible duplicates.
    func expectNoneLost(_ ids: [Int64], at location: SourceLocation = #_sourceLocation) {
        let lost = ids.filter { places($0) == 0 }
        #expect(lost.isEmpty, "lost", sourceLocation: location)
        let twice = ids.filter { dead[$0] != nil && pending.contains($0) }
        #expect(twice.isEmpty, "both dead and pending", sourceLocation: location)
        let often = ids.filter { kept[$0, default: 0] > (increments.contains($0) ? 1 : 2) }
        #expect(often.isEmpty, "stored too often", sourceLocation: location)
        let surplus = ids.reduce(0) { $0 + places($1) - 1 }
        #expect(surplus <= possiblySent, "more duplicates than possibly sent records", sourceLocation: location)
        let foreign = Set(kept.keys).union(dead.keys).union(pending).subtracting(ids)
        #expect(foreign.isEmpty, "records that the test did not save", sourceLocation: location)
    }

    /// Expects each record in exactly one place, and no ambiguous delivery.
    func expectOnce(_ ids: [Int64], at location: SourceLocation = #_sourceLocation) {
        let wrong = ids.filter { places($0) != 1 }
        #expect(wrong.isEmpty, "in no place or in several", sourceLocation: location)
        #expect(possiblySent == 0, sourceLocation: location)
    }

    /// Expects that every record was kept once.
    func expectKept(_ ids: [Int64], at location: SourceLocation = #_sourceLocation) {
        #expect(ids.allSatisfy { kept[$0] == 1 }, sourceLocation: location)
        #expect(kept.count == ids.count, sourceLocation: location)
        #expect(dead.isEmpty, sourceLocation: location)
        #expect(pending.isEmpty, sourceLocation: location)
        #expect(possiblySent == 0, sourceLocation: location)
    }
}
