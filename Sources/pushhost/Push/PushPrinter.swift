internal import Foundation
internal import JSON
internal import Notifications
internal import PushClient
internal import Terminal

/// Prints what is shown of a notification, once: a drawing or JSON.
struct PushPrinter {
    let settings: PushSettings
    let isJSON: Bool

    /// Prints the state of a session.
    func finish(_ session: PushSession, showsIDs: Bool) {
        if isJSON {
            for reply in Self.replies(session) { Terminal.print(reply) }
        } else {
            Terminal.write(drawing(session, showsIDs).map { "\($0)\n" }.joined())
        }
    }

    private func drawing(_ session: PushSession, _ showsIDs: Bool) -> [String] {
        let terminal = settings.capabilities
        var frame = PushFrame(glyphs: terminal.glyphs, width: terminal.columns, showsIDs: showsIDs)
        frame.showsErrorLines = !showsIDs
        return frame.draw(session).lines.map(terminal.palette.text)
    }

    /// The reply to each call, then what was saved.
    private static func replies(_ session: PushSession) -> [JSON] {
        var suites: [String] = []
        for record in session.saved where !suites.contains(record.suite) { suites.append(record.suite) }
        let saved = suites.map { suite -> JSON in
            let records = session.saved.filter { $0.suite == suite }.map(\.record)
            return ["method": "pending", "result": ["suite": .string(suite), "records": JSON(records)]]
        }
        return session.replies + saved
    }
}
