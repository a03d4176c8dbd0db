internal import Contract
internal import JSON

/// The lines of one direction of a connection in a recording and in its replay, aligned.
///
/// Each process of an extension has a connection of its own.
struct Direction {
    private struct Name: Hashable {
        let from: String
        let to: String
        let process: Int
    }

    /// Its two ends, for people.
    let title: String
    /// The recorded lines.
    let old: [ReadLine]
    /// The replayed lines.
    let new: [ReadLine]
    /// How the lines correspond.
    private(set) var steps: [Alignment.Step]

    /// Every direction of two sessions.
    ///
    /// The lines of extensions are left out if they are not recorded.
    static func pairs(
        _ recorded: RecordedSession,
        _ replayed: RecordedSession,
        _ volatile: VolatileMembers
    ) -> [Direction] {
        let old = lines(recorded, volatile, hasExtensions: recorded.hasExtensions)
        let new = lines(replayed, volatile, hasExtensions: recorded.hasExtensions)
        return Set(old.keys).union(new.keys).map { name in
            Direction(name, old[name] ?? [], new[name] ?? [], isComplete: recorded.isComplete)
        }
    }

    private static func lines(
        _ session: RecordedSession,
        _ volatile: VolatileMembers,
        hasExtensions: Bool
    ) -> [Name: [ReadLine]] {
        var (reader, shiftedReader) = (LineReader(volatile, session), LineReader(volatile.shifted, session))
        var directions: [Name: [ReadLine]] = [:]
        var processes: [String: Int] = [:]
        for line in session.lines where line.isMessage {
            let (messages, shifted) = (reader.read(line), shiftedReader.read(line))
            guard line.from != Participant.client, hasExtensions || line.to == Participant.client else { continue }
            if line.from == Participant.host, messages.first?.method == "activate" {
                processes[line.peer, default: 0] += 1
            }
            let name = Name(from: line.from, to: line.to, process: processes[line.peer] ?? 0)
            let read = ReadLine(line, count: reader.count, messages, shifted: shifted, names: volatile.names)
            directions[name, default: []].append(read)
        }
        return directions
    }

    private init(_ name: Name, _ old: [ReadLine], _ new: [ReadLine], isComplete: Bool) {
        title = "\(name.from) to \(name.to)"
        (self.old, self.new) = (old, new)
        steps = Alignment(old.map(\.keys), new.map(\.keys)).steps
        // What follows the end of an incomplete recording is not new.
        if !isComplete { while case .inserted = steps.last { steps.removeLast() } }
        if name.from == Participant.host, name.to != Participant.client { dropFinalAnswers() }
    }

    /// Drops the surplus answers at the end: whether the host still answers the calls of a process that ends depends on
    /// timing.
    private mutating func dropFinalAnswers() {
        let start = steps.lastIndex { if case .pair = $0 { true } else { false } }.map { $0 + 1 } ?? 0
        if steps[start...].allSatisfy({ line($0).isAnswer }) { steps.removeSubrange(start...) }
    }

    /// The line of a step that has only one.
    private func line(_ step: Alignment.Step) -> ReadLine {
        switch step {
        case .pair(let index, _), .removed(let index): old[index]
        case .inserted(let index): new[index]
        }
    }

    /// The recorded lines that are missing in the replay.
    var removed: [ReadLine] { steps.compactMap { if case .removed(let index) = $0 { old[index] } else { nil } } }

    /// The replayed lines that are new.
    var inserted: [ReadLine] { steps.compactMap { if case .inserted(let index) = $0 { new[index] } else { nil } } }

    /// Drops the answers that only confirm calls that are reported themselves.
    ///
    /// - Parameters:
    ///   - old: The numbers of the lines that are missing.
    ///   - new: The numbers of the lines that are new.
    mutating func dropAnswers(toRemoved old: Set<Int>, toInserted new: Set<Int>) {
        steps.removeAll { step in
            switch step {
            case .pair: false
            case .removed(let index): self.old[index].confirms(old)
            case .inserted(let index): self.new[index].confirms(new)
            }
        }
    }
}
