public import Testing

/// Lets each test of a suite record what crosses the wires of its hosts, and compares all that with the contract.
public struct WireTrait: SuiteTrait, TestTrait, TestScoping {
    /// The tests of the suite have it, each with a log of its own.
    public var isRecursive: Bool { true }

    /// Runs a test; then what its hosts recorded must fit the documents.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let log = try WireLog()
        let result = await WireLog.$current.withValue(log) {
            do {
                try await function()
                return Result<Void, any Error>.success(())
            } catch {
                return .failure(error)
            }
        }
        for finding in try log.close() {
            Issue.record("\(finding)", sourceLocation: test.sourceLocation)
        }
        try result.get()
    }
}

extension Trait where Self == WireTrait {
    /// Compares every line on the wires of the hosts that a test starts with the documents of the contract.
    public static var wire: Self { Self() }
}
