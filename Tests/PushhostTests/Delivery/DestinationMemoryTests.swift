import Foundation
import JSON
import TestSupport
import Testing

/// The host's memory during a large flush equals that of a small one.
@Suite(.waits, .wire, .processesAreListed) struct DestinationMemoryTests {
    @Test("A flush of 200,000 records of 10,000 users needs at most 12 MiB besides the pages of the program's file")
    func large() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(
                """
                def deliver(batch, n):
                    with open("counted", "a") as file: file.write(f"{len(batch)}\\n")
                    return {"accepted": ids(batch)}
                """,
                batchesAtOnce: 2
            )
            let filler = try workspace.host()
            let count = 200_000
            for start in stride(from: 0, to: count, by: 10_000) {
                let lines = (start..<(start + 10_000)).map {
                    #"{"jsonrpc":"2.0","method":"saveCustomEvent","params":{"name":"event","properties":{"n":\#($0),"#
                        + #""place":"a place of some length"},"user":{"external_id":"user-\#($0 % 10_000)"}}}"# + "\n"
                }
                try filler.process.write(lines.joined().utf8)
                try filler.result("ping")
            }
            #expect(try filler.finish() == .code(0))
            let host = try workspace.host()
            #expect(try host.deliver()["result"]?["delivered"] == .integer(Int64(count)))
            // The pages of the program's file are no memory of the flush, and a debug build has many.
            let peak = try host.memory("VmHWM") - host.memory("RssFile")
            // AddressSanitizer keeps 256 MiB of what was released, and bytes around each allocation; ThreadSanitizer
            // needs several times the memory.
            let variables = ProcessInfo.processInfo.environment
            let limit = variables["ASAN_OPTIONS"] ?? variables["TSAN_OPTIONS"] == nil ? 12 << 10 : 512 << 10
            #expect(peak <= limit, "\(peak) KiB")
            let batches = try String(contentsOfFile: "\(folder)/counted", encoding: .utf8).split(separator: "\n")
            #expect(batches.compactMap { Int($0) }.reduce(0, +) == count)
            #expect(try host.finish() == .code(0))
        }
    }
}

extension HostProcess {
    /// A value of the process's `/proc/PID/status`, in KiB.
    fileprivate func memory(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
