internal import Contract
internal import Foundation
internal import HostCore
internal import Notifications
internal import Platform
internal import Recording

/// The result of the replay of one session, for people.
struct SessionReport {
    /// The maximum number of differences that are shown.
    private static let limit = 10

    /// What happened, as programs read it.
    enum Result: String {
        case same, different, updated, unchanged, failed
    }

    private enum Outcome {
        case same(replies: Int)
        case different([Difference])
        case updated(isChanged: Bool)
        case failed(String)
    }

    private let session: RecordedSession
    private let outcome: Outcome
    /// How long the session ran, in milliseconds.
    var milliseconds: Int64 = 0

    /// Compares a session with its replay.
    init(_ session: RecordedSession, replayed: RecordedSession, mode: ReplayCommand.Mode, _ volatile: VolatileMembers) {
        self.session = session
        var differences = Self.differences(session, replayed, mode, volatile)
        // A recorded host that a signal ended (128 and above) has no exit code to compare.
        if let old = session.exitCode, old < 128, old != replayed.exitCode {
            let new = replayed.exitCode.map { "with \($0)" } ?? "without one"
            differences.append(Difference(line: nil, title: "the host ended with exit code \(old), now \(new)"))
        }
        if !differences.isEmpty {
            differences = Self.playerErrors(replayed) + differences
            if session.settings.hasEarlierSuites {
                let title = "the recorded host had suites from before, and a replay begins without any"
                differences.insert(Difference(line: nil, title: title), at: 0)
            }
        }
        let replies = session.lines.count { $0.to == Participant.client }
        outcome = differences.isEmpty ? .same(replies: replies) : .different(differences)
    }

    private static func differences(
        _ session: RecordedSession,
        _ replayed: RecordedSession,
        _ mode: ReplayCommand.Mode,
        _ volatile: VolatileMembers
    ) -> [Difference] {
        if mode == .strict { return StrictComparison(session, replayed, volatile).differences }
        let mayHaveMore = mode == .subset
        let replies = ReplyComparison(session, replayed, volatile, mayHaveMore: mayHaveMore).differences
        let effects = EffectComparison(session, replayed, volatile, mayHaveMore: mayHaveMore).differences
        return (replies + effects).sorted { ($0.line ?? .max, $0.title) < ($1.line ?? .max, $1.title) }
    }

    /// What the players of recorded extensions reported: the cause of the other differences.
    private static func playerErrors(_ replayed: RecordedSession) -> [Difference] {
        replayed.lines.filter { !$0.isMessage && $0.bytes.starts(with: ExtensionPlayer.errorPrefix.utf8) }
            .map { line in
                let text = String(decoding: line.bytes.dropFirst(ExtensionPlayer.errorPrefix.utf8.count), as: UTF8.self)
                return Difference(line: nil, title: "\(line.from), played from the recording: \(text)")
            }
    }

    /// A session that was updated.
    init(_ session: RecordedSession, isChanged: Bool) {
        self.session = session
        outcome = .updated(isChanged: isChanged)
    }

    /// A session that could not be run.
    init(_ session: RecordedSession, failure: String) {
        self.session = session
        outcome = .failed(failure)
    }

    /// Whether the replay ran and nothing differs.
    var isGood: Bool {
        switch outcome {
        case .same, .updated: true
        case .different, .failed: false
        }
    }

    /// What happened.
    var result: Result {
        switch outcome {
        case .same: .same
        case .different: .different
        case .updated(let isChanged): isChanged ? .updated : .unchanged
        case .failed: .failed
        }
    }

    /// The session's file.
    var path: String { session.path }

    /// Whether the session is recorded to its end.
    var isComplete: Bool { session.isComplete }

    /// What differs.
    var differences: [Difference] { if case .different(let differences) = outcome { differences } else { [] } }

    /// Why the session could not be run or updated.
    var error: String? { if case .failed(let text) = outcome { text } else { nil } }

    /// The first difference or the error, in one line.
    var summary: String {
        if let error { return error }
        guard let first = differences.first else { return result.rawValue }
        return first.title + (differences.count > 1 ? " and \(differences.count - 1) more differences" : "")
    }

    /// The report, in which views are drawn with these characters.
    func text(_ glyphs: Glyphs) -> String {
        let file = session.repliesPath ?? session.path
        switch outcome {
        case .same(let replies):
            return "same     \(session.path): \(CheckReport.count(replies, "line")) to the client"
                + (session.isComplete ? "" : "; its end is not recorded")
        case .updated(let isChanged): return (isChanged ? "updated  " : "same     ") + file
        case .failed(let text): return "FAILED   \(session.path): \(PlainText.escapedLines(text))"
        case .different(let differences):
            var lines = ["DIFFERS  \(session.path)"]
            var drawn: Set<DrawnViews> = []
            for difference in differences.prefix(Self.limit) {
                if let line = difference.line { lines.append("  \(file):\(line)") }
                // The view of a reply was in the reply of the extension before.
                let views = DrawnViews(difference, glyphs).map {
                    drawn.insert($0).inserted ? $0.text : DrawnViews.repetition
                }
                lines.append(difference.text(drawings: views))
            }
            if differences.count > Self.limit {
                lines.append("  and \(differences.count - Self.limit) more differences")
            }
            return lines.joined(separator: "\n")
        }
    }
}
