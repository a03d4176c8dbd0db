internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// Shows sources in a host, and draws what it shows.
///
/// A picture must not depend on those that were drawn before it. So the extensions are restarted after each notification
/// that one of them showed, and the host is replaced once something was saved or its clock was moved.
final class PicturePainter {
    private let start: () throws(ClientError) -> HostClient
    private let steps: [PushStep]
    private let params: MemberList
    private let appName: String?
    private var session: PushSession?

    /// - Parameters:
    ///   - steps: What is done to each notification before it is drawn.
    ///   - params: The params of `didReceive` besides the payload and the locale.
    ///   - appName: The name of the app; nil for the end of the bundle's identifier.
    ///   - start: Starts a host.
    init(
        steps: [PushStep],
        params: MemberList,
        appName: String?,
        start: @escaping () throws(ClientError) -> HostClient
    ) {
        (self.steps, self.params, self.appName, self.start) = (steps, params, appName, start)
    }

    /// Shows a source in a locale, and draws it once for each look.
    ///
    /// - Returns: The pictures, and what the host says about the payload.
    /// - Throws: Why the notification is not shown in the state that is wanted.
    func draw(
        _ content: PictureSource.Content,
        _ locale: String?,
        _ looks: [PictureMatrix.Look]
    ) throws -> (pictures: [String], remarks: [String]) {
        let session = try self.session ?? PushSession(start())
        self.session = session
        do {
            session.forget()
            try content.play(session, params + ["locale": locale.map(JSON.string)])
            for step in steps { try session.take(step) }
            let pictures = session.shown.map { shown in
                let title = shown.content["title"]?.string ?? ""
                let figure: HTMLRenderer.Figure = ("", shown, locale)
                return looks.map {
                    HTMLRenderer($0.settings(appName: appName)).svg(
                        [figure],
                        title: title.isEmpty ? "Notification" : title
                    )
                }
            }
            // A payload without a category is not one that an extension should show.
            let diagnostics = session.diagnostics.filter { content.hasCategory || $0["reason"] != "noExtension" }
            try clean(session)
            return (pictures ?? [], diagnostics.map(PushCommand.text(of:)))
        } catch {
            // A fault of an extension delays its next start.
            stop(isHasty: error is ClientError)
            throw error
        }
    }

    /// Makes the host as it was at its start.
    private func clean(_ session: PushSession) throws {
        let hasMovedClock = session.replies.contains { $0["method"] == "advanceClock" }
        guard !hasMovedClock, try session.host.result("suites")["suites"]?.array?.isEmpty == true else {
            return stop(isHasty: false)
        }
        if session.shown?.bundle != nil { _ = try session.host.result("reloadExtensions", ["force": true]) }
    }

    /// Ends the host.
    func stop(isHasty: Bool = false) {
        _ = session?.host.stop(isHasty: isHasty)
        session = nil
    }
}
