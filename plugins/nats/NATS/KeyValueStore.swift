internal import CNATS

/// A bucket of keys and values, as the tools of NATS know it: a stream with the last value of each key.
///
/// Every change is stored by a quorum before a call returns, and reads come from the leader.
package struct KeyValueStore: Sendable {
    /// A value and its revision.
    package struct Entry: Equatable, Sendable {
        /// The key.
        package let key: String
        /// The value.
        package let value: [UInt8]
        /// The number of the change that made it.
        package let revision: UInt64
        /// When the server that led the bucket then stored it: nanoseconds since 1970.
        package let time: Int64
    }

    /// The bucket.
    package let bucket: String
    private let connection: Connection

    private var stream: String { "KV_\(bucket)" }
    private func subject(_ key: String) -> String { "$KV.\(bucket).\(key)" }

    /// Opens a bucket, and creates it if it is missing.
    ///
    /// - Parameters:
    ///   - bucket: Its name: letters, digits, `-` and `_`.
    ///   - connection: The connection.
    ///   - replicas: The number of servers that store it, if it is created.
    /// - Throws: Why it cannot be used.
    package init(_ bucket: String, on connection: Connection, replicas: Int) throws(NATSError) {
        self.bucket = bucket
        self.connection = connection
        do throws(NATSError) {
            _ = try connection.stream(stream)
        } catch  where error.kind == .notFound {
            try create(replicas)
        }
    }

    private func create(_ replicas: Int) throws(NATSError) {
        let strings = CStrings()
        var settings = kvConfig()
        kvConfig_Init(&settings)
        settings.Bucket = strings.copy(bucket)
        settings.History = 1
        settings.Replicas = Int32(replicas)
        var store: OpaquePointer?
        do throws(NATSError) {
            try connection.call("create the bucket \(bucket)") { _ in
                js_CreateKeyValue(&store, connection.stream, &settings)
            }
        } catch {
            // Another program may have created it meanwhile.
            guard (try? connection.stream(stream)) != nil else { throw error }
        }
        kvStore_Destroy(store)
    }

    /// The value of a key.
    ///
    /// - Parameter key: The key: letters, digits, `-`, `_`, `=`, `/` and `.`.
    /// - Returns: The value; nil if there is none, or it was deleted.
    /// - Throws: Why it cannot be read.
    package func get(_ key: String) throws(NATSError) -> Entry? {
        guard let message = try last(key), !message.isDeletion else { return nil }
        return Entry(key: key, value: message.body, revision: message.sequence, time: message.time)
    }

    /// Watches the bucket.
    ///
    /// - Returns: The changes from now on.
    /// - Throws: Why that is not possible.
    package func watch() throws(NATSError) -> KeyValueWatch {
        try KeyValueWatch((prefix: subject(""), all: subject(">")), on: connection)
    }

    /// Stores the first value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    /// - Returns: Its revision.
    /// - Throws: `conflict` if the key has a value; after `timeout` it may be stored.
    package func create(_ key: String, _ value: [UInt8]) throws(NATSError) -> UInt64 {
        do throws(NATSError) {
            return try store(key, value, .none)
        } catch  where error.kind == .conflict {
            // A deleted key keeps a mark.
            guard let message = try last(key), message.isDeletion else { throw error }
            return try store(key, value, .last(message.sequence))
        }
    }

    /// Replaces the value of a key, if it still has that revision.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The new value.
    ///   - revision: The revision that is replaced.
    /// - Returns: The new revision.
    /// - Throws: `conflict` if it changed meanwhile; after `timeout` it may be stored.
    package func update(_ key: String, _ value: [UInt8], revision: UInt64) throws(NATSError) -> UInt64 {
        try store(key, value, .last(revision))
    }

    /// Deletes a key, if it still has that revision.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that is deleted.
    /// - Throws: `conflict` if it changed meanwhile; after `timeout` it may be deleted.
    package func delete(_ key: String, revision: UInt64) throws(NATSError) {
        _ = try store(key, [], .last(revision), headers: [("KV-Operation", "DEL")])
    }

    /// All keys, deleted ones included, as the leader knows them.
    ///
    /// - Returns: The keys in alphabetical order.
    /// - Throws: Why they cannot be read.
    package func keys() throws(NATSError) -> [String] {
        let prefix = subject("")
        let info = try connection.stream(stream, subjects: "\(prefix)>")
        return info.subjects.keys.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
            .sorted()
    }

    /// All values, one request each; keys that are deleted meanwhile are left out.
    ///
    /// - Returns: The values in alphabetical order of their keys.
    /// - Throws: Why they cannot be read.
    package func entries() throws(NATSError) -> [Entry] {
        var entries: [Entry] = []
        for key in try keys() {
            if let entry = try get(key) { entries.append(entry) }
        }
        return entries
    }

    private func store(
        _ key: String,
        _ value: [UInt8],
        _ expectation: Expectation,
        headers: [(name: String, value: String)] = []
    ) throws(NATSError) -> UInt64 {
        // A leader of nats-server 2.9 compares the revision before it proposes a change to the others, so of two changes
        // at the same time both would be stored. All servers compare ids when they store a change, so one of the two,
        // with the same id, is then a duplicate.
        let id =
            switch expectation {
            case .anything: nil as String?
            case .none: "\(key)@0"
            case .last(let sequence): "\(key)@\(sequence)"
            }
        let publication = Publication(subject: subject(key), id: id, headers: headers, body: value, stream: stream)
        let acknowledgement = try connection.publish(publication, expectation)
        guard !acknowledgement.isDuplicate else {
            throw NATSError(.conflict, "cannot change \(key) in \(bucket): another change of this revision is stored")
        }
        return acknowledgement.sequence
    }

    private func last(_ key: String) throws(NATSError) -> Message? {
        try connection.lastMessage(of: subject(key), in: stream)
    }
}

extension Connection {
    /// The last message of a subject, from the stream's leader.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - name: The stream.
    /// - Returns: The message; nil if there is none.
    /// - Throws: Why it cannot be read.
    package func lastMessage(of subject: String, in name: String) throws(NATSError) -> Message? {
        try message("read \(subject)") { js_GetLastMsg(&$0, stream, name, subject, nil, &$1) }
    }

    /// A message of a stream by its number, from the stream's leader.
    ///
    /// - Parameters:
    ///   - sequence: The number.
    ///   - name: The stream.
    /// - Returns: The message; nil if there is none.
    /// - Throws: Why it cannot be read.
    package func message(_ sequence: UInt64, in name: String) throws(NATSError) -> Message? {
        try message("read message \(sequence) of \(name)") { js_GetMsg(&$0, stream, name, sequence, nil, &$1) }
    }

    private func message(
        _ doing: String,
        _ body: (inout OpaquePointer?, inout jsErrCode) -> natsStatus
    ) throws(NATSError) -> Message? {
        var message: OpaquePointer?
        do throws(NATSError) {
            try call(doing) { body(&message, &$0) }
        } catch  where error.code == Int(JSNoMessageFoundErr.rawValue) {
            return nil
        }
        defer { natsMsg_Destroy(message) }
        return message.map { Message(stored: $0) }
    }
}
