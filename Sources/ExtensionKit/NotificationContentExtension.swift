/// A content extension, as its author writes it: one object a presentation.
///
/// Mirrors Apple's `UNNotificationContentExtension`, so that code moves between
/// a phone and here with few edits. Mark the class `@main`.
public protocol NotificationContentExtension: AnyObject {
    /// The least version of the contract that the extension needs; a host that is older refuses it.
    ///
    /// `1.0` unless the class says otherwise. ``View/row(id:_:)``, ``View/carousel(id:page:_:)``, and the style,
    /// alignment and alternative text of nodes came with `1.1`.
    static var contractVersion: String { get }

    /// Makes the object that shows one notification, and later ones of its thread.
    ///
    /// - Parameter context: What the object shows and saves through.
    init(context: ExtensionContext)

    /// Takes a notification; called again for a later one of the same thread.
    ///
    /// - Parameter notification: What was received.
    /// - Throws: An ``ExtensionError`` refuses the notification: it is not shown.
    func didReceive(_ notification: Notification) throws
}

extension NotificationContentExtension {
    /// `1.0`: what an extension needs that does not say otherwise.
    public static var contractVersion: String { ExtensionMethod.contractVersion }
}

/// A content extension that handles the buttons of its notifications itself.
///
/// Without it every button goes to the app.
public protocol NotificationResponseHandler: NotificationContentExtension {
    /// Takes a press of a button.
    ///
    /// - Parameters:
    ///   - response: Which button, and the text where it takes one.
    ///   - completion: To be called exactly once, on any thread, with what becomes of the notification.
    /// - Throws: An ``ExtensionError`` refuses the press; the notification stays.
    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws
}

/// A content extension whose view people may touch.
///
/// Its `Info.plist` must set `UNNotificationExtensionUserInteractionEnabled`.
public protocol InteractionHandler: NotificationContentExtension {
    /// Takes a touch of an element of the view.
    ///
    /// - Parameter interaction: Which element, and the value where it has one.
    /// - Throws: An ``ExtensionError`` refuses the touch; the view stays as it was.
    func interact(_ interaction: Interaction) throws
}

/// A content extension whose view plays media, with the system's button for it.
///
/// The button is there once ``ExtensionContext/media`` is set.
public protocol MediaHandler: NotificationContentExtension {
    /// Plays: the button was pressed.
    func mediaPlay() throws

    /// Pauses: the button was pressed.
    func mediaPause() throws
}

/// What becomes of a notification after a response.
public enum NotificationContentExtensionResponseOption: String, Sendable {
    /// It stays.
    case doNotDismiss
    /// It goes.
    case dismiss
    /// It goes, and the app is opened with the action.
    case dismissAndForwardAction
}
