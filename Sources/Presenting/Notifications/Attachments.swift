package import Calls
package import Configuration
package import Logging
package import Notifications
internal import Platform

/// The files that the service extension saved for notifications, in the ``AttachmentFolder`` of this host.
package final class Attachments {
    private let isEnabled: Bool
    private let publisher: Publisher
    private let logger: Logger
    /// The folder of the attachments; nil until an extension needs it.
    private(set) var folder: AttachmentFolder?

    package init(_ configuration: HostConfiguration, _ publisher: Publisher, _ logger: Logger) {
        isEnabled = configuration.fetchesAttachments
        self.publisher = publisher
        self.logger = logger
    }

    /// Creates the folder in which the service extension may save files; nil without `--fetch-attachments`.
    package func openFolder() -> AttachmentFolder? {
        guard isEnabled, folder == nil else { return folder }
        do throws(SystemError) {
            folder = try AttachmentFolder()
        } catch {
            let text = "cannot make a folder for attachments in \(TemporaryFolder.parent): \(error)"
            logger.error("\(text), so the service extension cannot fetch attachments")
        }
        return folder
    }

    /// Removes the files of notifications that are no longer shown.
    package func remove(_ attachments: [AttachedFile]) { folder?.remove(attachments) }

    /// Removes the files that no notification shows or will show.
    ///
    /// To be called when the service extension has answered: it gets one call at a time, and needs its files only during one.
    package func sweep(keeping shown: [AttachedFile]) {
        guard let folder else { return }
        // If a call was cancelled while it waited, its notification will not be shown; if it already ran, it will.
        let calls = publisher.client.map { $0.scheduler.waiting.filter { !$0.isDropped } + $0.scheduler.running } ?? []
        let upcoming = calls.compactMap(\.arrival).flatMap(\.attachments)
        folder.sweep(keeping: upcoming + shown)
    }

    /// Removes every file and the folder.
    package func removeFolder() { folder?.removeFolder() }
}
