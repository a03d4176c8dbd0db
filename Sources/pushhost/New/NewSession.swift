internal import Contract
internal import Foundation
internal import HostClient
internal import JSON
internal import Recording

/// The session of a new bundle, whose replies are recorded by running it.
struct NewSession {
    private let bundle: String
    private let signals: SignalSource

    init(bundle: String, _ signals: SignalSource) { (self.bundle, self.signals) = (bundle, signals) }

    /// Runs the request lines in a host with a fixed clock and seed, and writes the replies beside them.
    ///
    /// - Throws: Why the extension does not answer as its template does, such as a missing interpreter.
    func record() throws(ClientError) {
        let session: RecordedSession
        do throws(RecordedSession.Problem) {
            session = try RecordedSession(path: "\(bundle)/session.jsonl", mayLackReplies: true)
        } catch {
            throw .failed("\(error)")
        }
        // What Python leaves beside a module that it imports is no part of the new bundle.
        defer { try? FileManager.default.removeItem(atPath: "\(bundle)/__pycache__") }
        let run = SessionRun(session, folders: StandardFolders(), signals: signals, mayUseFiles: false)
        let (replayed, text) = try run.run(plugins: [bundle], extensionsAreRecorded: false)
        for reply in replayed.lines where reply.to == Participant.client {
            if let message = reply.json?["error"]?["message"]?.string { throw .failed(message) }
            guard reply.json?["result"]?["extension"] == .null else { continue }
            throw .failed("the extension does not show its payload")
        }
        _ = try session.update(with: replayed, text: text, plugins: [bundle])
    }
}
