import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite(.exits) struct OutputDescriptorTests {
    @Test("An output that cannot be opened closes no other descriptor")
    func failedOpening() async {
        // In a process of its own, because a mistake would close stdin.
        await #expect(processExitsWith: .success) {
            let before = fcntl(0, F_GETFD)
            try #require(before >= 0)
            #expect(OutputDescriptor(-1) == nil)
            try #require(fcntl(0, F_GETFD) == before)
        }
    }
}
