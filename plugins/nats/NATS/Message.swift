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
    /// The headers; of several with one name, the first.
    package let headers: [String: String]
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
    let reply: String

    /// A message that the library received from a consumer; nil if it is none.
    init?(delivered message: OpaquePointer) {
        guard let text = natsMsg_GetReply(message).map({ String(cString: $0) }) else { return nil }
        // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<delivery sequence>.<time>.<pending>, or with a domain and
        // an account before the stream and a token at the end.
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 9, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
        let first = parts.count == 9 ? 4 : 6
        let numbers = parts[first..<(first + 5)].compactMap { UInt64($0) }
        guard numbers.count == 5 else { return nil }
        reply = text
        deliveries = Int(numbers[0])
        sequence = numbers[1]
        deliverySequence = numbers[2]
        time = Int64(clamping: numbers[3])
        subject = String(cString: natsMsg_GetSubject(message))
        headers = Self.headers(message)
        body = Self.body(message)
    }

    /// A message that was read from a stream by its number.
    init(stored message: OpaquePointer) {
        reply = ""
        deliveries = 0
        deliverySequence = 0
        sequence = natsMsg_GetSequence(message)
        time = natsMsg_GetTime(message)
        subject = String(cString: natsMsg_GetSubject(message))
        headers = Self.headers(message)
        body = Self.body(message)
    }

    private static func body(_ message: OpaquePointer) -> [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return data.withMemoryRebound(to: UInt8.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }

    private static func headers(_ message: OpaquePointer) -> [String: String] {
        var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: Int32 = 0
        guard natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names else { return [:] }
        defer { free(names) }
        var headers: [String: String] = [:]
        for index in 0..<Int(count) {
            var value: UnsafePointer<CChar>?
            guard let name = names[index], natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else {
                continue
            }
            headers[String(cString: name)] = String(cString: value)
        }
        return headers
    }
}
