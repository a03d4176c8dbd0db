internal import JSON

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
