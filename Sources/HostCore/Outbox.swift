internal import JSON
internal import JSONRPC
internal import Suites

/// What may leave only after the commit, in the order in which it became ready.
///
/// An answer waits while one before it does, so replies that depend on no suite
/// keep their place too. When a suite's transaction is lost, each answer that
/// depended on it becomes an error; those of other suites stand.
struct Outbox {
    private struct Entry {
        /// The suite on whose transaction it depends.
        var suite: Suite?
        var content: Content
    }

    private enum Content {
        case answer(Call, Result<JSON, RPCError>)
        /// An answer that is made when it leaves, because the commit may change it.
        case lateAnswer(Call, () -> Result<JSON, RPCError>)
        case notification(Session, Topic, () -> JSON)
    }

    private var entries: [Entry] = []

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }

    /// Answers a call: at once when nothing before it waits and no open transaction matters to it.
    mutating func answer(_ call: Call, _ result: Result<JSON, RPCError>, dependsOn suite: Suite? = nil) {
        if entries.isEmpty && suite == nil {
            call.answer(result)
        } else {
            entries.append(Entry(suite: suite, content: .answer(call, result)))
        }
    }

    /// Answers a call with what is true when the answer leaves.
    mutating func answerLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        entries.append(Entry(content: .lateAnswer(call, result)))
    }

    /// Tells a subscriber.
    mutating func notify(_ session: Session, _ topic: Topic, _ params: @escaping () -> JSON) {
        entries.append(Entry(content: .notification(session, topic, params)))
    }

    /// Turns every answer that depends on a suite's lost transaction into an error.
    mutating func fail(_ suite: Suite, with error: RPCError) {
        for index in entries.indices where entries[index].suite === suite {
            entries[index].suite = nil
            if case .answer(let call, _) = entries[index].content {
                entries[index].content = .answer(call, .failure(error))
            }
        }
    }

    /// Lets everything leave, in order.
    func release() {
        for entry in entries {
            switch entry.content {
            case .answer(let call, let result): call.answer(result)
            case .lateAnswer(let call, let result): call.answer(result())
            case .notification(let session, let topic, let params): session.notify(topic.rawValue, params: params())
            }
        }
    }
}
