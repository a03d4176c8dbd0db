internal import Contract
internal import JSON

/// Compares the messages to the client as values: replies by their ids, notifications in their order.
package struct ReplyComparison {
    private let recorded: RecordedSession
    private let replayed: RecordedSession
    private let volatile: VolatileMembers
    /// Whether the replay may have further members of objects and further notifications.
    private let mayHaveMore: Bool

    package init(
        _ recorded: RecordedSession,
        _ replayed: RecordedSession,
        _ volatile: VolatileMembers,
        mayHaveMore: Bool
    ) {
        self.recorded = recorded
        self.replayed = replayed
        self.volatile = volatile
        self.mayHaveMore = mayHaveMore
    }

    /// A message to the client.
    fileprivate struct Received {
        let line: WireLine
        let message: LineReader.Message
    }

    /// Every reply and notification that differs.
    package var differences: [Difference] {
        let old = received(recorded)
        let new = received(replayed)
        let (oldReplies, oldNotifications) = (old.filter { $0.isReply }, old.filter { !$0.isReply })
        let (newReplies, newNotifications) = (new.filter { $0.isReply }, new.filter { !$0.isReply })
        return invalidLines + compare(replies: oldReplies, newReplies)
            + compare(notifications: oldNotifications, newNotifications)
    }

    /// The recorded lines that a host cannot have written; they are compared with nothing.
    private var invalidLines: [Difference] {
        recorded.lines.filter { $0.to == Participant.client }
            .compactMap { line in
                line.invalidity.map { invalidity in
                    Difference(
                        line: line.number,
                        title: "\(Participant.host) to \(Participant.client): \(invalidity)",
                        recorded: line.bytes
                    )
                }
            }
    }

    private func received(_ session: RecordedSession) -> [Received] {
        var reader = LineReader(volatile, session)
        return session.lines.filter { $0.to == Participant.client || $0.from == Participant.client }
            .flatMap { line in
                reader.read(line).map { Received(line: line, message: $0) }
            }
            .filter { $0.message.value.object != nil }
            .filter { $0.isReply || !volatile.isVolatile(topic: $0.message.method ?? "") }
    }

    private func compare(replies old: [Received], _ new: [Received]) -> [Difference] {
        let matches = matches(old, new)
        var found: [Difference] = []
        for (index, reply) in old.enumerated() {
            if let match = matches[index] {
                found += compare(reply, new[match], "the reply under the id \(reply.id)")
            } else {
                found.append(reply.difference("the reply under the id \(reply.id) is missing"))
            }
        }
        guard !mayHaveMore, recorded.isComplete else { return found }
        let known = Set(matches.values)
        for (index, reply) in new.enumerated() where !known.contains(index) {
            found.append(
                Difference(line: nil, title: "the reply under the id \(reply.id) is new", replayed: reply.line.bytes)
            )
        }
        return found
    }

    /// The index of the replayed reply with which each recorded reply is compared, by the index of the latter.
    ///
    /// Replies with the same id are matched in their order. If their numbers differ, those at the same index are matched
    /// first, so that the one left over is the one whose id changed.
    private func matches(_ old: [Received], _ new: [Received]) -> [Int: Int] {
        let places = Dictionary(grouping: new.indices) { new[$0].id }
        var matches: [Int: Int] = [:]
        for (id, old) in Dictionary(grouping: old.indices, by: { old[$0].id }) {
            let new = places[id] ?? []
            let fixed = old.count == new.count ? [] : Set(old).intersection(new)
            for place in fixed { matches[place] = place }
            for (old, new) in zip(old.filter { !fixed.contains($0) }, new.filter { !fixed.contains($0) }) {
                matches[old] = new
            }
        }
        return matches
    }

    private func compare(notifications old: [Received], _ new: [Received]) -> [Difference] {
        guard !mayHaveMore else { return compare(notifications: old, amongMore: new) }
        var steps = Alignment(old.map(keys), new.map(keys)).steps
        // What follows the end of an incomplete recording is not new.
        if !recorded.isComplete { while case .inserted = steps.last { steps.removeLast() } }
        return steps.flatMap { step -> [Difference] in
            switch step {
            case .pair(let one, let other): compare(old[one], new[other], old[one].name)
            case .removed(let index): [old[index].difference("\(old[index].name) is missing")]
            case .inserted(let index):
                [Difference(line: nil, title: "\(new[index].name) is new", replayed: new[index].line.bytes)]
            }
        }
    }

    /// What a notification is compared by when two sequences are aligned: its value, then its method.
    private func keys(_ received: Received) -> [String] {
        let message = received.message
        return [message.value.masked(message.volatile, names: volatile.names).description, message.label]
    }

    private func compare(notifications old: [Received], amongMore new: [Received]) -> [Difference] {
        var rest = new[...]
        return old.flatMap { notification -> [Difference] in
            guard let next = rest.firstIndex(where: { members(notification, $0).isEmpty }) else {
                return [notification.difference("\(notification.name) is missing")]
            }
            rest = rest[(next + 1)...]
            return []
        }
    }

    private func members(_ old: Received, _ new: Received) -> [Difference.Member] {
        let paths = old.message.volatile.union(new.message.volatile)
        return old.message.value.masked(paths, names: volatile.names)
            .differences(to: new.message.value.masked(paths, names: volatile.names), mayHaveMore: mayHaveMore)
    }

    private func compare(_ old: Received, _ new: Received, _ title: String) -> [Difference] {
        let members = members(old, new)
        guard !members.isEmpty else { return [] }
        return [
            Difference(
                line: old.line.number,
                title: title + (old.isReply ? old.message.method.map { ", of \($0)" } ?? "" : ""),
                recorded: old.line.bytes,
                replayed: new.line.bytes,
                members: members
            )
        ]
    }
}

extension ReplyComparison.Received {
    fileprivate var isReply: Bool { message.value["method"] == nil }
    fileprivate var name: String { "the notification \(message.method ?? "")" }
    fileprivate var id: String { message.value["id"]?.description ?? "(none)" }

    fileprivate func difference(_ title: String) -> Difference {
        Difference(line: line.number, title: title, recorded: line.bytes)
    }
}
