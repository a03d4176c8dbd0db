/// How an extension's reply violates the contract.
package struct ReplyError: Error {
    /// The end of a sentence that begins with who replied.
    package let text: String

    package init(_ text: String) { self.text = text }
}
