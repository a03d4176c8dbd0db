import Foundation
import JSON
import Logging
import TestSupport
import Testing

@testable import HostCore

@Suite struct LogFormatTests {
    /// The lines that a logger writes.
    private func lines(_ format: LogFormat, _ body: (Logger) -> Void) throws -> [String] {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        body(Logger(label: "pushhost") { SinkLogHandler(label: $0, level: .info, sink: sink, format: format) })
        sink.flush()
        return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    @Test("A line in JSON is an object with time, level, label, message and the values of the logger")
    func json() throws {
        let all = try lines(.json) { logger in
            var logger = logger
            logger[metadataKey: "extension"] = "com.example.a"
            logger.warning("quotes \" and\nlines \u{1}", metadata: ["time": "x", "count": "3"])
            logger.debug("below the level")
            logger.info("b")
        }
        #expect(all.count == 2)
        let first = try JSON(parsing: Array(try #require(all.first).utf8))
        #expect(first.object?.map(\.name) == ["time", "level", "label", "message", "count", "extension", "_time"])
        #expect(first["level"] == "warning" && first["label"] == "pushhost")
        #expect(first["message"] == "quotes \" and\nlines \u{1}")
        #expect(first["extension"] == "com.example.a" && first["count"] == "3" && first["_time"] == "x")
        #expect(first["time"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(try JSON(parsing: Array(all[1].utf8))["extension"] == "com.example.a")
    }

    @Test("A line of text has the same in one line")
    func text() throws {
        let all = try lines(.text) { $0.error("a\nb", metadata: ["n": "1"]) }
        #expect(all.count == 1)
        #expect(all[0].hasSuffix(#" error pushhost: n=1 a\nb"#), "\(all)")
    }
}
