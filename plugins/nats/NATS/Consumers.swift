internal import CNATS

/// What the servers know of a consumer.
package struct ConsumerInfo: Sendable {
    /// Its name.
    package let name: String
    /// The subjects whose messages it delivers.
    package let filter: String
    /// Up to which sequence of the stream all of its messages are acknowledged, or come before its start.
    package let acknowledged: UInt64
    /// How many of its messages are not acknowledged, delivered or not.
    package let unacknowledged: UInt64

    init?(_ info: jsConsumerInfo) {
        guard let name = info.Name, let filter = info.Config?.pointee.FilterSubject else { return nil }
        self.name = String(cString: name)
        self.filter = String(cString: filter)
        acknowledged = info.AckFloor.Stream
        unacknowledged = info.NumPending + UInt64(max(0, info.NumAckPending))
    }
}

extension Connection {
    /// The consumers of a stream that have a filter and whose leaders answer.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: What the servers know of them.
    /// - Throws: Why they cannot be read.
    package func consumers(of stream: String) throws(NATSError) -> [ConsumerInfo] {
        var list: UnsafeMutablePointer<jsConsumerInfoList>?
        var options = patient
        do throws(NATSError) {
            try call("read the consumers of \(stream)") { js_Consumers(&list, self.stream, stream, &options, &$0) }
        } catch  where error.kind == .notFound && error.code == 0 {
            // The library says this if there is none.
            return []
        }
        defer { jsConsumerInfoList_Destroy(list) }
        guard let list = list?.pointee else { return [] }
        return (0..<Int(list.Count)).compactMap { index in list.List[index].flatMap { ConsumerInfo($0.pointee) } }
    }

    /// Options of requests that the servers of a cluster answer together, however short the connection's timeout is.
    ///
    /// To list consumers, they wait 4 s for those that nobody leads; and a consumer that was just created elects a leader.
    var patient: jsOptions {
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = max(self.options.timeout, .seconds(5)).milliseconds
        return options
    }
}
