internal import JSON
internal import JSONRPC

/// Sends the host's notifications to its clients.
final class Publisher {
    /// The clients: one, on stdin and stdout.
    var clients: [Peer] = []
    private let outbox: Outbox

    init(_ outbox: Outbox) { self.outbox = outbox }

    /// Notifies the subscribers of a topic, after the commit.
    func publish(_ topic: Topic, _ params: @escaping () -> JSON) {
        for session in clients.filter({ $0.topics.contains(topic) }).compactMap(\.session) {
            outbox.notify(session, topic.rawValue, params)
        }
    }

    /// Reports the progress of a call to its caller, if that gave a progress token, until the call is answered.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - progress: A number that grows with each report.
    ///   - message: The progress in words.
    func publishProgress(of call: Call, _ progress: Int64, _ message: String) {
        guard let token = call.progressToken, !call.isAnswered else { return }
        outbox.notify(call.session, "notifications/progress") {
            ["progressToken": token, "progress": .integer(progress), "message": .string(message)]
        }
    }
}
