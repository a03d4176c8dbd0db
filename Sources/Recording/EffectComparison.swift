internal import Contract
internal import JSON

/// Compares what each extension saved, stored and opened, as values and in any order.
///
/// The order of an extension's calls, their ids and the processes that made them depend on timing unless the session was
/// recorded in lock-step.
package struct EffectComparison {
    /// The methods whose calls are compared: those that change stored data, open the app or dismiss the notification.
    ///
    /// The others read, or change what is shown.
    private static let methods: Set<String> = {
        let all = ContractDocuments.host["methods"]?.array.map { Array($0) } ?? []
        let changing = all.filter { ["adds", "deletes"].contains($0["x-effect"]?.string) }
        return Set(changing.compactMap { $0["name"]?.string })
            .union(["performNotificationDefaultAction", "dismissNotificationContentExtension"])
    }()

    private let recorded: RecordedSession
    private let replayed: RecordedSession
    private let volatile: VolatileMembers
    /// Whether the replay may have further calls and further members of objects.
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

    /// A call of an extension, without its id and its volatile members.
    private struct Effect {
        let line: WireLine
        let label: String
        let method: String
        let value: JSON
    }

    /// Every call that differs, is missing or is new; none if the session has no lines of extensions.
    package var differences: [Difference] {
        guard recorded.hasExtensions else { return [] }
        let (old, new) = (effects(recorded), effects(replayed))
        return Set(old.keys).union(new.keys).flatMap { differences(old[$0] ?? [], new[$0] ?? [], of: $0) }
    }

    private func effects(_ session: RecordedSession) -> [String: [Effect]] {
        var reader = LineReader(volatile, session)
        var effects: [String: [Effect]] = [:]
        for line in session.lines where line.isMessage {
            for message in reader.read(line) where line.to == Participant.host {
                guard let method = message.method, Self.methods.contains(method), message.value["method"] != nil else {
                    continue
                }
                let paths = message.volatile.union([ReadLine.id])
                let value = message.value.masked(paths, names: volatile.names)
                effects[line.from, default: []].append(
                    Effect(line: line, label: message.label, method: method, value: value)
                )
            }
        }
        return effects
    }

    private func differences(_ old: [Effect], _ new: [Effect], of identifier: String) -> [Difference] {
        let title = "\(identifier) to host"
        var (old, new) = (old, new)
        _ = Self.removePairs(&old, &new) { $0.value.description }
        if mayHaveMore { _ = Self.removePairs(&old, &new, isPair: isSubset) { $0.label } }
        let changed =
            Self.removePairs(&old, &new) { $0.label } + Self.removePairs(&old, &new) { $0.method }
        var found = changed.map { difference($0, $1, title) }
        found += old.map {
            Difference(line: $0.line.number, title: "\(title): - \($0.label)", recorded: $0.line.bytes)
        }
        // What follows the end of an incomplete recording is not new.
        guard !mayHaveMore, recorded.isComplete else { return found }
        return found + new.map { Difference(line: nil, title: "\(title): + \($0.label)", replayed: $0.line.bytes) }
    }

    /// Removes the pairs of calls that have the same key, in their order.
    private static func removePairs(
        _ old: inout [Effect],
        _ new: inout [Effect],
        isPair: (Effect, Effect) -> Bool = { _, _ in true },
        by key: (Effect) -> String
    ) -> [(Effect, Effect)] {
        var places = Dictionary(grouping: new.indices) { key(new[$0]) }
        var (pairs, paired): ([(Effect, Effect)], Set<Int>) = ([], [])
        old.removeAll { effect in
            let key = key(effect)
            guard let place = places[key]?.firstIndex(where: { isPair(effect, new[$0]) }),
                let index = places[key]?.remove(at: place)
            else { return false }
            pairs.append((effect, new[index]))
            paired.insert(index)
            return true
        }
        new = new.indices.filter { !paired.contains($0) }.map { new[$0] }
        return pairs
    }

    private func isSubset(_ old: Effect, _ new: Effect) -> Bool { members(old, new).isEmpty }

    private func members(_ old: Effect, _ new: Effect) -> [Difference.Member] {
        old.value.differences(to: new.value, mayHaveMore: mayHaveMore)
    }

    private func difference(_ old: Effect, _ new: Effect, _ title: String) -> Difference {
        Difference(
            line: old.line.number,
            title: "\(title), of \(old.method)",
            recorded: old.line.bytes,
            replayed: new.line.bytes,
            members: members(old, new)
        )
    }
}
