package import JSON
package import JSONRPC

/// How an extension's reply violates the contract.
package struct ReplyError: Error {
    /// What is wrong; it stands after "gave an answer that the contract does not allow: ".
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension MemberReader<ReplyError> {
    /// Reads the result of a call of an extension.
    ///
    /// - Parameter value: The result.
    /// - Throws: A ``ReplyError`` for a value that is not an object; the reader also throws it, with the path of the wrong
    ///   value in the result.
    package init(reply value: JSON) throws(ReplyError) {
        try self.init(value) { ReplyError($0.text(whole: "the result")) }
    }
}
