internal import Contract
package import JSON
internal import JSONRPC

/// The system's button that plays and pauses the media of a view.
package struct MediaControl: Equatable {
    /// The kinds of button: Apple's `UNNotificationContentExtensionMediaPlayPauseButtonType`.
    package enum Button: String, CaseIterable, Sendable {
        /// No button.
        case none
        /// A button that stays visible.
        case `default`
        /// A button over the media, which disappears while they play.
        case overlay
    }

    /// What an extension's reply says about the button.
    package struct Change {
        fileprivate let button: Button
        fileprivate let appearance: MemberList
        /// Whether the media play; nil if the reply does not say.
        package let isPlaying: Bool?

        init<Failure>(_ members: MemberReader<Failure>) throws(Failure) {
            button = try members.required("button", .choice)
            appearance = [
                "frame": try members.optional("frame", Self.frame),
                "tintColor": try members.optional("tintColor", .string).map(JSON.string),
            ]
            isPlaying = try members.optional("playing", .bool)
        }

        private static let frame = ExpectedValue<JSON>.any(
            "an object with the numbers x, y, width and height",
            of: "object"
        ) {
            value in
            ["x", "y", "width", "height"].allSatisfy { value[$0]?.number != nil }
        }
    }

    package let button: Button
    /// The position and the colour of the button, for clients that draw it.
    private let appearance: MemberList
    package var isPlaying: Bool

    /// The button after a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - wasPlaying: Whether the media played before; used if the change does not set it.
    init(_ change: Change, wasPlaying: Bool) {
        button = change.button
        appearance = change.appearance
        isPlaying = change.isPlaying ?? wasPlaying
    }

    package var json: JSON {
        JSON(present: ["button": .string(button.rawValue)] + appearance + ["playing": .bool(isPlaying)])
    }

    package static func == (left: MediaControl, right: MediaControl) -> Bool { left.json == right.json }
}
