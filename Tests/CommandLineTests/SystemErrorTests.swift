import Foundation
import HostClient
import Platform
import Testing

struct SystemErrorTests {
    @Test("An error of Foundation is told in the system's words")
    func systemErrors() {
        func text(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return SystemError.text(of: error) }
            return nil
        }
        let root = URL(filePath: "/")
        let none = URL(filePath: "/nowhere/file")
        #expect(text { _ = try Data(contentsOf: root) } == "Is a directory")
        #expect(text { _ = try Data(contentsOf: none) } == "No such file or directory")
        #expect(text { try Data().write(to: none, options: .atomic) } == "No such file or directory")
        #expect(
            text { _ = try FileManager.default.contentsOfDirectory(atPath: "/nowhere") } == "No such file or directory"
        )
        #expect(text { throw SystemError(ENOSPC) } == "No space left on device")
    }
}
