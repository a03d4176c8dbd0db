import JSON
import TestSupport
import Testing

/// The location of each record: how often the server received it, and how often it is a dead letter or pending.
struct DeliveryAudit {
    private let log: [(request: Int, numbers: [Int])]
    private let sent: [Int: Int]
    private let dead: [Int: Int]
    private let pending: [Int: Int]

    /// Reads the counts from the server and a host.
    init(_ server: UsersTrackServer, _ host: HostProcess) throws {
        log = try server.log().map { ($0.request, try DeliveryRecord.numbers(in: $0)) }
        sent = Self.tally(log.flatMap(\.numbers))
        dead = Self.tally(try host.pages("deadLetters", "deadLetters").map(DeliveryRecord.number))
        pending = Self.tally(try host.pages("pending", "records").map(DeliveryRecord.number))
    }

    private static func tally(_ numbers: [Int]) -> [Int: Int] {
        Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The number of dead letters.
    var deadCount: Int { dead.count }
    /// The number of pending records.
    var pendingCount: Int { pending.count }
    /// The number of different records that the server received.
    var sentCount: Int { sent.count }
    /// The number of additional copies that the server received.
    var duplicates: Int { sent.values.reduce(0) { $0 + $1 - 1 } }

    /// Expects that each record is in exactly one place, once.
    func expectOnce(_ records: some Sequence<DeliveryRecord>, at location: SourceLocation = #_sourceLocation) {
        let wrong = records.filter { places($0).reduce(0, +) != 1 }
        #expect(wrong.isEmpty, "sent, dead, pending: \(describe(wrong))", sourceLocation: location)
    }

    /// Expects that no record is lost, none was received more than twice, no increment was received twice, and that the
    /// number of possibly sent records explains the duplicates.
    func expectNoneLost(
        _ records: some Sequence<DeliveryRecord>,
        possiblySent: Int,
        at location: SourceLocation = #_sourceLocation
    ) {
        let wrong = records.filter { record in
            let (sent, dead, pending) = (places(record)[0], places(record)[1], places(record)[2])
            return sent + dead + pending == 0 || dead + pending > 1 || sent > (record.isIncrement ? 1 : 2)
        }
        #expect(wrong.isEmpty, "sent, dead, pending: \(describe(wrong))", sourceLocation: location)
        #expect(duplicates <= possiblySent, "more duplicates than possibly sent records", sourceLocation: location)
    }

    /// Expects that every dead letter is an increment.
    func expectDeadIncrements(_ records: some Sequence<DeliveryRecord>, at location: SourceLocation = #_sourceLocation)
    {
        let wrong = records.filter { dead[$0.number] != nil && !$0.isIncrement }
        #expect(wrong.isEmpty, "sent, dead, pending: \(describe(wrong))", sourceLocation: location)
    }

    /// Expects that each user's events arrived in the order in which they were saved, and that no attribute arrived in
    /// or before a request with an event that was saved earlier.
    func expectOrder(_ records: some Sequence<DeliveryRecord>, at location: SourceLocation = #_sourceLocation) {
        let all = Dictionary(records.map { ($0.number, $0) }) { first, _ in first }
        var received: [String: [(record: DeliveryRecord, request: Int)]] = [:]
        for (request, numbers) in log {
            for record in numbers.compactMap({ all[$0] }) {
                received[record.user, default: []].append((record, request))
            }
        }
        for (user, own) in received {
            let events = own.filter(\.record.isEvent).map(\.record.number)
            #expect(events == events.sorted(), "\(user)", sourceLocation: location)
            for attribute in own where !attribute.record.isEvent {
                for event in own where event.record.isEvent {
                    let isInOrder =
                        event.record.number < attribute.record.number
                        ? event.request < attribute.request : attribute.request <= event.request
                    #expect(isInOrder, "\(user): \(attribute) and \(event)", sourceLocation: location)
                }
            }
        }
    }

    private func places(_ record: DeliveryRecord) -> [Int] {
        [sent, dead, pending].map { $0[record.number, default: 0] }
    }

    private func describe(_ records: [DeliveryRecord]) -> String {
        let some = records.prefix(10).map { "\($0.number): \(places($0))" }
        return "\(records.count) records, such as \(some.joined(separator: ", "))"
    }
}

extension HostProcess {
    /// All items of a method that returns its result in pages.
    fileprivate func pages(_ method: String, _ member: String) throws -> [JSON] {
        var all: [JSON] = []
        while true {
            let after = all.last?["id"] ?? 0
            guard let page = try result(method, ["after": after])[member]?.array else {
                throw TestFailure("\(method) returned no \(member)")
            }
            guard page.count > 0 else { return all }
            all += page
        }
    }
}
