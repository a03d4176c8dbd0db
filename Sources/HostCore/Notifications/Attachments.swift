internal import Logging
internal import Notifications

/// The files that the service extension left for the notifications that show them.
final class Attachments {
    private let isEnabled: Bool
    private let presentations: Presentations
    private let publisher: Publisher
    private let logger: Logger
    /// The folder, once an extension needed one.
    private(set) var folder: AttachmentFolder?

    init(_ configuration: HostConfiguration, _ presentations: Presentations, _ publisher: Publisher, _ logger: Logger) {
        isEnabled = configuration.fetchesAttachments
        self.presentations = presentations
        self.publisher = publisher
        self.logger = logger
    }

    /// The folder in which the service extension may leave files; nil without `--fetch-attachments`.
    func openFolder() -> AttachmentFolder? {
        guard isEnabled, folder == nil else { return folder }
        do throws(AttachmentError) {
            folder = try AttachmentFolder()
        } catch {
            logger.error("\(error.text), so the service extension may not fetch any")
        }
        return folder
    }

    /// Removes the files of notifications that are no longer shown.
    func remove(_ attachments: [NotificationAttachment]) { folder?.remove(attachments) }

    /// Removes what a service extension left that no notification shows, or will show.
    ///
    /// To be called when it is done with a call, while it works on no other one.
    func sweep() {
        guard let folder else { return }
        // A cancelled call is shown only if it was begun before.
        let coming = publisher.clients.flatMap { $0.calls.waiting.filter { !$0.isDropped } + $0.calls.running }
            .compactMap { ($0 as? Invocation)?.reception?.arrival }.flatMap(\.content.attachments)
        folder.removeAll(except: coming + presentations.visible.flatMap(\.attachments))
    }

    /// Removes every file and the folder.
    func removeFolder() { folder?.removeFolder() }
}
