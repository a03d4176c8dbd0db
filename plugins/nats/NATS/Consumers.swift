internal import CNATS

extension Connection {
    /// The names of the consumers that deliver the messages of a subject.
    ///
    /// - Parameters:
    ///   - filter: The subject with which they were created.
    ///   - stream: The stream.
    /// - Returns: The names.
    /// - Throws: Why they cannot be read.
    package func consumers(filteredBy filter: String, of stream: String) throws(NATSError) -> [String] {
        var list: UnsafeMutablePointer<jsConsumerInfoList>?
        try call("read the consumers of \(stream)") { js_Consumers(&list, self.stream, stream, nil, &$0) }
        defer { jsConsumerInfoList_Destroy(list) }
        guard let list = list?.pointee else { return [] }
        return (0..<Int(list.Count)).compactMap { index in
            guard let info = list.List[index]?.pointee, let name = info.Name, let config = info.Config?.pointee,
                let subject = config.FilterSubject, String(cString: subject) == filter
            else { return nil }
            return String(cString: name)
        }
    }
}
