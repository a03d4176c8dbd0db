extension String {
    /// The text for use in a message: truncated if it is long, followed by its size.
    ///
    /// - Parameter limit: The maximum number of bytes of UTF-8.
    /// - Returns: The text; if it is longer than the limit, its beginning, cut between two Unicode scalars.
    public func excerpt(_ limit: Int = 200) -> String {
        let size = utf8.count
        guard size > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(size) bytes)"
    }
}

extension JSON {
    /// The value as JSON text for use in a message, truncated if it is long.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: The JSON text, or the beginning of a long one, which is not valid JSON.
    public func excerpt(_ limit: Int = 200) -> String {
        guard case .string(let text) = self, text.utf8.count > limit else { return description.excerpt(limit) }
        // Truncated before quoting, since the text may have megabytes.
        return JSON.string(String(text.excerpt(limit))).description
    }
}
