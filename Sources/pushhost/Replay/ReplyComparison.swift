internal import ExtensionHost
internal import JSON

/// Compares what the client was told as values: replies by their ids, notifications in their order.
struct ReplyComparison {
    private let recorded: RecordedSession
    private let now: RecordedSession
    private let volatile: VolatileMembers
    /// Whether now there may be more: members of objects, and notifications.
    private let mayHaveMore: Bool

    init(_ recorded: RecordedSession, _ now: RecordedSession, _ volatile: VolatileMembers, mayHaveMore: Bool) {
        self.recorded = recorded
        self.now = now
        self.volatile = volatile
        self.mayHaveMore = mayHaveMore
    }

    /// A message to the client.
    fileprivate struct Told {
        let line: WireLine
        let message: LineReader.Message
    }

    /// Every reply and notification that is not as it was.
    var differences: [Difference] {
        let old = told(recorded)
        let new = told(now)
        let (oldReplies, oldNotifications) = (old.filter { $0.isReply }, old.filter { !$0.isReply })
        let (newReplies, newNotifications) = (new.filter { $0.isReply }, new.filter { !$0.isReply })
        return compare(replies: oldReplies, newReplies) + compare(notifications: oldNotifications, newNotifications)
    }

    private func told(_ session: RecordedSession) -> [Told] {
        var reader = LineReader(volatile, input: recorded.input)
        return session.lines.filter { $0.to == WireEnd.client }
            .flatMap { line in
                reader.read(line).map { Told(line: line, message: $0) }
            }
            .filter { $0.isReply || !volatile.isVolatile(topic: $0.message.method ?? "") }
    }

    private func compare(replies old: [Told], _ new: [Told]) -> [Difference] {
        var waiting = Dictionary(grouping: new, by: \.id)
        var found: [Difference] = []
        for reply in old {
            guard let match = waiting[reply.id]?.first else {
                found.append(reply.difference("the reply under the id \(reply.id) is missing"))
                continue
            }
            waiting[reply.id]?.removeFirst()
            found += compare(reply, match, "the reply under the id \(reply.id)")
        }
        guard !mayHaveMore, recorded.isComplete else { return found }
        for reply in new where waiting[reply.id]?.isEmpty == false {
            waiting[reply.id]?.removeFirst()
            found.append(
                Difference(line: nil, title: "the reply under the id \(reply.id) is new", now: reply.line.bytes)
            )
        }
        return found
    }

    private func compare(notifications old: [Told], _ new: [Told]) -> [Difference] {
        var rest = new[...]
        var found: [Difference] = []
        for notification in old {
            if mayHaveMore {
                rest = rest.drop { !members(notification, $0).isEmpty }
            }
            guard let match = rest.popFirst() else {
                found.append(
                    notification.difference("the notification \(notification.message.method ?? "") is missing")
                )
                continue
            }
            found += compare(notification, match, "the notification \(notification.message.method ?? "")")
        }
        guard !mayHaveMore, recorded.isComplete else { return found }
        return found + rest.map { Difference(line: nil, title: "a notification is new", now: $0.line.bytes) }
    }

    private func members(_ old: Told, _ new: Told) -> [Difference.Member] {
        let paths = old.message.volatile.union(new.message.volatile)
        return old.message.value.masked(paths, names: volatile.names)
            .differences(to: new.message.value.masked(paths, names: volatile.names), mayHaveMore: mayHaveMore)
    }

    private func compare(_ old: Told, _ new: Told, _ title: String) -> [Difference] {
        let members = members(old, new)
        guard !members.isEmpty else { return [] }
        return [
            Difference(
                line: old.line.number,
                title: title + (old.isReply ? old.message.method.map { ", of \($0)" } ?? "" : ""),
                recorded: old.line.bytes,
                now: new.line.bytes,
                members: members
            )
        ]
    }
}

extension ReplyComparison.Told {
    fileprivate var isReply: Bool { message.value["method"] == nil }
    fileprivate var id: String { message.value["id"]?.description ?? "" }

    fileprivate func difference(_ title: String) -> Difference {
        Difference(line: line.number, title: title, recorded: line.bytes)
    }
}
