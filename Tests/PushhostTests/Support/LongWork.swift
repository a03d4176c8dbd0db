import Foundation
import JSON
import TestSupport

/// Property lists so large that the host needs noticeable time for them.
enum LongWork {
    /// A binary property list of events; the bad ones have no name and become dead letters.
    static func events(good: Int = 0, bad: Int = 0) throws -> Data {
        let events: [[String: Any]] =
            (0..<good).map { ["event_name": "e\($0)", "n": $0] } + (0..<bad).map { ["n": $0] }
        let root: [String: Any] = ["pending_custom_events": events, "level": 7]
        return try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
    }

    /// The contents of a suite that a newly started host sees: pending records, dead letters, and the default `level`.
    static func holdings(_ folder: String) throws -> [JSON] {
        let host = try startHost(folder)
        let pending = try host.result("pending", #"{"limit":1}"#)
        let deadLetters = try host.result("deadLetters", #"{"limit":1}"#)
        let level = try host.result("retrieve", #"{"key":"level"}"#)["value"] ?? .null
        // The lists contain exactly what is counted.
        guard (pending["total"] == 0) == (pending["records"] == []),
            (deadLetters["total"] == 0) == (deadLetters["deadLetters"] == [])
        else { throw TestFailure("\(pending) \(deadLetters)") }
        try host.finish()
        return [pending["total"] ?? .null, deadLetters["total"] ?? .null, level]
    }
}
