internal import GRDB

/// The delivery totals of one destination, stored in the suite so that they survive restarts of the host.
public struct DeliveryTotals: Equatable, Sendable {
    /// The destination's name.
    public let destination: String
    /// The number of records that it has accepted.
    public var delivered: Int64 = 0
    /// The number of records that became dead letters.
    public var rejected: Int64 = 0
    /// How often a record may have been sent without a definite answer.
    public var possiblySent: Int64 = 0
    /// The number of consecutive attempts that failed.
    public var failures = 0
    /// The time before which nothing is sent, in milliseconds since 1970; nil if there is no pause.
    public var notBefore: Int64?
    /// Why the last attempt failed.
    public var problem: String?

    /// The totals of a destination to which nothing was sent yet.
    public init(destination: String) { self.destination = destination }

    fileprivate init(_ row: Row) {
        destination = row[0]
        delivered = row[1]
        rejected = row[2]
        possiblySent = row[3]
        failures = row[4]
        notBefore = row[5]
        problem = row[6]
    }

    static func add(_ db: Database, _ settlement: Settlement, destination: String) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO deliveries (destination, delivered, rejected, possibly_sent) VALUES (?, ?, ?, ?)
                ON CONFLICT (destination) DO UPDATE SET
                    delivered = delivered + excluded.delivered,
                    rejected = rejected + excluded.rejected,
                    possibly_sent = possibly_sent + excluded.possibly_sent
                """
        )
        let rejected = settlement.deadLetters.count
        try statement.execute(arguments: [destination, settlement.delivered.count, rejected, settlement.possiblySent])
    }
}

/// Whether a destination could be reached, stored so that every host waits equally long before the next attempt.
public struct DestinationState: Equatable, Sendable {
    /// The number of consecutive attempts that failed.
    public var failures: Int
    /// The time before which nothing is sent, in milliseconds since 1970; nil if there is no pause.
    public var notBefore: Int64?
    /// Why the last attempt failed.
    public var problem: String?

    /// A state.
    public init(failures: Int = 0, notBefore: Int64? = nil, problem: String? = nil) {
        self.failures = failures
        self.notBefore = notBefore
        self.problem = problem
    }

    func store(_ db: Database, destination: String) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO deliveries (destination, failures, not_before, problem) VALUES (?, ?, ?, ?)
                ON CONFLICT (destination) DO UPDATE SET
                    failures = excluded.failures, not_before = excluded.not_before, problem = excluded.problem
                """
        )
        try statement.execute(arguments: [destination, failures, notBefore, problem])
    }
}

extension Claims {
    /// The totals of every destination that the suite was flushed to, by name.
    public func deliveries() throws(SuiteError) -> [DeliveryTotals] {
        try suite.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT destination, delivered, rejected, possibly_sent, failures, not_before, problem
                    FROM deliveries ORDER BY destination
                    """
            )
            return try Row.fetchAll(statement).map(DeliveryTotals.init)
        } ?? []
    }
}
