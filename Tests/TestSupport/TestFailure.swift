/// Why a helper of the tests could not go on, in one sentence.
public struct TestFailure: Error, CustomStringConvertible, Sendable {
    /// The sentence.
    public let description: String

    /// A failure told in one sentence.
    public init(_ description: String) { self.description = description }
}
