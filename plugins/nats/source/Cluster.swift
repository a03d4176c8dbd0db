internal import NATS
internal import PartitionLeases

/// The stream, its dead letters and the entries of its partitions, as the servers store them.
///
/// All calls block.
struct Cluster: Sendable {
    let connection: Connection
    /// The bucket with the entries.
    let relays: KeyValueStore
    /// The name of the stream.
    let stream: String
    /// The number of the stream's partitions.
    let partitions: Int
    /// When the stream was created: its sequences count from there.
    let created: String

    /// Connects to the servers and reads the stream; creates the bucket and the stream of dead letters if they are missing.
    ///
    /// - Parameter settings: The settings.
    /// - Throws: What is missing or cannot be reached.
    init(_ settings: SourceSettings) throws(NATSError) {
        stream = settings.stream
        connection = try Connection(settings.connection)
        let info = try Self.stream(named: stream, connection)
        created = String(info.created)
        partitions = info.configuration.subjects.count
        let replicas = info.configuration.replicas
        relays = try KeyValueStore("\(stream)_RELAYS", on: connection, replicas: replicas)
        do throws(NATSError) {
            _ = try connection.stream("\(stream)_DEAD")
        } catch  where error.kind == .notFound {
            try connection.createStream(
                StreamConfiguration(
                    name: "\(stream)_DEAD",
                    subjects: ["\(stream)_DEAD.>"],
                    retention: .limits,
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
        let subjects = info.configuration.subjects
        let expected = subjects.indices.map { "\(name).*.\($0)" }
        guard info.configuration.retention == .workQueue, Set(subjects) == Set(expected) else {
            let text = "it must be a work queue with the subjects \(name).*.0, \(name).*.1 and so on"
            throw NATSError(.invalid, "the stream \(name) is none of pushhost: \(text)")
        }
        return info
    }

    /// The key of a partition's entry.
    static func key(_ partition: Int) -> String { "partition.\(partition)" }

    /// The subjects of a partition's records.
    func filter(_ partition: Int) -> String { "\(stream).*.\(partition)" }

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

    /// Stores a message as a dead letter, before it is acknowledged in the stream.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - reason: Why it will never be accepted.
    /// - Throws: Why it is not stored.
    func storeDeadLetter(_ message: Message, _ reason: String) throws(NATSError) {
        // The subject without the stream: the suite and the partition.
        let rest = message.subject.dropFirst(stream.utf8.count)
        try connection.publish(
            Publication(
                subject: "\(stream)_DEAD\(rest)",
                id: "dead-\(created)-\(message.sequence)",
                headers: [
                    ("Pushhost-Reason", reason.onOneLine), ("Pushhost-Subject", message.subject),
                    ("Pushhost-Sequence", String(message.sequence)),
                ],
                body: message.body,
                stream: "\(stream)_DEAD"
            )
        )
    }

    /// Creates the consumer of a new holder, in place of those of earlier ones.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - name: The new consumer's name.
    ///   - previous: The name of the last holder's consumer.
    /// - Returns: The consumer, from which everything is delivered that is not acknowledged.
    /// - Throws: Why it cannot be created.
    func createConsumer(of partition: Int, named name: String, replacing previous: String?) throws(NATSError)
        -> PullConsumer
    {
        let configuration = ConsumerConfiguration(
            stream: stream,
            name: name,
            filter: filter(partition),
            acknowledgementWait: .seconds(600),
            maximumPending: 10_000
        )
        for old in Set([name, previous].compactMap(\.self)) { try deleteConsumer(old) }
        do throws(NATSError) {
            try connection.createConsumer(configuration)
        } catch  where error.kind == .conflict {
            // A relay that stopped between its claim of the partition and the creation of its consumer went on later.
            for other in try connection.consumers(filteredBy: configuration.filter, of: stream) {
                try deleteConsumer(other)
            }
            try connection.createConsumer(configuration)
        }
        // The messages of a stream that was created again must not be taken for those of the old one.
        guard String(try connection.stream(stream).created) == created else {
            throw NATSError.overtaken(partition)
        }
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
}

extension String {
    /// The text without line breaks, which a header cannot have.
    fileprivate var onOneLine: String {
        String(decoding: utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
