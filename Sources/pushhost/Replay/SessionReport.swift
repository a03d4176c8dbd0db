internal import Contract
internal import HostCore
internal import JSON
internal import Notifications
internal import Platform
internal import Recording

/// The result of the replay of one session, for people and for programs.
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
        if !differences.isEmpty, session.settings.hasEarlierSuites {
            let title = "the recorded host had suites from before, and a replay begins without any"
            differences.insert(Difference(line: nil, title: title), at: 0)
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

    // MARK: For programs

    /// The object that `--json` prints.
    var json: JSON {
        JSON(present: [
            "session": .string(path), "result": .string(result.rawValue), "milliseconds": .integer(milliseconds),
            "complete": .bool(session.isComplete), "differences": JSON(nonEmpty: differences.map(Self.json)),
            "error": error.map(JSON.string),
        ])
    }

    private static func json(_ difference: Difference) -> JSON {
        let kind: JSON? =
            switch (difference.recorded, difference.replayed) {
            case (.some, .some): "changed"
            case (.some, nil): "missing"
            case (nil, .some): "new"
            case (nil, nil): nil
            }
        let views = DrawnViews(difference, .unicode)
        return JSON(present: [
            "kind": kind, "line": difference.line.map { JSON($0) }, "title": .string(difference.title),
            "members": JSON(nonEmpty: difference.members.map(json)),
            "recorded": difference.recorded.map { .string(String(decoding: $0, as: UTF8.self)) },
            "now": difference.replayed.map { .string(String(decoding: $0, as: UTF8.self)) },
            "views": views.map { ["recorded": .string($0.recorded), "now": .string($0.replayed)] },
        ])
    }

    private static func json(_ member: Difference.Member) -> JSON {
        JSON(present: ["path": .string(member.path), "recorded": member.old, "now": member.new])
    }
}

/// The view of a message that differs, drawn as it was recorded and as it is now.
private struct DrawnViews: Hashable {
    /// What is drawn for a message without a view.
    private static let none = "(no view)"
    private static let width = 72
    /// The maximum number of lines of a drawing that are shown.
    private static let height = 24

    let recorded: String
    let replayed: String

    /// Draws the first views that differ; nil if no message of the lines has a view, or if the drawings are equal.
    init?(_ difference: Difference, _ glyphs: Glyphs) {
        guard let old = difference.recorded, let new = difference.replayed, let old = try? JSON(parsing: old),
            let new = try? JSON(parsing: new)
        else { return nil }
        for (old, new) in zip(old.messages, new.messages) {
            let views = (Self.view(of: old), Self.view(of: new))
            // An error has no view, but its reason says more than a drawing.
            guard views.0 != nil || views.1 != nil, old["error"] == nil, new["error"] == nil else { continue }
            let (recorded, replayed) = (Self.draw(views.0, glyphs), Self.draw(views.1, glyphs))
            guard recorded != replayed else { continue }
            (self.recorded, self.replayed) = (recorded, replayed)
            return
        }
        return nil
    }

    /// The view of a reply, of a notification, or of the result of an MCP tool.
    private static func view(of message: JSON) -> JSON? {
        [message["result"], message["params"], message["result"]?["structuredContent"]].lazy
            .compactMap { $0?["view"] }.first { $0.object != nil }
    }

    private static func draw(_ view: JSON?, _ glyphs: Glyphs) -> String {
        guard let view else { return none }
        guard let drawing = ViewLayout(BoxDrawer(glyphs, ids: .plain)).draw(view, width: width) else {
            return "(a view with more than 1000 nodes)"
        }
        return drawing.lines.map(\.text).joined(separator: "\n")
    }

    /// What stands for drawings that were shown before.
    static let repetition = "    the views are those above"

    /// Both drawings for people, indented like the lines of a difference.
    var text: String {
        (["    - recorded"] + Self.shown(recorded) + ["    + now"] + Self.shown(replayed)).joined(separator: "\n")
    }

    private static func shown(_ drawing: String) -> [String] {
        let lines = drawing.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.count - height
        return lines.prefix(height).map { "      \($0)" } + (rest > 0 ? ["      and \(rest) more lines"] : [])
    }
}
