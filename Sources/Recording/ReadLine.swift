internal import Contract
internal import JSON

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
