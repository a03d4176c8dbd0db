#if canImport(Testing)
// A build with a static Swift runtime compiles this target too, and the toolchain has no Testing for it.
public import Testing

/// Records the messages of the hosts in each test of a suite, and compares them with the contract.
public struct WireTrait: SuiteTrait, TestTrait, TestScoping {
    /// The trait applies to each test of the suite, each with a log of its own.
    public var isRecursive: Bool { true }

    /// Runs a test, and then compares the recordings of its hosts with the documents.
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
    /// Compares every message of the hosts that a test starts with the documents of the contract.
    public static var wire: Self { Self() }
}
#endif
