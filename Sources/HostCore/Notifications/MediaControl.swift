internal import Contract
internal import JSON

/// The system's button that plays and pauses the media of a view.
struct MediaControl: Equatable {
    /// The kinds of button, as Apple's `UNNotificationContentExtensionMediaPlayPauseButtonType` has them.
    static let buttons = ["none", "default", "overlay"]

    /// What an extension gave.
    struct Change {
        fileprivate let button: String
        fileprivate let appearance: [(String, JSON)]
        /// Whether it plays, if the extension said so.
        let isPlaying: Bool?

        /// Judges it.
        init(_ value: JSON) throws(ReplyError) {
            guard value.object != nil else { throw ReplyError("media must be an object") }
            guard let button = value["button"]?.string, MediaControl.buttons.contains(button) else {
                throw ReplyError("the button of media must be one of \(MediaControl.buttons.joined(separator: ", "))")
            }
            self.button = button
            var appearance: [(String, JSON)] = []
            if let frame = value["frame"] {
                guard ["x", "y", "width", "height"].allSatisfy({ frame[$0]?.number != nil }) else {
                    throw ReplyError("the frame of media needs the numbers x, y, width and height")
                }
                appearance.append(("frame", frame))
            }
            if let color = value["tintColor"] {
                guard color.string != nil else { throw ReplyError("the tintColor of media must be a string") }
                appearance.append(("tintColor", color))
            }
            self.appearance = appearance
            switch value["playing"] {
            case nil: isPlaying = nil
            case .bool(let isPlaying): self.isPlaying = isPlaying
            default: throw ReplyError("playing of media must be a boolean")
            }
        }
    }

    /// One of ``buttons``.
    let button: String
    /// Where the button stands and its colour; for whoever draws it.
    private let appearance: [(String, JSON)]
    var isPlaying: Bool

    /// The button after a change; what plays stays as it was if the change does not say.
    init(_ change: Change, wasPlaying: Bool) {
        button = change.button
        appearance = change.appearance
        isPlaying = change.isPlaying ?? wasPlaying
    }

    var json: JSON {
        .object(JSON.Object([("button", .string(button))] + appearance + [("playing", .bool(isPlaying))]))
    }

    static func == (left: MediaControl, right: MediaControl) -> Bool { left.json == right.json }
}
