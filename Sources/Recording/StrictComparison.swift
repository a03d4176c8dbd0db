internal import Contract
internal import JSON

/// Compares all lines byte by byte, separately for each direction of each connection.
package struct StrictComparison {
    private let recorded: RecordedSession
    private let replayed: RecordedSession
    private let volatile: VolatileMembers

    package init(_ recorded: RecordedSession, _ replayed: RecordedSession, _ volatile: VolatileMembers) {
        self.recorded = recorded
        self.replayed = replayed
        self.volatile = volatile
    }

    /// Every difference, in the order of the recording.
    package var differences: [Difference] {
        var directions = Direction.pairs(recorded, replayed, volatile)
        let old = Set(directions.flatMap { $0.removed.map(\.count) })
        let new = Set(directions.flatMap { $0.inserted.map(\.count) })
        let isShifted = !old.isEmpty || !new.isEmpty
        if isShifted {
            for index in directions.indices { directions[index].dropAnswers(toRemoved: old, toInserted: new) }
        }
        return directions.flatMap { differences($0, isShifted: isShifted) }
            .sorted { ($0.line ?? .max, $0.title) < ($1.line ?? .max, $1.title) }
    }

    private func differences(_ direction: Direction, isShifted: Bool) -> [Difference] {
        var previous: Int?
        return direction.steps.compactMap { step in
            switch step {
            case .pair(let old, let new):
                previous = direction.old[old].line.number
                return difference(direction.old[old], direction.new[new], direction.title, isShifted: isShifted)
            case .removed(let old):
                let line = direction.old[old]
                previous = line.line.number
                let what = line.line.from == Participant.host ? line.line.invalidity : nil
                return Difference(
                    line: line.line.number,
                    title: "\(direction.title): \(what ?? "- \(line.label)")",
                    recorded: line.line.bytes
                )
            case .inserted(let new):
                let line = direction.new[new]
                return Difference(
                    line: previous.map { $0 + 1 },
                    title: "\(direction.title): + \(line.label)",
                    replayed: line.line.bytes
                )
            }
        }
    }

    private func difference(_ old: ReadLine, _ new: ReadLine, _ title: String, isShifted: Bool) -> Difference? {
        guard old.line.bytes != new.line.bytes || old.line.isPartial != new.line.isPartial else { return nil }
        if old.line.from == Participant.host, let invalidity = old.line.invalidity {
            return Difference(
                line: old.line.number,
                title: "\(title): \(invalidity)",
                recorded: old.line.bytes,
                replayed: new.line.bytes
            )
        }
        let (oldMessages, newMessages) = (old.messages(isShifted: isShifted), new.messages(isShifted: isShifted))
        // A volatile member may be present in only one of the two lines, such as a pause in an error.
        var paths = (oldMessages + newMessages).reduce(into: Set<MemberPath>()) { $0.formUnion($1.volatile) }
        if isShifted, old.line.peer != Participant.client { paths.insert(ReadLine.id) }
        let oldValues = oldMessages.map { $0.value.masked(paths, names: volatile.names) }
        let newValues = newMessages.map { $0.value.masked(paths, names: volatile.names) }
        let isMasked = oldValues != oldMessages.map(\.value) || newValues != newMessages.map(\.value)
        // The host writes a value always in the same form, so a recorded line in another form was edited.
        let isWrittenAlike = old.line.from != Participant.host || old.line.json?.bytes == old.line.bytes
        if isMasked, isWrittenAlike, oldValues.map(\.bytes) == newValues.map(\.bytes) { return nil }
        let members = zip(oldValues, newValues).flatMap { $0.differences(to: $1, mayHaveMore: false) }
        return Difference(
            line: old.line.number,
            title: title + (oldMessages.first?.method.map { ", of \($0)" } ?? "")
                + (members.isEmpty ? Self.differenceInForm(old, new) : ""),
            recorded: old.line.bytes,
            replayed: new.line.bytes,
            members: members
        )
    }

    /// How two lines with the same values differ.
    private static func differenceInForm(_ old: ReadLine, _ new: ReadLine) -> String {
        if old.line.bytes == new.line.bytes { return ": only one of them has an end" }
        return old.line.json == nil || new.line.json == nil ? "" : ": the same values, written differently"
    }
}
