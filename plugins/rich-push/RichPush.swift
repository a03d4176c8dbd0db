import AttachmentRules
import ExtensionKit
import HTTPClient

#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
@_exported import Glibc
#else
@_exported import Foundation
#endif

/// Attaches the file that Braze's rich push names in `ab.att` to the notification.
@main
final class RichPush: NotificationServiceExtension {
    /// The maximum time for a download, regardless of the host's deadline.
    private static let timeLimit = Duration.seconds(25)
    /// Shared by all notifications, so that connections are reused.
    private static let downloader = Result { () throws(HTTPClientError) in try Downloader() }

    private let context: ServiceContext
    private var task: Task<Void, Never>?

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
            task = Self.start(source, for: content, folder, context, contentHandler)
        } catch {
            context.addDiagnostic(reason: error.reason.rawValue, error.message)
            contentHandler(content)
        }
    }

    func serviceExtensionTimeWillExpire() { task?.cancel() }

    private static func start(
        _ source: Source,
        for content: MutableNotificationContent,
        _ folder: String,
        _ context: ServiceContext,
        _ contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) -> Task<Void, Never> {
        Task { contentHandler(await attach(source, to: content, folder, context)) }
    }

    private static func attach(
        _ source: Source,
        to content: MutableNotificationContent,
        _ folder: String,
        _ context: ServiceContext
    ) async -> MutableNotificationContent {
        var content = content
        do throws(Refusal) {
            let file = try await fetch(source, into: folder)
            if let mismatch = mismatch(file, source) { context.addDiagnostic(reason: "contentTypeMismatch", mismatch) }
            let url = URL(filePath: file.path)
            content.attachments = [NotificationAttachment(identifier: "ab.att", url: url, type: file.type.rawValue)]
        } catch {
            context.addDiagnostic(reason: error.reason.rawValue, error.message)
        }
        return content
    }

    private static func fetch(_ source: Source, into folder: String) async throws(Refusal) -> AttachmentFile.Finished {
        switch downloader {
        case .success(let downloader): return try await downloader.fetch(source, into: folder, timeLimit: timeLimit)
        case .failure(let error): throw Refusal(.failed, "\(source.url) was not fetched: \(error)")
        }
    }

    /// A sentence about how the file's type differs from the type in the payload or of the server; `nil` if it does not.
    private static func mismatch(_ file: AttachmentFile.Finished, _ source: Source) -> String? {
        var others: [String] = []
        if file.type != source.type { others.append("the payload says \(source.type.rawValue)") }
        if let mediaType = file.mediaType, !file.type.isPlausible(mediaType) {
            others.append("its server says \(mediaType)")
        }
        guard !others.isEmpty else { return nil }
        return "\(source.url) is attached as \(file.type.rawValue), which its bytes are, but "
            + others.joined(separator: " and ")
    }
}
