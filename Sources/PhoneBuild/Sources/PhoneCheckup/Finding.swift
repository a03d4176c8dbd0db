/// A mistake that shows only on the phone, with the setting that corrects it.
package struct Finding: Encodable, Equatable, Sendable {
    /// How bad it is: an error keeps the extension from running, a warning from working well.
    package enum Level: String, Encodable, Sendable {
        case error, warning
    }

    /// What kind of mistake it is.
    package enum Reason: String, Encodable, CaseIterable, Sendable {
        case appGroup, blankInKey, bundleIdentifier, category, completionHandler, deploymentTarget, extensionPoint
        case groupInCode, interaction, misplacedKey, mutableContent, notEmbedded, principalClass, privacyManifest
        case storyboard, textForBoolean, unreadable, version
    }

    /// The severity.
    package let level: Level
    /// The kind.
    package let reason: Reason
    /// The target that has the mistake; nil for one of the whole project.
    package let target: String?
    /// The file.
    package let path: String
    /// The line, from 1 on; 0 if the whole file is meant.
    package let line: Int
    /// What is wrong, in one plain sentence without a period.
    package let message: String
    /// The setting to change, in one plain sentence without a period.
    package let advice: String

    /// The finding as two lines for people, the first in the form of a compiler's message.
    package var text: String {
        "\(line == 0 ? path : "\(path):\(line)"): \(level.rawValue): \(message)\n    \(advice)"
    }
}
