internal import Contract
internal import ExtensionHost
internal import Foundation
internal import HostCore
internal import Recording

/// What a replay of one session found, for people.
struct SessionReport {
    /// The greatest number of differences that are shown.
    private static let limit = 10

    private enum Outcome {
        case same(replies: Int)
        case different([Difference])
        case updated(isChanged: Bool)
        case broken(String)
    }

    private let session: RecordedSession
    private let outcome: Outcome

    /// The comparison of a session with what was said now.
    init(_ session: RecordedSession, now: RecordedSession, mode: ReplayCommand.Mode, _ volatile: VolatileMembers) {
        self.session = session
        var differences =
            switch mode {
            case .strict: StrictComparison(session, now, volatile).differences
            case .id: ReplyComparison(session, now, volatile, mayHaveMore: false).differences
            case .subset: ReplyComparison(session, now, volatile, mayHaveMore: true).differences
            }
        // One that a signal ended has no such code to give.
        if let old = session.exitCode, old < 128, old != now.exitCode {
            let new = now.exitCode.map { "with \($0)" } ?? "without one"
            differences.append(Difference(line: nil, title: "the host ended with exit code \(old), now \(new)"))
        }
        if !differences.isEmpty {
            differences = Self.complaints(now) + differences
            if session.settings.hasEarlierSuites {
                let title = "it was recorded over suites of before, and a replay begins without any"
                differences.insert(Difference(line: nil, title: title), at: 0)
            }
        }
        let replies = session.lines.count { $0.to == Participant.client }
        outcome = differences.isEmpty ? .same(replies: replies) : .different(differences)
    }

    /// What those that the recording speaks for miss in it: the cause of what follows.
    private static func complaints(_ now: RecordedSession) -> [Difference] {
        now.lines.filter { !$0.isMessage && $0.bytes.starts(with: ExtensionPlayer.mark.utf8) }
            .map { line in
                let text = String(decoding: line.bytes.dropFirst(ExtensionPlayer.mark.utf8.count), as: UTF8.self)
                return Difference(line: nil, title: "\(line.from), for which the recording speaks: \(text)")
            }
    }

    /// A session that was updated.
    init(_ session: RecordedSession, isChanged: Bool) {
        self.session = session
        outcome = .updated(isChanged: isChanged)
    }

    /// A session that could not be run.
    init(_ session: RecordedSession, problem: String) {
        self.session = session
        outcome = .broken(problem)
    }

    /// Whether nothing has to be looked at.
    var isGood: Bool {
        switch outcome {
        case .same, .updated: true
        case .different, .broken: false
        }
    }

    /// The report.
    var text: String {
        let file = session.repliesPath ?? session.path
        switch outcome {
        case .same(let replies):
            return "same     \(session.path): \(replies) lines to the client"
                + (session.isComplete ? "" : "; its end is not recorded")
        case .updated(let isChanged): return (isChanged ? "updated  " : "same     ") + file
        case .broken(let text): return "FAILED   \(session.path): \(text)"
        case .different(let differences):
            var lines = ["DIFFERS  \(session.path)"]
            for difference in differences.prefix(Self.limit) {
                if let line = difference.line { lines.append("  \(file):\(line)") }
                lines.append(difference.text)
            }
            if differences.count > Self.limit {
                lines.append("  and \(differences.count - Self.limit) more differences")
            }
            return lines.joined(separator: "\n")
        }
    }
}
