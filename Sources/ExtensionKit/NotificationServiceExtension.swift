internal import Foundation
internal import JSON

/// A service extension, as its author writes it: one object a notification.
///
/// Mirrors Apple's `UNNotificationServiceExtension`: it may change a
/// notification with `mutable-content` 1 before that is shown. Mark the class
/// `@main`.
public protocol NotificationServiceExtension: AnyObject {
    /// Makes the object that changes one notification.
    ///
    /// - Parameter context: What the object may use and tell.
    init(context: ServiceContext)

    /// Takes a notification.
    ///
    /// A handler that is never called costs the process its life when the time
    /// is over, and the original content is shown.
    ///
    /// - Parameters:
    ///   - request: What was received.
    ///   - contentHandler: To be called once, on any thread and also after this method returned, with what is to be
    ///     shown: a changed `request.content.mutableCopy()`.
    /// - Throws: An ``ExtensionError`` refuses to change it: the original is shown, with the error as a diagnostic.
    func didReceive(
        _ request: NotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) throws

    /// Is called when the time is nearly over and the content handler was not called: the last chance to do that.
    func serviceExtensionTimeWillExpire()
}

extension NotificationServiceExtension {
    /// Leaves it at what comes by itself.
    public func serviceExtensionTimeWillExpire() {}
}

/// What a service extension may use, and what it may tell beside the content; from any thread.
public final class ServiceContext: @unchecked Sendable {
    /// The folder for files that are attached, which are removed with the notification.
    ///
    /// `nil` where the host was started without `--fetch-attachments`: then nothing may be fetched.
    public let attachmentsFolder: String?
    /// The locale of notifications that name none.
    public let locale: String

    // Guarded by the lock.
    private var remarks: [JSON] = []
    private let lock = NSLock()

    init(attachmentsFolder: String?, locale: String) {
        self.attachmentsFolder = attachmentsFolder
        self.locale = locale
    }

    /// Adds a diagnostic to the reply that the sender of the notification gets.
    ///
    /// - Parameters:
    ///   - reason: A stable word for programs.
    ///   - message: One sentence for people.
    public func remark(reason: String, _ message: String) {
        let remark: JSON = ["reason": .string(reason), "message": .string(message)]
        lock.withLock { remarks.append(remark) }
    }

    /// The diagnostics so far, as a member of the result.
    var members: [(String, JSON)] {
        let remarks = lock.withLock { self.remarks }
        return remarks.isEmpty ? [] : [("diagnostics", JSON(remarks))]
    }
}
