internal import JSON
internal import Notifications
internal import Recording

// The result of the replay of a session for programs.

extension SessionReport {
    /// The object that `--json` prints.
    var json: JSON {
        JSON(present: [
            "session": .string(path), "result": .string(result.rawValue), "milliseconds": .integer(milliseconds),
            "complete": .bool(isComplete), "differences": JSON(nonEmpty: differences.map(Self.json)),
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
