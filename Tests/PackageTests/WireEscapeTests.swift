import TestSupport
import Testing

/// No test can start the host without the check of its messages.
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
            for pattern in ["product" + "(\"pushhost\")", "debug/pushhost", "/proc/self/exe", "productsDirectory"] {
                #expect(!text.contains(pattern), "\(file) has \(pattern)")
            }
        }
    }
}
