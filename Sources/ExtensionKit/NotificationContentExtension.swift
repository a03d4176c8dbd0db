internal import JSON

/// A content extension; the host creates one object for each presentation.
///
/// Mirrors Apple's `UNNotificationContentExtension`, so that code moves between
/// a phone and here with few edits. Mark the class `@main`.
public protocol NotificationContentExtension: AnyObject {
    /// The minimum version of the contract that the extension needs; an older host refuses the extension.
    ///
    /// `1.0` unless the class says otherwise. ``View/row(_:id:)``, ``View/carousel(_:id:page:)``, and the style,
    /// alignment and alternative text of nodes came with `1.1`.
    static var contractVersion: String { get }

    /// Creates the object that shows one notification, and later ones of its thread.
    ///
    /// - Parameter context: The object's interface to the host.
    init(context: ExtensionContext)

    /// Handles a notification; called again for later notifications of the same thread.
    ///
    /// - Parameter notification: What was received.
    /// - Throws: An ``ExtensionError`` to refuse the notification, which is then not shown.
    func didReceive(_ notification: Notification) throws
}

extension NotificationContentExtension {
    /// The default: `1.0`.
    public static var contractVersion: String { ExtensionMethod.contractVersion }
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

/// A content extension that plays media with the system's media button.
///
/// The button is shown once ``ExtensionContext/media`` is set.
public protocol MediaHandler: NotificationContentExtension {
    /// Starts playback after a press of the media button.
    func mediaPlay() throws

    /// Pauses playback after a press of the media button.
    func mediaPause() throws
}

/// What happens to a notification after a response.
public enum NotificationContentExtensionResponseOption: String, Sendable {
    /// The notification stays.
    case doNotDismiss
    /// The notification is dismissed.
    case dismiss
    /// The notification is dismissed, and the app is opened with the action.
    case dismissAndForwardAction
}

/// The system's button that plays and pauses the media of a view.
///
/// Apple's `mediaPlayPauseButtonType`, `…Frame` and `…TintColor` in one value.
public struct MediaButton: Equatable, Sendable {
    /// The kinds of button.
    public enum Kind: String, Sendable {
        /// No button.
        case none
        /// A button that is always visible.
        case `default`
        /// A button over the media that disappears during playback.
        case overlay
    }

    /// The frame of the button in the view, in points.
    public struct Frame: Equatable, Sendable {
        /// The distance from the left edge.
        public let x: Double
        /// The distance from the top edge.
        public let y: Double
        /// The width.
        public let width: Double
        /// The height.
        public let height: Double

        /// A frame.
        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// The kind.
    public let kind: Kind
    /// The frame, if it is not the system's choice.
    public let frame: Frame?
    /// The tint colour, such as `#ff0000`.
    public let tintColor: String?

    /// A button.
    public init(_ kind: Kind, frame: Frame? = nil, tintColor: String? = nil) {
        self.kind = kind
        self.frame = frame
        self.tintColor = tintColor
    }

    var json: JSON {
        JSON(present: [
            "button": .string(kind.rawValue),
            "frame": frame.map {
                ["x": .real($0.x), "y": .real($0.y), "width": .real($0.width), "height": .real($0.height)]
            },
            "tintColor": tintColor.map(JSON.string),
        ])
    }
}
