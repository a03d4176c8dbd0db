internal import CNATS

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A message of a stream.
package struct Message: Sendable {
    /// The subject.
    package let subject: String
    /// Whether it says that a key of a key-value store was deleted: any operation on a key removes it.
    let isDeletion: Bool
    /// The body.
    package let body: [UInt8]
    /// Its number in the stream.
    package let sequence: UInt64
    /// When the stream stored it: nanoseconds since 1970.
    package let time: Int64
    /// How often this consumer has delivered it, this time included; 0 if no consumer delivered it.
    package let deliveries: Int
    /// The number of this delivery, of all that the consumer made.
    package let deliverySequence: UInt64
    /// The subject to which it is acknowledged.
    let acknowledgeSubject: String

    /// A message that the library received from a consumer; nil if it is none.
    init?(delivered message: OpaquePointer) {
        guard let text = natsMsg_GetReply(message) else { return nil }
        // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<delivery sequence>.<time>.<pending>, or with a domain and
        // an account before the stream and a token at the end.
        let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 9, parts[0].elementsEqual("$JS".utf8), parts[1].elementsEqual("ACK".utf8) else {
            return nil
        }
        let first = parts.count == 9 ? 4 : 6
        guard let deliveries = Self.number(parts[first]), let sequence = Self.number(parts[first + 1]),
            let deliverySequence = Self.number(parts[first + 2]), let time = Self.number(parts[first + 3])
        else { return nil }
        acknowledgeSubject = String(cString: text)
        self.deliveries = Int(clamping: deliveries)
        self.sequence = sequence
        self.deliverySequence = deliverySequence
        self.time = Int64(clamping: time)
        subject = String(cString: natsMsg_GetSubject(message))
        isDeletion = false
        body = Self.body(message)
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var value: UInt64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = tens.addingReportingOverflow(UInt64(digit))
            guard digit < 10, !overflows, !exceeds else { return nil }
            value = sum
        }
        return digits.isEmpty ? nil : value
    }

    /// A message that was read from a stream by its number.
    init(stored message: OpaquePointer) {
        acknowledgeSubject = ""
        deliveries = 0
        deliverySequence = 0
        sequence = natsMsg_GetSequence(message)
        time = natsMsg_GetTime(message)
        subject = String(cString: natsMsg_GetSubject(message))
        var operation: UnsafePointer<CChar>?
        isDeletion = natsMsgHeader_Get(message, "KV-Operation", &operation) == NATS_OK
        body = Self.body(message)
    }

    private static func body(_ message: OpaquePointer) -> [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return data.withMemoryRebound(to: UInt8.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }
}
