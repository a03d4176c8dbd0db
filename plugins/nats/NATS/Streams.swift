internal import CNATS

/// The properties of a stream that matter here.
package struct StreamConfiguration: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The subjects.
    package var subjects: [String]
    /// Whether messages stay when consumers have acknowledged them, as the retention `limits` says.
    package var keepsAcknowledged: Bool
    /// Whether a full stream refuses new messages, rather than to drop old ones.
    package var discardsNew: Bool
    /// How long ids are remembered.
    package var duplicates: Duration
    /// The number of servers that store it.
    package var replicas: Int
    /// Whether it is stored in files, rather than in memory.
    package var isStoredInFiles: Bool
    /// Whether messages are removed when they reach some age, or their subject a number of messages.
    package var dropsOld: Bool

    /// Properties.
    package init(
        name: String,
        subjects: [String],
        keepsAcknowledged: Bool = true,
        discardsNew: Bool = false,
        duplicates: Duration = .seconds(120),
        replicas: Int = 1,
        isStoredInFiles: Bool = true,
        dropsOld: Bool = false
    ) {
        self.name = name
        self.subjects = subjects
        self.keepsAcknowledged = keepsAcknowledged
        self.discardsNew = discardsNew
        self.duplicates = duplicates
        self.replicas = replicas
        self.isStoredInFiles = isStoredInFiles
        self.dropsOld = dropsOld
    }
}

/// A stream's properties and state.
package struct StreamInfo: Equatable, Sendable {
    /// The properties.
    package let configuration: StreamConfiguration
    /// When it was created: nanoseconds since 1970.
    package let created: Int64
    /// The number of the first message in it.
    package let firstSequence: UInt64
    /// The number of the last message ever stored.
    package let lastSequence: UInt64
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
        let strings = CStrings()
        var settings = jsStreamConfig()
        jsStreamConfig_Init(&settings)
        settings.Name = strings.copy(configuration.name)
        settings.Subjects = strings.copy(configuration.subjects)
        settings.SubjectsLen = Int32(configuration.subjects.count)
        settings.Retention = configuration.keepsAcknowledged ? js_LimitsPolicy : js_WorkQueuePolicy
        settings.Discard = configuration.discardsNew ? js_DiscardNew : js_DiscardOld
        settings.Storage = configuration.isStoredInFiles ? js_FileStorage : js_MemoryStorage
        settings.Duplicates = configuration.duplicates.nanoseconds
        settings.Replicas = Int64(configuration.replicas)
        var info: UnsafeMutablePointer<jsStreamInfo>?
        try call("create the stream \(configuration.name)") { js_AddStream(&info, stream, &settings, nil, &$0) }
        defer { jsStreamInfo_Destroy(info) }
        return try StreamInfo(configuration.name, info)
    }

    /// Removes the first messages of a stream.
    ///
    /// - Parameters:
    ///   - name: The stream.
    ///   - sequence: The number of the first message that stays; the servers would understand 1 as all messages.
    /// - Throws: Why they are not removed.
    package func purge(_ name: String, before sequence: UInt64) throws(NATSError) {
        guard sequence > 1 else { return }
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = self.options.timeout.milliseconds
        options.Stream.Purge.Sequence = sequence
        try call("remove messages of \(name)") { js_PurgeStream(stream, name, &options, &$0) }
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
            keepsAcknowledged: settings.Retention == js_LimitsPolicy,
            discardsNew: settings.Discard == js_DiscardNew,
            duplicates: .nanoseconds(settings.Duplicates),
            replicas: Int(settings.Replicas),
            isStoredInFiles: settings.Storage == js_FileStorage,
            dropsOld: settings.MaxAge > 0 || settings.MaxMsgsPerSubject > 0
        )
        created = info.Created
        firstSequence = info.State.FirstSeq
        lastSequence = info.State.LastSeq
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
