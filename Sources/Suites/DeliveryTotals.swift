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
        destination = row.text(0) ?? ""
        delivered = row.count(1)
        rejected = row.count(2)
        possiblySent = row.count(3)
        failures = Int(row.count(4))
        notBefore = row.hasNull(atIndex: 5) ? nil : row.integer(5)
        problem = row.text(6)
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
    /// The configuration with which the destination was tried, such as its address and its key; only a hash is stored.
    public var configuration: String

    /// A state.
    public init(failures: Int = 0, notBefore: Int64? = nil, problem: String? = nil, configuration: String = "") {
        self.failures = failures
        self.notBefore = notBefore
        self.problem = problem
        self.configuration = configuration
    }

    /// Stores the state; the digest is the hash of the configuration.
    func store(_ db: Database, destination: String, digest: String) throws {
        try Schema.addConfigurations(db)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO deliveries (destination, failures, not_before, problem, configuration)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (destination) DO UPDATE SET
                    failures = excluded.failures, not_before = excluded.not_before, problem = excluded.problem,
                    configuration = excluded.configuration
                """
        )
        try statement.execute(arguments: [destination, failures, notBefore, problem, digest])
    }
}

extension Claims {
    /// Whether a destination could be reached when it was last tried.
    ///
    /// The state of another configuration is forgotten: a corrected address or key must not wait for the pause of the
    /// wrong one.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - configuration: Its configuration now.
    /// - Returns: The state.
    /// - Throws: An error if the suite cannot be read or changed.
    public func state(of destination: String, configuration: String) throws(SuiteError) -> DestinationState {
        var state = DestinationState(configuration: configuration)
        guard let known = try deliveries().first(where: { $0.destination == destination }),
            known.failures > 0 || known.notBefore != nil || known.problem != nil
        else { return state }
        let digest = try suite.digest(of: configuration) ?? ""
        let stored = try suite.read { db in
            guard try Schema.hasConfigurations(db) else { return nil as String? }
            let statement = try db.cachedStatement(sql: "SELECT configuration FROM deliveries WHERE destination = ?")
            return try String.fetchOne(statement, arguments: [destination])
        }
        // A state without a configuration is that of an earlier program.
        if let stored = stored ?? nil, stored != digest {
            _ = suite.store.reserve.release()
            try suite.write { try state.store($0, destination: destination, digest: digest) }
        } else {
            (state.failures, state.notBefore, state.problem) = (known.failures, known.notBefore, known.problem)
        }
        return state
    }

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
