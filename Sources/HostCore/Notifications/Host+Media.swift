internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications

extension Host {
    /// Hands a press of the media button to the extension: `mediaPlay` or `mediaPause`.
    func playMedia(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let presentation = try notifications.live(invocation)
        guard let process = presentation.process, let media = presentation.media, media.button != .none else {
            throw HostError.noMediaButton(
                "the notification \(presentation.identifier) offers no media button",
                path: invocation.arguments.path("notification")
            )
        }
        let method = invocation.call.method
        call(process, method, invocation, []) { outcome in
            outcome.map { reply in
                // The button shows what was asked for, unless the extension says what plays.
                if reply.media?.isPlaying == nil { presentation.media?.isPlaying = method == "mediaPlay" }
                return self.display(presentation)
            }
            .mapError { RPCError($0, bundle: process.bundle, invocation.arguments) }
        }
        return .later
    }

    /// What a presentation shows now, with the remarks that were not told yet.
    func display(_ presentation: Presentation) -> JSON {
        let diagnostics = presentation.drainDiagnostics()
        let told = diagnostics.isEmpty ? [] : [("diagnostics", JSON(diagnostics.map(\.json)))]
        return .object(JSON.Object(presentation.shownMembers + told))
    }
}
