/// An error that says in one sentence why a test helper could not continue.
public struct TestFailure: Error, CustomStringConvertible, Sendable {
    /// The sentence.
    public let description: String

    /// Creates a failure with a sentence.
    public init(_ description: String) { self.description = description }
}
