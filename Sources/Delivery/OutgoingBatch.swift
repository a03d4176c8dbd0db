internal import JSON
internal import Platform
package import Suites

/// A batch of records for a destination, and its serialization.
package struct OutgoingBatch {
    /// The name of the queue that the records come from.
    package let queue: String
    /// The identifier of the queue, for an idempotent destination.
    private let queueIdentity: String?
    package let records: [StoredRecord]
    /// The user for records without one, as JSON text.
    package let user: String?
    /// Whether the destination should first test its service with a harmless request.
    package let isProbe: Bool
    /// The part of the destination's rate limit that this host may use; nil if it is all of it.
    package let rateShare: Double?
    /// Whether the destination only says which requests it would make.
    package let isDryRun: Bool

    /// The maximum number of records in a batch.
    package static let recordLimit = BatchWindow.batchRecords
    /// The size in bytes after which a batch gets no further record.
    package static let byteLimit = BatchWindow.batchBytes

    package init(
        queue: String,
        identity: String? = nil,
        records: [StoredRecord],
        user: String?,
        isProbe: Bool = false,
        rateShare: Double? = nil,
        isDryRun: Bool = false
    ) {
        self.rateShare = rateShare
        self.isDryRun = isDryRun
        self.queue = queue
        queueIdentity = identity
        self.records = records
        self.user = user
        self.isProbe = isProbe
    }

    /// The ids of the records.
    package var ids: IDRuns { IDRuns(records.map(\.id)) }

    /// The params of `deliver` as JSON text.
    package var params: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.reduce(256) { $0 + $1.bytes + (user?.utf8.count ?? 0) + 128 })
        bytes.append(literal: "{\"suite\":")
        JSON.string(queue).write(to: &bytes)
        bytes.append(literal: ",\"batch\":[")
        var time = WrittenTime()
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "{"))
            record.writeMembers(to: &bytes, user: user, &time)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
        if let queueIdentity { bytes.append(member: ",\"suiteIdentity\":", JSON.string(queueIdentity).description) }
        if isProbe { bytes.append(literal: ",\"probe\":true") }
        if let rateShare { bytes.append(member: ",\"rateShare\":", JSON.real(rateShare).description) }
        if isDryRun { bytes.append(literal: ",\"dryRun\":true") }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The beginning of each of ``lines``.
    package static let lineStart = Array(#"{"suite":"#.utf8)

    /// The records as lines of JSON, each with the name of its suite.
    package var lines: [UInt8] {
        var bytes: [UInt8] = []
        var time = WrittenTime()
        for record in records {
            bytes += Self.lineStart
            JSON.string(queue).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
            record.writeMembers(to: &bytes, user: user, &time)
            bytes.append(literal: "}\n")
        }
        return bytes
    }
}

extension StoredRecord {
    /// Appends the members that the record has in the params of `deliver`; stored JSON texts are copied unchanged.
    fileprivate func writeMembers(to bytes: inout [UInt8], user flushUser: String?, _ written: inout WrittenTime) {
        bytes.append(literal: "\"id\":")
        bytes.append(decimal: id)
        switch kind {
        case .customEvent: bytes.append(literal: ",\"kind\":\"customEvent\",\"name\":")
        case .customAttribute: bytes.append(literal: ",\"kind\":\"customAttribute\",\"key\":")
        case .userAttribute: bytes.append(literal: ",\"kind\":\"userAttribute\",\"field\":")
        }
        JSON.string(name).write(to: &bytes)
        if kind == .customEvent {
            if let value { bytes.append(member: ",\"properties\":", value) }
        } else {
            bytes.append(member: ",\"value\":", value ?? "null")
        }
        bytes.append(literal: ",\"time\":\"")
        written.write(time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if let user = user ?? flushUser { bytes.append(member: ",\"user\":", user) }
        if timesUncertain > 0 {
            bytes.append(literal: ",\"possiblySent\":")
            bytes.append(decimal: timesUncertain)
        }
    }
}

/// A time and its text.
private struct WrittenTime {
    private var time = Int64.min
    private var text: [UInt8] = []

    mutating func write(_ time: Int64, to bytes: inout [UInt8]) {
        if time != self.time {
            self.time = time
            text.removeAll(keepingCapacity: true)
            Timestamp.write(time, to: &text)
        }
        bytes.append(contentsOf: text)
    }
}

extension [UInt8] {
    fileprivate mutating func append(member name: StaticString, _ text: String) {
        append(literal: name)
        append(contentsOf: text.utf8)
    }
}
