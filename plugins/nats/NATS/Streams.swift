internal import CNATS

/// The properties of a stream that matter here.
package struct StreamConfiguration: Equatable, Sendable {
    /// How long a message is kept.
    package enum Retention: Sendable {
        /// Until a limit is reached.
        case limits
        /// Until one consumer acknowledged it.
        case workQueue
        /// Until all consumers acknowledged it.
        case interest
    }

    /// The name.
    package var name: String
    /// The subjects.
    package var subjects: [String]
    /// How long a message is kept.
    package var retention: Retention
    /// Whether a full stream refuses new messages, rather than to drop old ones.
    package var discardsNew: Bool
    /// How long ids are remembered.
    package var duplicates: Duration
    /// The number of servers that store it.
    package var replicas: Int
    /// Whether it is stored in files, rather than in memory.
    package var isStoredInFiles: Bool
    /// How many messages each subject keeps; nil for any number.
    package var messagesPerSubject: Int?
    /// How many bytes the stream keeps; nil for any number.
    package var maximumBytes: Int?

    /// Properties.
    package init(
        name: String,
        subjects: [String],
        retention: Retention,
        discardsNew: Bool = false,
        duplicates: Duration = .seconds(120),
        replicas: Int = 1,
        isStoredInFiles: Bool = true,
        messagesPerSubject: Int? = nil,
        maximumBytes: Int? = nil
    ) {
        self.name = name
        self.subjects = subjects
        self.retention = retention
        self.discardsNew = discardsNew
        self.duplicates = duplicates
        self.replicas = replicas
        self.isStoredInFiles = isStoredInFiles
        self.messagesPerSubject = messagesPerSubject
        self.maximumBytes = maximumBytes
    }
}

/// A stream's properties and state.
package struct StreamInfo: Equatable, Sendable {
    /// The properties.
    package let configuration: StreamConfiguration
    /// When it was created: nanoseconds since 1970.
    package let created: Int64
    /// The number of messages in it.
    package let messages: UInt64
    /// Their bytes.
    package let bytes: UInt64
    /// The number of the first message in it.
    package let firstSequence: UInt64
    /// The time of the first message in it: nanoseconds since 1970, 0 if there is none.
    package let firstTime: Int64
    /// The number of the last message ever stored.
    package let lastSequence: UInt64
    /// The name of the server that leads it; nil if it has none, or the servers are no cluster.
    package let leader: String?
    /// The number of messages of each subject, if the call asked for it.
    package let subjects: [String: UInt64]
}

extension Connection {
    /// The properties and the state of a stream, from its leader.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - filter: Counts the messages of the subjects that match.
    /// - Returns: What the leader knows.
    /// - Throws: `notFound` if there is no such stream.
    package func stream(_ name: String, subjects filter: String? = nil) throws(NATSError) -> StreamInfo {
        var info: UnsafeMutablePointer<jsStreamInfo>?
        let strings = CStrings()
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = self.options.timeout.milliseconds
        options.Stream.Info.SubjectsFilter = filter.map(strings.copy)
        try call("read the stream \(name)") { js_GetStreamInfo(&info, stream, name, &options, &$0) }
        defer { jsStreamInfo_Destroy(info) }
        return try StreamInfo(name, info)
    }

    /// Creates a stream; one with the same properties may exist.
    ///
    /// - Parameter configuration: Its properties.
    /// - Returns: The stream.
    /// - Throws: `conflict` if there is one with other properties, or its subjects are those of another stream.
    @discardableResult
    package func createStream(_ configuration: StreamConfiguration) throws(NATSError) -> StreamInfo {
        try store(configuration, "create") { js_AddStream(&$0, stream, &$1, nil, &$2) }
    }

    /// Changes the properties of a stream.
    ///
    /// - Parameter configuration: Its new properties.
    /// - Returns: The stream.
    /// - Throws: The error.
    @discardableResult
    package func updateStream(_ configuration: StreamConfiguration) throws(NATSError) -> StreamInfo {
        try store(configuration, "change") { js_UpdateStream(&$0, stream, &$1, nil, &$2) }
    }

    /// Deletes a stream with all of its messages.
    ///
    /// - Parameter name: The stream.
    /// - Throws: `notFound` if there is no such stream.
    package func deleteStream(_ name: String) throws(NATSError) {
        try call("delete the stream \(name)") { js_DeleteStream(stream, name, nil, &$0) }
    }

    private func store(
        _ configuration: StreamConfiguration,
        _ verb: String,
        _ body: (inout UnsafeMutablePointer<jsStreamInfo>?, inout jsStreamConfig, inout jsErrCode) -> natsStatus
    ) throws(NATSError) -> StreamInfo {
        let strings = CStrings()
        var settings = jsStreamConfig()
        jsStreamConfig_Init(&settings)
        settings.Name = strings.copy(configuration.name)
        settings.Subjects = strings.copy(configuration.subjects)
        settings.SubjectsLen = Int32(configuration.subjects.count)
        settings.Retention =
            switch configuration.retention {
            case .limits: js_LimitsPolicy
            case .workQueue: js_WorkQueuePolicy
            case .interest: js_InterestPolicy
            }
        settings.Discard = configuration.discardsNew ? js_DiscardNew : js_DiscardOld
        settings.Storage = configuration.isStoredInFiles ? js_FileStorage : js_MemoryStorage
        settings.Duplicates = configuration.duplicates.nanoseconds
        settings.Replicas = Int64(configuration.replicas)
        if let messages = configuration.messagesPerSubject { settings.MaxMsgsPerSubject = Int64(messages) }
        if let bytes = configuration.maximumBytes { settings.MaxBytes = Int64(bytes) }
        var info: UnsafeMutablePointer<jsStreamInfo>?
        try call("\(verb) the stream \(configuration.name)") { body(&info, &settings, &$0) }
        defer { jsStreamInfo_Destroy(info) }
        return try StreamInfo(configuration.name, info)
    }
}

extension StreamInfo {
    init(_ name: String, _ pointer: UnsafeMutablePointer<jsStreamInfo>?) throws(NATSError) {
        guard let info = pointer?.pointee, let settings = info.Config?.pointee else {
            throw NATSError(.invalid, "the server said nothing about the stream \(name)")
        }
        configuration = StreamConfiguration(
            name: name,
            subjects: (0..<Int(settings.SubjectsLen)).compactMap { settings.Subjects[$0].map { String(cString: $0) } },
            retention: settings.Retention == js_WorkQueuePolicy
                ? .workQueue : settings.Retention == js_InterestPolicy ? .interest : .limits,
            discardsNew: settings.Discard == js_DiscardNew,
            duplicates: .nanoseconds(settings.Duplicates),
            replicas: Int(settings.Replicas),
            isStoredInFiles: settings.Storage == js_FileStorage,
            messagesPerSubject: settings.MaxMsgsPerSubject > 0 ? Int(settings.MaxMsgsPerSubject) : nil,
            maximumBytes: settings.MaxBytes > 0 ? Int(settings.MaxBytes) : nil
        )
        created = info.Created
        messages = info.State.Msgs
        bytes = info.State.Bytes
        firstSequence = info.State.FirstSeq
        firstTime = info.State.Msgs > 0 ? info.State.FirstTime : 0
        lastSequence = info.State.LastSeq
        leader = info.Cluster?.pointee.Leader.map { String(cString: $0) }
        var counts: [String: UInt64] = [:]
        if let list = info.State.Subjects?.pointee {
            for index in 0..<Int(list.Count) {
                let entry = list.List[index]
                if let subject = entry.Subject { counts[String(cString: subject)] = entry.Msgs }
            }
        }
        subjects = counts
    }
}
