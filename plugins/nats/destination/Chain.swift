internal import NATS
internal import PartitionLeases

/// The messages that a stream holds of a suite in one partition, as far as this process has published or read them.
///
/// A message is published with an id that names the one before it. The stream stores one message with that id, so the chain
/// has no branches, and whoever published a message knew all before it: it has no record that an earlier one has.
struct Chain {
    /// How many messages are remembered; earlier ones are read again if they are needed.
    private static let remembered = 32

    /// A message of the chain.
    private struct Link {
        let sequence: Int64
        /// The sequence of the message before it, or 0.
        let after: Int64
        /// The highest id of a record in the messages before it, or 0.
        let top: Int64
        /// The records by their ids.
        let digests: [Int64: Int]

        init(sequence: Int64, after: Int64, top: Int64, digests: [Int64: Int]) {
            (self.sequence, self.after, self.top, self.digests) = (sequence, after, top, digests)
        }

        /// The link of a message that was read.
        init(_ message: Message, _ known: LinkedMessage) {
            sequence = Int64(clamping: message.sequence)
            (after, top) = (known.after, known.top)
            digests = Dictionary(zip(known.ids, known.records.map(RecordLine.digest))) { $1 }
        }
    }

    /// Where the messages are.
    struct Place: Hashable {
        let stream: String
        let subject: String
    }

    let place: Place
    /// The last messages, in their order; of none before the first is anything known.
    private var links: [Link] = []
    /// The highest id of a record of the chain, or 0.
    private(set) var top: Int64 = 0

    /// The sequence of the last message; 0 if there is none.
    var last: Int64 { links.last?.sequence ?? 0 }

    /// A chain without messages.
    init(_ place: Place) { self.place = place }

    /// Reads the last message of a chain.
    ///
    /// - Parameters:
    ///   - place: The chain.
    ///   - successor: The sequence of a message that the stream has or had; 0 if none is known.
    ///   - connection: The connection; the call blocks.
    /// - Throws: Why it cannot be read, or that it is not pushhost's.
    init(_ place: Place, atLeast successor: Int64 = 0, on connection: Connection) throws(NATSError) {
        self.place = place
        if let message = try connection.lastMessage(of: place.subject, in: place.stream) {
            guard let known = LinkedMessage(message.body) else {
                let text = "message \(message.sequence) of \(place.stream) with the subject \(place.subject)"
                throw NATSError(.invalid, "\(text) was not published by pushhost: remove it")
            }
            links = [Link(message, known)]
            top = known.ids.reduce(known.top, max)
        }
        guard last < successor else { return }
        _ = try Self.message(successor, place, on: connection)
        // Somebody removed it from the stream, and the chain goes on after it nevertheless.
        links.append(Link(sequence: successor, after: 0, top: top, digests: [:]))
    }

    /// A message that the stream has stored; nil if it was removed.
    private static func message(
        _ sequence: Int64,
        _ place: Place,
        on connection: Connection
    ) throws(NATSError) -> Message? {
        if let message = try connection.message(UInt64(sequence), in: place.stream) { return message }
        guard try connection.stream(place.stream).lastSequence >= UInt64(sequence) else {
            throw NATSError(.unavailable, "the leader of \(place.stream) does not have message \(sequence) yet")
        }
        return nil
    }

    /// Whether a message of the chain has a record.
    ///
    /// It reads earlier messages if they may have it, so the call blocks.
    ///
    /// - Throws: Why an earlier message cannot be read.
    mutating func contains(_ line: RecordLine, on connection: Connection) throws(NATSError) -> Bool {
        guard line.id <= top else { return false }
        for link in links.reversed() {
            if link.digests[line.id] == line.digest { return true }
            if line.id > link.top { return false }
        }
        // If the stream was created anew, a message may follow one of the old stream.
        while let first = links.first, first.after > 0, first.after < first.sequence, line.id <= first.top {
            // A message that was removed was settled, or somebody removed it; those before it were removed, too.
            guard let message = try Self.message(first.after, place, on: connection),
                message.subject == place.subject, let known = LinkedMessage(message.body)
            else { return false }
            links.insert(Link(message, known), at: 0)
            if links[0].digests[line.id] == line.digest { return true }
        }
        return false
    }

    /// Adds a message that the stream has stored.
    mutating func append(_ lines: ArraySlice<RecordLine>, sequence: UInt64) {
        let digests = Dictionary(lines.map { ($0.id, $0.digest) }) { $1 }
        links.append(Link(sequence: Int64(clamping: sequence), after: last, top: top, digests: digests))
        top = lines.reduce(top) { max($0, $1.id) }
        if links.count > Self.remembered { links.removeFirst(links.count - Self.remembered) }
    }
}
