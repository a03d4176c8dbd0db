internal import JSON

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A message with several records of one suite and one partition, which names the message before it.
///
/// The messages of a suite in a partition are a chain: each is published with an id that names the one before it, so the
/// stream stores one successor of each. Every record is JSON text on a line of its own, so that it is passed on unread.
public struct LinkedMessage: Equatable, Sendable {
    /// The maximum number of records, which have the places from 0 in their message.
    public static let maximumRecords = 1 << StreamLayout.placeBits

    /// The suite's name.
    public let suite: String
    /// The suite's identity.
    public let identity: String
    /// The sequence of the message before it; 0 if it is the first, or if the earlier ones were removed.
    public let after: Int64
    /// The highest id of a record in the messages before it, or 0.
    public let top: Int64
    /// The ids of the records in their suite.
    public let ids: [Int64]
    /// The records as JSON objects, without line breaks.
    public let records: [ArraySlice<UInt8>]

    /// A message.
    public init(
        suite: String,
        identity: String,
        after: Int64,
        top: Int64,
        ids: [Int64],
        records: [ArraySlice<UInt8>]
    ) {
        (self.suite, self.identity, self.after, self.top) = (suite, identity, after, top)
        (self.ids, self.records) = (ids, records)
    }

    /// The message as the stream stores it: one JSON object.
    public var body: [UInt8] {
        let head: JSON = [
            "suite": .string(suite), "identity": .string(identity), "after": .integer(after), "top": .integer(top),
            "ids": .array(JSON.Array(integers: ids)),
        ]
        var body = head.bytes
        body.reserveCapacity(body.count + records.reduce(24) { $0 + $1.count + 2 })
        body.removeLast()
        body.append(literal: ",\"records\":[")
        for (index, record) in records.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(UInt8(ascii: "\n"))
            body += record
        }
        body.append(literal: "\n]}")
        return body
    }

    /// Reads a stored message; nil if it is not one.
    ///
    /// Its records are not checked.
    ///
    /// - Parameter body: The message as the stream stores it.
    public init?(_ body: [UInt8]) {
        let lines = Self.lines(of: body)
        guard lines.count > 2, lines[lines.count - 1].elementsEqual("]}".utf8),
            let head = try? JSON(parsing: Array(lines[0]) + Array("]}".utf8)), let suite = head["suite"]?.string,
            let identity = head["identity"]?.string, let after = head["after"]?.integer,
            let top = head["top"]?.integer, let ids = head["ids"]?.array?.integers,
            head["records"]?.array?.isEmpty == true, ids.count == lines.count - 2, ids.count <= Self.maximumRecords
        else { return nil }
        (self.suite, self.identity, self.after, self.top, self.ids) = (suite, identity, after, top, ids)
        records = lines[1...ids.count].map { $0.last == UInt8(ascii: ",") ? $0.dropLast() : $0 }
    }

    private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        body.withUnsafeBytes { bytes in
            while let from = bytes.baseAddress, let end = memchr(from + start, 0x0A, bytes.count - start) {
                let end = UnsafeRawPointer(end) - from
                lines.append(body[start..<end])
                start = end + 1
            }
        }
        return lines + [body[start...]]
    }
}
