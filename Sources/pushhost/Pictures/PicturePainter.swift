internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// Shows sources in a host, and draws what it shows.
///
/// A picture must not depend on those that were drawn before it. What an extension saved, its random numbers and the
/// host's clock would, so each notification for which an extension may run has a host of its own.
final class PicturePainter {
    private let start: () throws(ClientError) -> HostClient
    private let steps: [PushStep]
    private let params: MemberList
    private let appName: String?
    /// A host for which no extension has run.
    private var session: PushSession?
    /// The apps by the identifiers of their extensions.
    private var apps: [String: AppIdentity] = [:]
    /// The next hosts, which start while another one is in use.
    private var spares: [HostClient] = []
    /// Hosts that end while another one is in use.
    private var ending: [HostClient] = []
    /// So many hosts start, and so many end, beside the one that is in use.
    private static let pace = 2

    /// - Parameters:
    ///   - steps: What is done to each notification before it is drawn.
    ///   - params: The params of `didReceive` besides the payload and the locale.
    ///   - appName: The name of the app; nil for that in the bundle's `Info.plist`.
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
    /// - Parameters:
    ///   - content: The source.
    ///   - locale: The locale; nil for that of the host.
    ///   - looks: How it is drawn.
    ///   - images: The folder of files that stand for pictures on the web.
    /// - Returns: The pictures, and what the host says about the payload.
    /// - Throws: Why the notification is not shown in the state that is wanted.
    func draw(
        _ content: PictureSource.Content,
        _ locale: String?,
        _ looks: [PictureLook],
        images: String
    ) throws -> (pictures: [String], remarks: [String]) {
        let session = try self.session ?? PushSession(spares.isEmpty ? start() : spares.removeFirst())
        if self.session == nil {
            self.session = session
            while spares.count < Self.pace { spares.append(try start()) }
        }
        do {
            session.forget()
            try content.play(session, params + ["locale": locale.map(JSON.string)])
            for step in steps { try session.take(step) }
            let pictures = try session.shown.map { shown in
                let app = try identity(of: shown, in: session.host)
                let title = shown.content["title"]?.string ?? ""
                let figure: HTMLRenderer.Figure = ("", shown, locale)
                return looks.map {
                    // A picture shows only files of this machine.
                    let settings = $0.settings(
                        appName: appName,
                        app,
                        images: LocalImages(allowsRemote: false, standIns: images)
                    )
                    return HTMLRenderer(settings).svg([figure], title: title.isEmpty ? "Notification" : title)
                }
            }
            // A payload without a category is not one that an extension should show.
            let diagnostics = session.diagnostics.filter { content.hasCategory || $0["reason"] != "noExtension" }
            // A profile is for the personalization extension.
            if content.runsExtensions || !Array(params).isEmpty { endSession() }
            return (pictures ?? [], diagnostics.map(PushCommand.text(of:)))
        } catch {
            endSession(isHasty: error is ClientError)
            throw error
        }
    }

    /// The app whose extension shows a notification, which the first host that knows it is asked for.
    private func identity(of shown: ShownNotification, in host: HostClient) throws(ClientError) -> AppIdentity? {
        guard let bundle = shown.bundle else { return nil }
        if let known = apps[bundle] { return known }
        let app = try AppIdentity.of(shown, in: host)
        apps[bundle] = app
        return app
    }

    /// Ends the host that is in use.
    private func endSession(isHasty: Bool = false) {
        guard let host = session?.host else { return }
        session = nil
        guard !isHasty else { return _ = host.stop(isHasty: true) }
        host.closeInput()
        ending.append(host)
        if ending.count > Self.pace { _ = ending.removeFirst().stop(isHasty: false) }
    }

    /// Ends all hosts.
    func stop() {
        endSession()
        for host in spares { host.closeInput() }
        // Not hastily: a host that a signal ends while it starts would leave its folder behind.
        for host in ending + spares { _ = host.stop(isHasty: false) }
        (ending, spares) = ([], [])
    }
}
