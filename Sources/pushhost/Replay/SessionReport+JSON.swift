internal import JSON
internal import Notifications
internal import Recording

// The result of the replay of a session for programs.

extension SessionReport {
    /// The object that `--json` prints.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("session", .string(path)), ("result", .string(result.rawValue)),
            ("milliseconds", .integer(milliseconds)), ("complete", .bool(isComplete)),
        ]
        if !differences.isEmpty { members.append(("differences", JSON(differences.map(Self.json)))) }
        if let error { members.append(("error", .string(error))) }
        return .object(JSON.Object(members))
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
        let members: [(String, JSON?)] = [
            ("kind", kind), ("line", difference.line.map { JSON($0) }), ("title", .string(difference.title)),
            ("members", difference.members.isEmpty ? nil : JSON(difference.members.map(json))),
            ("recorded", difference.recorded.map { .string(String(decoding: $0, as: UTF8.self)) }),
            ("now", difference.replayed.map { .string(String(decoding: $0, as: UTF8.self)) }),
            ("views", views.map { ["recorded": .string($0.recorded), "now": .string($0.replayed)] }),
        ]
        return .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }

    private static func json(_ member: Difference.Member) -> JSON {
        let members: [(String, JSON?)] = [
            ("path", .string(member.path)), ("recorded", member.old), ("now", member.new),
        ]
        return .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}
