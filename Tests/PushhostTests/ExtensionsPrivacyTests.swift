import Foundation
import TestSupport
import Testing

/// What an extension, as the same user, can read of the process that started it.
@Suite(.hangs, .wire, .processesAreListed) struct ExtensionsPrivacyTests {
    /// Root may read everything; without its privileges it is a user like any other.
    private static func wrapper() throws -> [String] {
        getuid() == 0 ? [try tool("setpriv", package: "util-linux"), "--bounding-set=-all"] : []
    }

    @Test("The host's environment and memory are closed to its extensions; those of others of the user are not")
    func environment() throws {
        try Workshop.open { workshop in
            // The control is a process that anybody starts: an unprotected host would be as open.
            let script = """
                for file in environ maps; do cat /proc/$PPID/$file > host-$file 2>> errors; done
                sleep 60 & cat /proc/$!/environ > control; kill $!
                \(try Workshop.script("good"))
                """
            let folder = try workshop.add(named: "good", script: script)
            var environment = ProcessInfo.processInfo.environment
            environment["TRIED_SECRET"] = "s3cret"
            let host = try workshop.host(environment: environment, under: try Self.wrapper())
            _ = try host.shown("good")
            let read = { (name: String) in try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
            #expect(try read("control").contains("PUSHHOST_EXTENSION="))
            #expect(try read("host-environ") == "" && read("host-maps") == "")
            #expect(try read("errors").split(separator: "\n").count == 2)
            #expect(try host.finish() == .code(0))
        }
    }
}
