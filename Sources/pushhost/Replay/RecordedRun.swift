internal import ExtensionHost
internal import Foundation
internal import JSON

/// What one process of an extension heard and said, from its start to its end.
struct RecordedRun {
    enum Event {
        case heard(WireLine)
        case said(WireLine)
        case complained(WireLine)
        /// It ended by itself with an exit code, or by a signal.
        case ended(exitCode: Int32?, signal: Int32?)
    }

    private(set) var events: [Event] = []

    /// The processes of an extension in a recording, in the order of their starts.
    static func runs(of identifier: String, in session: RecordedSession) -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var ends = session.ends.filter { $0.extensionIdentifier == identifier }[...]
        func end(before position: Int) {
            while let end = ends.first, end.position <= position {
                ends.removeFirst()
                guard !runs.isEmpty else { continue }
                runs[runs.count - 1].events.append(.ended(exitCode: end.exitCode, signal: end.signal))
            }
        }
        for (position, line) in session.lines.enumerated() where line.peer == identifier || line.from == identifier {
            end(before: position)
            // The first call of every process.
            if line.from == WireEnd.host, line.json?["method"]?.string == "activate" { runs.append(RecordedRun()) }
            guard !runs.isEmpty else { continue }
            let event: Event =
                line.from == WireEnd.host ? .heard(line) : line.isMessage ? .said(line) : .complained(line)
            runs[runs.count - 1].events.append(event)
        }
        end(before: .max)
        return runs
    }
}
