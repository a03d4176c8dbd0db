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

/// A line of a session and its messages.
struct ReadLine {
    /// The member of a message that holds its id.
    static let id = MemberPath(["id"])

    let line: WireLine
    /// Its number among the lines that were read.
    let count: Int
    private let messages: [LineReader.Message]
    private let shifted: [LineReader.Message]
    /// The members that are volatile at every level.
    private let names: Set<String>

    /// - Parameters:
    ///   - line: The line.
    ///   - count: Its number among the lines that were read.
    ///   - messages: Its messages.
    ///   - shifted: The same, with the volatile members of a session in which a call was inserted or removed.
    ///   - names: The members that are volatile at every level.
    init(
        _ line: WireLine,
        count: Int,
        _ messages: [LineReader.Message],
        shifted: [LineReader.Message],
        names: Set<String>
    ) {
        (self.line, self.count, self.messages, self.shifted, self.names) = (line, count, messages, shifted, names)
    }

    /// Its messages, with their volatile members.
    func messages(isShifted: Bool) -> [LineReader.Message] { isShifted ? shifted : messages }

    /// What it is, in a few words.
    var label: String {
        guard let first = shifted.first else { return "a line that is not a message" }
        return first.label + (shifted.count > 1 ? " and \(shifted.count - 1) more in a batch" : "")
    }

    /// Whether it has only answers.
    var isAnswer: Bool { !messages.isEmpty && messages.allSatisfy { $0.value["method"] == nil } }

    /// Whether it only confirms calls of lines with these numbers: its answers are results.
    func confirms(_ calls: Set<Int>) -> Bool {
        isAnswer
            && messages.allSatisfy { message in
                message.value["result"] != nil && message.callLine.map(calls.contains) == true
            }
    }

    /// What the line is compared by when two sequences are aligned, the most exact first: its content without what an
    /// insertion shifts, its label, its method.
    var keys: [String] {
        guard !shifted.isEmpty else { return Array(repeating: line.text, count: isOfClient ? 5 : 3) }
        let label = label
        let contents = shifted.map { message in
            message.value.masked(isOfClient ? message.volatile : message.volatile.union([Self.id]), names: names)
                .description
        }
        let content = ([label] + contents).joined(separator: "\n")
        let methods = shifted.map { ($0.value["method"] == nil ? "reply to " : "") + ($0.method ?? "") }
        let method = methods.joined(separator: "\n")
        guard isOfClient else { return [content, label, method] }
        // The client's ids are the same in both sessions. In a file of replies, the calls that they answer are not certain
        // if an id was used twice.
        let ids = shifted.map { $0.value["id"]?.description ?? "" }.joined(separator: "\n")
        return [line.text, content, "\(label)\n\(ids)", "\(ids.isEmpty ? method : ids)", method]
    }

    private var isOfClient: Bool { line.peer == Participant.client }
}
