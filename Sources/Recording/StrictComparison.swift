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

    /// One direction of a connection; each process of an extension has a connection of its own.
    private struct Direction: Hashable {
        let from: String
        let to: String
        let process: Int
    }

    /// A line and its messages with their volatile members.
    private typealias ReadLine = (line: WireLine, messages: [LineReader.Message])

    /// The first difference of each direction, in the order of the recording.
    package var differences: [Difference] {
        let old = directions(recorded)
        let new = directions(replayed)
        return Set(old.keys).union(new.keys).compactMap { firstDifference(old[$0] ?? [], new[$0] ?? [], $0) }
            .sorted { ($0.line ?? .max, $0.title) < ($1.line ?? .max, $1.title) }
    }

    private func directions(_ session: RecordedSession) -> [Direction: [ReadLine]] {
        var reader = LineReader(volatile, session)
        var directions: [Direction: [ReadLine]] = [:]
        var processes: [String: Int] = [:]
        for line in session.lines where line.isMessage {
            let messages = reader.read(line)
            guard line.from != Participant.client, recorded.hasExtensions || line.to == Participant.client else {
                continue
            }
            if line.from == Participant.host, messages.first?.method == "activate" {
                processes[line.peer, default: 0] += 1
            }
            let direction = Direction(from: line.from, to: line.to, process: processes[line.peer] ?? 0)
            directions[direction, default: []].append((line, messages))
        }
        return directions
    }

    private func firstDifference(_ old: [ReadLine], _ new: [ReadLine], _ direction: Direction) -> Difference? {
        let title = "\(direction.from) to \(direction.to)"
        for (old, new) in zip(old, new) {
            if let difference = difference(old, new, title) { return difference }
        }
        // Whether the host still answers the calls of a process that ends depends on timing.
        let surplus = old.count > new.count ? old[new.count...] : new[old.count...]
        if direction.from == Participant.host, direction.to != Participant.client,
            surplus.allSatisfy({ $0.line.json?["method"] == nil })
        {
            return nil
        }
        if old.count > new.count {
            let missing = old[new.count].line
            return Difference(
                line: missing.number,
                title: "\(title): \(old.count) lines are recorded, now there are \(new.count); missing is",
                recorded: missing.bytes
            )
        }
        if new.count > old.count, recorded.isComplete {
            return Difference(
                line: old.last.map { $0.line.number + 1 },
                title: "\(title): \(old.count) lines are recorded, now there are \(new.count); new is",
                replayed: new[old.count].line.bytes
            )
        }
        return nil
    }

    private func difference(_ old: ReadLine, _ new: ReadLine, _ title: String) -> Difference? {
        guard old.line.bytes != new.line.bytes || old.line.isPartial != new.line.isPartial else { return nil }
        if old.line.from == Participant.host, let invalidity = old.line.invalidity {
            return Difference(
                line: old.line.number,
                title: "\(title): \(invalidity)",
                recorded: old.line.bytes,
                replayed: new.line.bytes
            )
        }
        // A volatile member may be present in only one of the two lines, such as a pause in an error.
        let paths = (old.messages + new.messages).reduce(into: Set<MemberPath>()) { $0.formUnion($1.volatile) }
        let (oldValues, newValues) = (masked(old, paths), masked(new, paths))
        let isMasked = oldValues != old.messages.map(\.value) || newValues != new.messages.map(\.value)
        // The host writes a value always in the same form, so a recorded line in another form was edited.
        let isWrittenAlike = old.line.from != Participant.host || old.line.json?.bytes == old.line.bytes
        if isMasked, isWrittenAlike, oldValues.map(\.bytes) == newValues.map(\.bytes) { return nil }
        let members = zip(oldValues, newValues).flatMap { $0.differences(to: $1, mayHaveMore: false) }
        return Difference(
            line: old.line.number,
            title: title + (old.messages.first?.method.map { ", of \($0)" } ?? "")
                + (members.isEmpty ? Self.differenceInForm(old, new) : ""),
            recorded: old.line.bytes,
            replayed: new.line.bytes,
            members: members
        )
    }

    /// How two lines with the same values differ.
    private static func differenceInForm(_ old: ReadLine, _ new: ReadLine) -> String {
        if old.line.bytes == new.line.bytes { return ": only one of them has an end" }
        return old.messages.isEmpty || new.messages.isEmpty ? "" : ": the same values, written differently"
    }

    private func masked(_ line: ReadLine, _ paths: Set<MemberPath>) -> [JSON] {
        line.messages.map { $0.value.masked(paths, names: volatile.names) }
    }
}
