internal import NATS
internal import PartitionLeases

/// The records of a batch and a partition that are not published yet, in their order: one message of them at a time is under
/// way, so that a user's records stay in order and a chain has no gap.
struct Lane: Sendable {
    /// The size of the records of a message from which on no further record is added, well below what servers allow.
    private static let messageBytes = 128 << 10

    private let suite: String
    private let identity: String
    /// Where the messages go; also the place of their chain, if they are linked.
    let place: Chain.Place
    private(set) var lines: ArraySlice<RecordLine>
    /// The maximum number of records in a message.
    private(set) var limit: Int
    private let bytes: Int
    /// The number of records in the message under way; 0 if there is none.
    private(set) var underway = 0
    /// The sequence of a message of the chain that was published by another process or earlier; 0 if there is none that
    /// must be read before the next message.
    var successor: Int64 = 0
    /// Whether nothing more of it is published.
    var isOver = false

    /// Divides the records of a batch by their partitions.
    ///
    /// - Parameters:
    ///   - lines: The records.
    ///   - suite: The name of their suite.
    ///   - identity: The suite's identity.
    ///   - layout: The stream's layout.
    ///   - payload: The maximum size of a message that the server takes.
    /// - Returns: A lane for each partition that has records.
    static func lanes(
        _ lines: [RecordLine],
        suite: String,
        identity: String,
        _ layout: StreamLayout,
        payload: Int
    ) -> [Lane] {
        var parts = [[RecordLine]](repeating: [], count: layout.partitions)
        for line in lines { parts[line.partition].append(line) }
        let token = Partitions.token(suite)
        return parts.enumerated().filter { !$1.isEmpty }.map { partition, lines in
            let subject = layout.subject(suite: token, identity: identity, partition)
            return Lane(
                suite: suite,
                identity: identity,
                place: Chain.Place(stream: layout.stream, subject: subject),
                lines: lines[...],
                limit: layout.isLinked ? LinkedMessage.maximumRecords : 1,
                bytes: min(Self.messageBytes, payload / 2)
            )
        }
    }

    /// The next records as a message.
    ///
    /// - Parameter chain: The chain, as it is now; nil in a stream of single records.
    /// - Returns: The message, and the number of its records.
    func next(after chain: Chain?) -> (publication: Publication, records: Int) {
        let place = self.place
        guard let chain else {
            let line = lines[lines.startIndex]
            let body = Array(line.bytes)
            return (Publication(subject: place.subject, id: line.messageID, body: body, stream: place.stream), 1)
        }
        var (count, size) = (0, 0)
        for line in lines.prefix(limit) {
            size += line.bytes.count
            if count > 0, size > bytes { break }
            count += 1
        }
        let message = LinkedMessage(
            suite: suite,
            identity: identity,
            after: chain.last,
            top: chain.top,
            ids: lines.prefix(count).map(\.id),
            records: lines.prefix(count).map(\.bytes)
        )
        // The stream stores one message with this id, so the chain has no branches.
        let id = "\(place.subject)-\(chain.last)"
        return (Publication(subject: place.subject, id: id, body: message.body, stream: place.stream), count)
    }

    /// Notes that a message with so many records was published.
    mutating func publish(_ records: Int) { underway = records }

    /// Removes the records of the message under way, whose outcome is known.
    ///
    /// - Returns: The records.
    mutating func finish() -> ArraySlice<RecordLine> {
        defer { (lines, underway) = (lines.dropFirst(underway), 0) }
        return lines.prefix(underway)
    }

    /// Keeps the records of the message under way, which the stream did not store.
    mutating func keep() { underway = 0 }

    /// Publishes the other records one at a time, because together they are too large.
    mutating func divide() { (limit, underway) = (1, 0) }

    /// Removes the records that a chain has.
    ///
    /// - Returns: Their ids.
    mutating func remove(in chain: inout Chain, on connection: Connection) throws(NATSError) -> [Int64] {
        // Nearly always all of them are new.
        guard lines.contains(where: { $0.id <= chain.top }) else { return [] }
        var (rest, known): ([RecordLine], [Int64]) = ([], [])
        for line in lines {
            if try chain.contains(line, on: connection) { known.append(line.id) } else { rest.append(line) }
        }
        if !known.isEmpty { lines = rest[...] }
        return known
    }
}
