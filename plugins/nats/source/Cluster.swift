internal import NATS
internal import PartitionLeases

/// The stream, its dead letters and the entries of its partitions, as the servers store them.
///
/// All calls block.
struct Cluster: Sendable {
    let connection: Connection
    /// The bucket with the entries.
    let relays: KeyValueStore
    /// The name, the partitions and the subjects of the stream.
    let layout: StreamLayout
    /// When the stream was created: the ids of its records count from there, and depend on its layout.
    let created: String
    var stream: String { layout.stream }
    var partitions: Int { layout.partitions }

    /// Connects to the servers and reads the stream; creates the bucket and the stream of dead letters if they are missing.
    ///
    /// - Parameter settings: The settings.
    /// - Throws: What is missing or cannot be reached.
    init(_ settings: SourceSettings) throws(NATSError) {
        connection = try Connection(settings.connection)
        let info = try Self.stream(named: settings.stream, connection)
        let stream = settings.stream
        layout = try Self.layout(info)
        created = Self.created(info, layout)
        let replicas = info.configuration.replicas
        relays = try KeyValueStore("\(stream)_RELAYS", on: connection, replicas: replicas)
        do throws(NATSError) {
            _ = try connection.stream("\(stream)_DEAD")
        } catch  where error.kind == .notFound {
            try connection.createStream(
                StreamConfiguration(
                    name: "\(stream)_DEAD",
                    subjects: ["\(stream)_DEAD.>"],
                    replicas: replicas
                )
            )
        }
    }

    /// Reads the stream.
    ///
    /// - Throws: What an operator has to do if it is missing or not what the destination `nats` publishes to.
    private static func stream(named name: String, _ connection: Connection) throws(NATSError) -> StreamInfo {
        let info: StreamInfo
        do throws(NATSError) {
            info = try connection.stream(name)
        } catch  where error.kind == .notFound {
            let text = "a host that delivers to nats creates it, or set NATS_STREAM"
            throw NATSError(.notFound, "there is no stream \(name): \(text)")
        }
        return info
    }

    private static func layout(_ info: StreamInfo) throws(NATSError) -> StreamLayout {
        let configuration = info.configuration
        let name = configuration.name
        guard configuration.keepsAcknowledged,
            let layout = StreamLayout(stream: name, subjects: configuration.subjects)
        else {
            let text = "it must have the retention limits and the subjects \(name).*.*.0, \(name).*.*.1 and so on"
            throw NATSError(.invalid, "the stream \(name) was not created by pushhost: \(text)")
        }
        return layout
    }

    private static func created(_ info: StreamInfo, _ layout: StreamLayout) -> String {
        layout.isLinked ? "\(info.created)-linked" : String(info.created)
    }

    /// Whether a stream is this one: it was not deleted, created again or changed.
    func isSame(_ info: StreamInfo) -> Bool {
        Set(info.configuration.subjects) == Set(layout.subjects) && Self.created(info, layout) == created
    }

    /// The key of a partition's entry.
    static func key(_ partition: Int) -> String { "partition.\(partition)" }

    /// The subjects of a partition's records.
    func filter(_ partition: Int) -> String { layout.filter(partition) }

    /// The entry of a partition as it is stored.
    func entry(of partition: Int) throws(NATSError) -> KeyValueStore.Entry? { try relays.get(Self.key(partition)) }

    /// Replaces the entry of a partition.
    ///
    /// - Returns: Its new revision.
    /// - Throws: `conflict` if it has another revision than that one; after `timeout` it may be stored.
    func store(_ entry: PartitionEntry, of partition: Int, revision: UInt64?) throws(NATSError) -> UInt64 {
        guard let revision else { return try relays.create(Self.key(partition), entry.bytes) }
        return try relays.update(Self.key(partition), entry.bytes, revision: revision)
    }

