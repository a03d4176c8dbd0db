import Foundation
import FoundationNetworking

/// The content of a notification while a service extension of a vendor fetches a file for it.
///
/// The handler is called once: with the attachment, or without it if the file cannot be had or the time is over.
package final class RemoteAttachment: @unchecked Sendable {
    private let content: UNMutableNotificationContent
    private let handler: (UNNotificationContent) -> Void
    private let lock = NSLock()
    private var task: URLSessionTask?
    private var isDelivered = false

    /// Begins to fetch a file.
    ///
    /// - Parameters:
    ///   - url: Where it is; nil if the payload names none, so that the content is delivered at once.
    ///   - type: The extension of its name, if the URL has none.
    ///   - content: What gets the attachment.
    ///   - handler: Gets the content.
    package init(
        _ url: URL?,
        type: String? = nil,
        for content: UNMutableNotificationContent,
        handler: @escaping (UNNotificationContent) -> Void
    ) {
        (self.content, self.handler) = (content, handler)
        guard let url else {
            deliver()
            return
        }
        task = URLSession.shared.downloadTask(with: url) { [self] file, response, _ in
            let answer = (response as? HTTPURLResponse)?.statusCode ?? 200
            let suffix = url.pathExtension.isEmpty ? type ?? "" : url.pathExtension
            if let file, answer == 200 { attach(file, suffix: suffix) }
            deliver()
        }
        task?.resume()
    }

    /// Delivers the content as it is, unless it was delivered.
    package func deliver() {
        let isFirst = lock.withLock {
            defer { isDelivered = true }
            return !isDelivered
        }
        guard isFirst else { return }
        task?.cancel()
        handler(content)
    }

    private func attach(_ file: URL, suffix: String) {
        let named = file.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).\(suffix)")
        try? FileManager.default.moveItem(at: file, to: named)
        let attachment = try? UNNotificationAttachment(identifier: "", url: named)
        content.attachments += attachment.map { [$0] } ?? []
    }
}
