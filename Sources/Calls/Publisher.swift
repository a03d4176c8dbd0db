package import JSON
package import JSONRPC

/// Sends the host's notifications to its client.
package final class Publisher {
    /// The client on stdin and stdout; nil if the host is a relay.
    package var client: Peer?
    private let outbox: Outbox

    package init(_ outbox: Outbox) { self.outbox = outbox }

    /// Notifies the subscribers of a topic, after the commit.
    package func publish(_ topic: Topic, _ params: @escaping () -> JSON) {
        guard let client, client.topics.contains(topic), let session = client.session else { return }
        outbox.notify(session, topic.rawValue, params)
    }

    /// How many bytes the client may leave unread before it gets no more lines of stderr.
    private static let unreadLimit = 1 << 20

    /// Notifies subscribers of a line that an extension wrote on its stderr.
    ///
    /// It depends on no commit, so it is sent at once, before the answer that the extension gives after it. An extension
    /// may write without end, so a client that does not read misses lines, and is told how many.
    package func publish(errorLine line: String, of identifier: String) {
        guard let client, client.topics.contains(.standardError) else { return }
        guard client.unreadBytes <= Self.unreadLimit else {
            client.missedLines += 1
            return
        }
        let missed = client.missedLines
        client.missedLines = 0
        let members: MemberList = [
            "extension": .string(identifier), "line": .string(line), "missed": JSON(positive: missed),
        ]
        client.session?.notify(Topic.standardError.rawValue, params: JSON(present: members))
    }

    /// Reports the progress of a call to its caller, if that gave a progress token, until the call is answered.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - progress: A number that grows with each report.
    ///   - message: The progress in words.
    package func publishProgress(of call: Call, _ progress: Int64, _ message: String) {
        guard let token = call.progressToken, !call.isAnswered else { return }
        outbox.notify(call.session, "notifications/progress") {
            ["progressToken": token, "progress": .integer(progress), "message": .string(message)]
        }
    }
}
