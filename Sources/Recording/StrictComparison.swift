internal import Contract
internal import JSON

/// Compares all lines, each direction of each connection by itself, byte by byte.
package struct StrictComparison {
    private let recorded: RecordedSession
    private let now: RecordedSession
    private let volatile: VolatileMembers

    package init(_ recorded: RecordedSession, _ now: RecordedSession, _ volatile: VolatileMembers) {
        self.recorded = recorded
        self.now = now
        self.volatile = volatile
    }

    /// One direction of a connection; each process of an extension has a connection of its own.
    private struct Direction: Hashable {
        let from: String
        let to: String
        let process: Int
    }

    /// A line with what the contract says of its members.
    private typealias Read = (line: WireLine, messages: [LineReader.Message])

    /// The first difference of each direction, in the order of the recording.
    package var differences: [Difference] {
        let old = directions(recorded)
        let new = directions(now)
        return Set(old.keys).union(new.keys).compactMap { first(old[$0] ?? [], new[$0] ?? [], $0) }
            .sorted { ($0.line ?? .max, $0.title) < ($1.line ?? .max, $1.title) }
    }

    private func directions(_ session: RecordedSession) -> [Direction: [Read]] {
        var reader = LineReader(volatile, session)
        var directions: [Direction: [Read]] = [:]
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

    private func first(_ old: [Read], _ new: [Read], _ direction: Direction) -> Difference? {
        let title = "\(direction.from) to \(direction.to)"
        for (old, new) in zip(old, new) {
            if let difference = difference(old, new, title) { return difference }
        }
        // Whether a process that dies is still answered what it asked is a matter of moments.
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
                now: new[old.count].line.bytes
            )
        }
        return nil
    }

    private func difference(_ old: Read, _ new: Read, _ title: String) -> Difference? {
        guard old.line.bytes != new.line.bytes || old.line.isPartial != new.line.isPartial else { return nil }
        if old.line.from == Participant.host, let flaw = old.line.flaw {
            return Difference(
                line: old.line.number,
                title: "\(title): \(flaw)",
                recorded: old.line.bytes,
                now: new.line.bytes
            )
        }
        // If only one of them has a member, such as a pause in an error, another member differs too.
        let paths = (old.messages + new.messages).reduce(into: Set<MemberPath>()) { $0.formUnion($1.volatile) }
        let (oldValues, newValues) = (masked(old, paths), masked(new, paths))
        let isMasked = oldValues != old.messages.map(\.value) || newValues != new.messages.map(\.value)
        // The host writes each value in one direction, so a line that is written in another was changed.
        let isWrittenAlike = old.line.from != Participant.host || old.line.json?.bytes == old.line.bytes
        if isMasked, isWrittenAlike, oldValues.map(\.bytes) == newValues.map(\.bytes) { return nil }
        let members = zip(oldValues, newValues).flatMap { $0.differences(to: $1, mayHaveMore: false) }
        return Difference(
            line: old.line.number,
            title: title + (old.messages.first?.method.map { ", of \($0)" } ?? "")
                + (members.isEmpty ? Self.manner(old, new) : ""),
            recorded: old.line.bytes,
            now: new.line.bytes,
            members: members
        )
    }

    /// What is different of two lines whose values are not.
    private static func manner(_ old: Read, _ new: Read) -> String {
        if old.line.bytes == new.line.bytes { return ": only one of them has an end" }
        return old.messages.isEmpty || new.messages.isEmpty ? "" : ": the same values, written differently"
    }

    private func masked(_ read: Read, _ paths: Set<MemberPath>) -> [JSON] {
        read.messages.map { $0.value.masked(paths, names: volatile.names) }
    }
}
