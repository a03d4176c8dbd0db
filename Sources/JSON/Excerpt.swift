extension String {
    /// The text for a sentence about it: at most so many bytes of it, and how long it is where that is not all.
    ///
    /// - Parameter limit: The greatest number of bytes in UTF-8.
    /// - Returns: The text, cut between two characters of Unicode where it is longer.
    public func excerpt(_ limit: Int = 200) -> String {
        let size = utf8.count
        guard size > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(size) bytes)"
    }
}

extension JSON {
    /// The value for a sentence about it, cut where it is long.
    ///
    /// - Parameter limit: The greatest number of bytes.
    /// - Returns: The value as JSON text, or the start of a long text, which is not valid JSON.
    public func excerpt(_ limit: Int = 200) -> String {
        guard case .string(let text) = self, text.utf8.count > limit else { return description.excerpt(limit) }
        // Not the whole text is quoted: it may have megabytes.
        return JSON.string(String(text.excerpt(limit))).description
    }
}
