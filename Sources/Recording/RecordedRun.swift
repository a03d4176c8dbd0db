internal import Contract
internal import Foundation
package import JSON

/// What one process of an extension received and wrote, from its start to its end.
package struct RecordedRun {
    /// What happened to the process or what it did.
    package enum Event {
        /// The host sent it a message.
        case received(WireLine)
        /// It wrote a line on stdout.
        case wroteOutput(WireLine)
        /// It wrote a line on stderr.
        case wroteError(WireLine)
        /// It closed its stdout.
        case closedOutput
        /// It exited.
        case exited(Int32)
        /// A signal ended it that the host did not send.
        case killed(Int32)
        /// A signal of the host ended it.
        case stopped

        /// The event of a record about the end of a process or of its stdout; nil for another record.
        package init?(endOf record: JSON) {
            let end = record["ended"]
            if record["closed"] != nil {
                self = .closedOutput
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
        func appendEnds(before position: Int) {
            while let end = ends.first, end.position <= position {
                ends.removeFirst()
                guard !runs.isEmpty else { continue }
                runs[runs.count - 1].events.append(end.event)
            }
        }
        for (position, line) in session.lines.enumerated() where line.peer == identifier || line.from == identifier {
            appendEnds(before: position)
            // `activate` is the first call to every process.
            if line.from == Participant.host, line.json?["method"]?.string == "activate" { runs.append(RecordedRun()) }
            guard !runs.isEmpty else { continue }
            let event: Event =
                line.from == Participant.host
                ? .received(line) : line.isMessage ? .wroteOutput(line) : .wroteError(line)
            runs[runs.count - 1].events.append(event)
        }
        appendEnds(before: .max)
        return runs
    }
}
