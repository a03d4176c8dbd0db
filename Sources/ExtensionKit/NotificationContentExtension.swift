internal import JSON

/// A content extension; the host creates one object for each presentation.
///
/// Mirrors Apple's `UNNotificationContentExtension`, so that code moves between
/// a phone and here with few edits. Mark the class `@main`.
public protocol NotificationContentExtension: AnyObject {
    /// The minimum version of the contract that the extension needs; an older host refuses the extension.
    ///
    /// `1.0` unless the class says otherwise. ``View/row(_:id:background:)``, ``View/carousel(_:id:page:background:)``,
    /// and the style, alignment and alternative text of nodes came with `1.1`. `View.media` and `View.map` came with `1.2`,
    /// as did colours and bold texts, but an older host passes these on, and shows the nodes without them.
    static var contractVersion: String { get }

    /// How long to wait for a response's completion after the handler returned; 5 s unless the class says otherwise.
    static var completionLimit: Duration { get }

    /// Creates the object that shows one notification, and later ones of its thread.
    ///
    /// - Parameter context: The object's interface to the host.
    init(context: ExtensionContext)

    /// Handles a notification; called again for later notifications of the same thread.
    ///
    /// - Parameter notification: What was received.
    /// - Throws: An ``ExtensionError`` to refuse the notification, which is then not shown.
    func didReceive(_ notification: DeliveredNotification) throws
}

extension NotificationContentExtension {
    /// The default: `1.0`.
    public static var contractVersion: String { HostConnection.contractVersion }
    /// The default: 5 s.
    public static var completionLimit: Duration { .seconds(5) }
}

/// A content extension that handles the buttons of its notifications itself.
///
/// If an extension does not conform to this protocol, every button opens the app.
public protocol NotificationResponseHandler: NotificationContentExtension {
    /// Handles the press of a button.
    ///
    /// - Parameters:
    ///   - response: The button, and the text if the button has a text input.
    ///   - completion: Call it exactly once, on any thread, with what happens to the notification.
    /// - Throws: An ``ExtensionError`` to refuse the response; the notification stays.
    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws
}

/// A content extension whose view handles touches.
///
/// Its `Info.plist` must set `UNNotificationExtensionUserInteractionEnabled`.
public protocol InteractionHandler: NotificationContentExtension {
    /// Handles a touch of an element of the view.
    ///
    /// - Parameter interaction: The element, and the value if it takes one.
    /// - Throws: An ``ExtensionError`` to refuse the touch; the view stays as it was.
    func interact(_ interaction: Interaction) throws
}

/// A content extension that is told when its notification is no longer shown.
public protocol DismissalHandler: NotificationContentExtension {
    /// Handles the end of the presentation, for any reason; calls that name it are refused from now on.
    func didDismiss()
}

/// A content extension that plays media with the system's media button.
///
/// The button is shown once ``ExtensionContext/media`` is set.
public protocol MediaHandler: NotificationContentExtension {
    /// Starts playback after a press of the media button.
    func mediaPlay() throws

    /// Pauses playback after a press of the media button.
    func mediaPause() throws
}
