/// Why a helper of the tests could not continue, in one sentence.
public struct TestFailure: Error, CustomStringConvertible, Sendable {
    /// The sentence.
    public let description: String

    /// A failure with that sentence.
    public init(_ description: String) { self.description = description }
}
