internal import Contract
internal import Foundation
package import JSON

/// What one process of an extension read and wrote, from its start to its end.
package struct RecordedRun {
    package enum Event {
        case heard(WireLine)
        case said(WireLine)
        case complained(WireLine)
        /// It closed its stdout.
        case closed
        /// It exited.
        case exited(Int32)
        /// A signal ended it that was not the host's.
        case killed(Int32)
        /// The host's signal ended it.
        case stopped

        /// The event of a record that has no line; nil for another record.
        package init?(endOf record: JSON) {
            let end = record["ended"]
            if record["closed"] != nil {
                self = .closed
            } else if let code = end?["exitCode"]?.integer {
                self = .exited(Int32(truncatingIfNeeded: code))
            } else if let signal = end?["signal"]?.integer.map({ Int32(truncatingIfNeeded: $0) }) {
                self = end?["stopped"] == true ? .stopped : .killed(signal)
            } else if end != nil {
                self = .stopped
            } else {
                return nil
            }
        }
    }

    package private(set) var events: [Event] = []

    /// The processes of an extension in a recording, in the order of their starts.
    package static func runs(of identifier: String, in session: RecordedSession) -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var ends = session.ends.filter { $0.extensionIdentifier == identifier }[...]
        func end(before position: Int) {
            while let end = ends.first, end.position <= position {
                ends.removeFirst()
                guard !runs.isEmpty else { continue }
                runs[runs.count - 1].events.append(end.event)
            }
        }
        for (position, line) in session.lines.enumerated() where line.peer == identifier || line.from == identifier {
            end(before: position)
            // The first call of every process.
            if line.from == Participant.host, line.json?["method"]?.string == "activate" { runs.append(RecordedRun()) }
            guard !runs.isEmpty else { continue }
            let event: Event =
                line.from == Participant.host ? .heard(line) : line.isMessage ? .said(line) : .complained(line)
            runs[runs.count - 1].events.append(event)
        }
        end(before: .max)
        return runs
    }
}
