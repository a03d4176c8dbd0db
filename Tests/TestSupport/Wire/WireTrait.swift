import Foundation
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
        var TEMPa = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &TEMPa)
        let TEMPsize = log.TEMPsize
        let findings = try log.close()
        var TEMPb = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &TEMPb)
        let TEMPtext = "\(Double(TEMPb.tv_sec - TEMPa.tv_sec) + Double(TEMPb.tv_nsec - TEMPa.tv_nsec) / 1e9) s\t\(TEMPsize)\t\(test.name)\n"
        if let file = fopen("/tmp/wire-times", "a") { fputs(TEMPtext, file); fclose(file) }
        for finding in findings {
            Issue.record("\(finding)", sourceLocation: test.sourceLocation)
        }
        try result.get()
    }
}

extension Trait where Self == WireTrait {
    /// Compares every line on the wires of the hosts that a test starts with the documents of the contract.
    public static var wire: Self { Self() }
}
