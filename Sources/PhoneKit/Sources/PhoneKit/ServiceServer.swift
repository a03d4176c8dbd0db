import Foundation
import JSON
import JSONRPC
import PhoneRuntime
import UserNotifications

/// A service extension's process: makes an object for each notification.
@MainActor
final class ServiceServer {
    private let make: @MainActor () -> UNNotificationServiceExtension
    private let calls = CallQueue()
    private var pending: [String: (service: UNNotificationServiceExtension, done: (JSON) -> Void)] = [:]
    private var attachmentsFolder: URL?
    private var link: HostLink?

    init(_ make: @escaping @MainActor () -> UNNotificationServiceExtension) {
        self.make = make
        let parameters = ["version", "bundle", "locale", "clock?", "seed?", "suites", "attachments?", "texts?"]
        calls.add("activate", parameters) { [unowned self] arguments, done in
            let folder = try arguments.optionalString("attachments")
            attachmentsFolder = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
            if folder == nil { OfflineProtocol.install() }
            done(.success(try Activation.apply(arguments)))
        }
        calls.add("didReceive", ["notification", "request", "texts?"]) { [unowned self] in try didReceive($0, $1) }
        calls.add("serviceExtensionTimeWillExpire", ["notification"]) { [unowned self] arguments, done in
            pending[try arguments.string("notification")]?.service.serviceExtensionTimeWillExpire()
            done(.success([:]))
        }
        calls.add("deactivate", []) { _, done in done(.success([:])) }
    }

    func start(_ link: HostLink) {
        self.link = link
        HostLink.current = link
        link.start { [unowned self] in
            calls.take($0)
        } onEnd: {
            exit(0)
        }
    }

    private func didReceive(
        _ arguments: Arguments,
        _ done: @escaping @MainActor (Result<JSON, RPCError>) -> Void
    ) throws {
        let notification = try arguments.string("notification")
        LocalizedTexts.set(arguments["texts"] ?? Activation.texts)
        let request = UNNotificationRequest(.object(try arguments.object("request")), notification: notification)
        let service = make()
        pending[notification] = (service, { done(.success($0)) })
        // A service may be called for another notification, or told that time is over, before it answers.
        calls.release()
        service.didReceive(request) { [weak self] content in
            let box = UncheckedBox(content)
            DispatchQueue.main.async { self?.deliver(notification, box.value) }
        }
    }

    /// Answers with the content that the content handler received; only its first call counts.
    private func deliver(_ notification: String, _ content: UNNotificationContent) {
        guard let (_, done) = pending.removeValue(forKey: notification) else {
            let message = "the content handler for \(notification) was called after the reply; the call has no effect"
            link?.log("warning", message)
            return
        }
        let content = storing(content)
        let diagnostics = CurrentPresentation.takeDiagnostics(of: notification)
        done(
            JSON(members: [
                ("content", content.changes), ("diagnostics", diagnostics.isEmpty ? nil : JSON(diagnostics)),
            ])
        )
    }

    /// The content with its attached files in the folder of the host, as a phone moves them to its own.
    private func storing(_ content: UNNotificationContent) -> UNNotificationContent {
        guard let folder = attachmentsFolder, let copy = content.mutableCopy() as? UNMutableNotificationContent else {
            return content
        }
        copy.attachments = content.attachments.map { attachment in
            guard attachment.url.deletingLastPathComponent().standardizedFileURL.path != folder.standardizedFileURL.path
            else { return attachment }
            let suffix = attachment.wire["type"]?.string ?? attachment.url.pathExtension
            let target = folder.appendingPathComponent("\(UUID().uuidString).\(suffix)")
            do {
                try FileManager.default.copyItem(at: attachment.url, to: target)
                return attachment.moved(to: target)
            } catch {
                CurrentPresentation.addDiagnostic(reason: "attachmentNotStored", "\(attachment.url.path): \(error)")
                return attachment
            }
        }
        return copy
    }
}
