import ExtensionKit
import Foundation

/// Shows the file that Braze's rich push names, in `ab.att`, as an attachment of the notification.
@main
final class RichPush: NotificationServiceExtension {
    /// The longest time for a download in seconds, wherever the host's deadline lies.
    private static let timeLimit = 25.0

    private let context: ServiceContext
    private var download: Download?

    init(context: ServiceContext) { self.context = context }

    func didReceive(
        _ request: NotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy()
        do throws(Refusal) {
            guard let source = try Source(content.userInfo) else { return contentHandler(content) }
            guard let folder = context.attachmentsFolder else {
                throw Refusal(.fetchingOff, "\(source.url) was not fetched: start the host with --fetch-attachments")
            }
            let download = Download(source, into: folder) { [context] result in
                contentHandler(Self.attach(result, of: source, to: content, context))
            }
            self.download = download
            download.start(timeLimit: Self.timeLimit)
        } catch {
            context.remark(reason: error.reason.rawValue, error.message)
            contentHandler(content)
        }
    }

    func serviceExtensionTimeWillExpire() { download?.cancel() }

    private static func attach(
        _ result: Result<Download.File, Refusal>,
        of source: Source,
        to content: MutableNotificationContent,
        _ context: ServiceContext
    ) -> MutableNotificationContent {
        var content = content
        switch result {
        case .success(let file):
            let type = source.type
            if let mediaType = file.mediaType, !type.isPlausible(mediaType) {
                let message = "\(source.url) is attached as \(type.rawValue), but its server says \(mediaType)"
                context.remark(reason: "contentTypeMismatch", message)
            }
            let url = URL(filePath: file.path)
            content.attachments = [NotificationAttachment(identifier: "ab.att", url: url, type: type.rawValue)]
        case .failure(let refusal): context.remark(reason: refusal.reason.rawValue, refusal.message)
        }
        return content
    }
}
