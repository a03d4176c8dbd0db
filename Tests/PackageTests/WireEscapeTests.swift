import TestSupport
import Testing

/// No test starts the host without checking its messages.
@Suite struct WireEscapeTests {
    @Test("Without the trait a suite cannot start a host, unless it gives a reason for not checking it")
    func trait() throws {
        #expect(WireLog.current == nil)
        #expect(throws: TestFailure.self) { try hostCommand() }
        #expect(throws: TestFailure.self) { try hostExecutable() }
        #expect(throws: TestFailure.self) { try hostCommand(unchecked: "") }
        #expect(throws: TestFailure.self) { try builtProduct("pushhost") }
    }

    @Test("No test builds the path of the host itself")
    func paths() throws {
        for file in try Repository.files(under: ["Tests"]) where file.hasSuffix(".swift") {
            guard !file.hasPrefix("Tests/TestSupport/"), !file.hasSuffix("WireEscapeTests.swift") else { continue }
            let text = try Repository.text(of: file)
            for way in ["product" + "(\"pushhost\")", "debug/pushhost", "/proc/self/exe", "productsDirectory"] {
                #expect(!text.contains(way), "\(file) has \(way)")
            }
        }
    }
}
