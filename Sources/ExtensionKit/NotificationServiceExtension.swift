internal import JSON
internal import Platform
internal import Synchronization

/// A service extension; the host creates one object for each notification.
///
/// Mirrors Apple's `UNNotificationServiceExtension`: it may change a
/// notification with `mutable-content` 1 before it is shown. Mark the class
/// `@main`.
public protocol NotificationServiceExtension: AnyObject {
    /// Creates the object that changes one notification.
    ///
    /// - Parameter context: The object's interface to the host.
    init(context: ServiceContext)

    /// Handles a notification.
    ///
    /// If the content handler is not called in time, the host ends the process
    /// and shows the original content.
    ///
    /// - Parameters:
    ///   - request: The notification.
    ///   - contentHandler: Call it once with the content to show: a changed `request.content.mutableCopy()`. It may be
    ///     called on any thread, and after this method has returned.
    /// - Throws: An ``ExtensionError`` if the content cannot be changed: the original is shown, with a diagnostic.
    func didReceive(
        _ request: NotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) throws

    /// Called shortly before the deadline if the content handler was not called yet: the last chance to call it.
    func serviceExtensionTimeWillExpire()
}

extension NotificationServiceExtension {
    /// Does nothing.
    public func serviceExtensionTimeWillExpire() {}
}

/// The interface of a service extension to the host; any thread may use it.
public final class ServiceContext: Sendable {
    /// The folder for attached files, which are removed with the notification.
    ///
    /// `nil` if the host was started without `--fetch-attachments`: then nothing may be fetched.
    public let attachmentsFolder: String?
    /// The locale of notifications that name none.
    public let locale: String

    private let diagnostics = Mutex<[JSON]>([])

    init(attachmentsFolder: String?, locale: String) {
        self.attachmentsFolder = attachmentsFolder
        self.locale = locale
    }

    /// Adds a diagnostic to the reply that the sender of the notification gets.
    ///
    /// - Parameters:
    ///   - reason: A stable word for programs.
    ///   - message: One sentence for people.
    public func addDiagnostic(reason: String, _ message: String) {
        let diagnostic: JSON = ["reason": .string(reason), "message": .string(message)]
        diagnostics.withLock { $0.append(diagnostic) }
    }

    /// The diagnostics so far, as a member of the result.
    var members: MemberList {
        ["diagnostics": JSON(nonEmpty: diagnostics.withLock { $0 })]
    }
}