    /// Stores a record as a dead letter, before it is acknowledged in the stream.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - id: Its id.
    ///   - reason: Why it will never be accepted.
    /// - Throws: Why it is not stored.
    func storeDeadLetter(_ record: FetchedRecord, _ id: Int64, _ reason: String) throws(NATSError) {
        let message = record.message
        let tokens = message.subject.dropFirst(stream.utf8.count + 1).split(separator: ".").map(String.init)
        let (suite, partition) = (tokens.first ?? "", tokens.last ?? "")
        // Published there again, it is in no chain, so that it disturbs none.
        let subject = layout.subject(suite: suite, identity: "again", Int(partition) ?? 0)
        // A server takes headers of 64 KiB.
        let text = String(decoding: reason.onOneLine.utf8.prefix(4_096), as: UTF8.self)
        var publication = Publication(
            subject: "\(stream)_DEAD.\(suite).\(partition)",
            id: "dead-\(created)-\(id)",
            headers: [
                ("Pushhost-Reason", text), ("Pushhost-Subject", subject),
                ("Pushhost-Sequence", String(message.sequence)),
            ],
            body: record.alone,
            stream: "\(stream)_DEAD"
        )
        do throws(NATSError) {
            try connection.publish(publication)
        } catch  where error.kind == .tooLarge {
            // The record itself is almost as large as the server allows.
            publication.headers = []
            try connection.publish(publication)
        }
    }

    // MARK: What is settled

    /// Creates the consumer of a partition's holder anew.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - name: The consumer's name.
    ///   - entry: The partition's entry, by which it starts.
    /// - Returns: The consumer, from which everything is delivered that is not settled.
    /// - Throws: Why it cannot be created.
    func createConsumer(of partition: Int, named name: String, by entry: PartitionEntry) throws(NATSError)
        -> PullConsumer
    {
        var start = try floor(of: entry, in: try connection.stream(stream))
        if entry.top == 0 {
            // If somebody deleted the entry, the consumers still know what was settled.
            let others = try connection.consumers(of: stream).filter { $0.filter == filter(partition) }
            start = max(start, Int64(clamping: others.map(\.acknowledged).max() ?? 0) + 1)
        }
        let configuration = ConsumerConfiguration(
            stream: stream,
            name: name,
            filter: filter(partition),
            acknowledgementWait: .seconds(600),
            maximumPending: 10_000,
            start: start
        )
        try deleteConsumer(name)
        try connection.createConsumer(configuration)
        // The messages of a stream that was created again must not be taken for those of the old one.
        guard isSame(try connection.stream(stream)) else { throw NATSError.overtaken(partition) }
        return try PullConsumer(configuration, on: connection)
    }

    /// Deletes a consumer; it may be missing.
    func deleteConsumer(_ name: String) throws(NATSError) {
        do throws(NATSError) {
            try connection.deleteConsumer(name, of: stream)
        } catch  where error.kind == .notFound {
            return
        }
    }

    /// The last message of a partition, from the stream's leader.
    func lastMessage(of partition: Int) throws(NATSError) -> Message? {
        try connection.lastMessage(of: filter(partition), in: stream)
    }

    /// Up to where everything in the stream is settled, as the entries say.
    ///
    /// The last message is never counted, so that the servers cannot forget its number.
    ///
    /// - Parameter info: The stream as it was before.
    /// - Returns: The first sequence that may not be settled.
    /// - Throws: Why it is unknown.
    func floor(in info: StreamInfo) throws(NATSError) -> Int64 {
        var floor = Int64(clamping: info.lastSequence)
        for partition in 0..<partitions {
            guard let last = try lastMessage(of: partition) else { continue }
            let entry = try self.entry(of: partition).flatMap { try? PartitionEntry($0.value) }
            guard let entry, entry.stream == created else { return Int64(clamping: info.firstSequence) }
            // All that the partition had in the stream is settled.
            let records = layout.records(of: Int64(clamping: last.sequence))
            let isSettled = entry.isSettled(records, storedAt: last.time)
            if isSettled, entry.floor > entry.top { continue }
            floor = min(floor, try self.floor(of: entry, in: info))
        }
        return floor
    }

    /// Up to where everything of a partition is settled: the first sequence that may not be.
    private func floor(of entry: PartitionEntry, in info: StreamInfo) throws(NATSError) -> Int64 {
        let first = Int64(clamping: info.firstSequence)
        let top = layout.sequence(of: entry.top)
        // An empty stream has the first sequence 0.
        guard top > 0, top >= first else { return first }
        // Servers that lost messages with their power use sequences again, and the entry does not know these messages.
        guard let message = try connection.message(UInt64(top), in: stream),
            entry.isKnown(entry.top, storedAt: message.time)
        else { return first }
        return layout.sequence(of: entry.floor)
    }
}

extension String {
    /// The text without line breaks, which a header cannot have.
    fileprivate var onOneLine: String {
        String(decoding: utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
