internal import Foundation
package import PhoneDiagnostics
internal import PhoneProject

/// Looks for what most often goes wrong on a phone although the project builds.
package struct Checkup {
    /// The mistakes, in the order of the targets; none twice.
    package private(set) var findings: [Finding] = []
    /// The names of the notification extensions that were looked at.
    package private(set) var targets: [String] = []

    /// Checks the projects that a path stands for.
    ///
    /// - Parameter path: An `.xcodeproj`, an `.xcworkspace` or a folder with one.
    /// - Throws: A diagnostic if there is no project or no notification extension.
    package init(_ path: String) throws(Diagnostic) {
        let surveys = try ProjectSurvey.surveys(path)
        for survey in surveys { add(survey) }
        guard targets.isEmpty, findings.isEmpty else { return }
        throw Diagnostic(.error, path, "there is no notification extension: name the project that has one")
    }

    private mutating func add(_ survey: ProjectSurvey) {
        let known = targets.count
        var found: [Finding] = []
        for build in survey.builds {
            let checks = ProjectChecks(survey, build)
            for name in checks.extensionNames where !targets.contains(name) { targets.append(name) }
            // A mistake of several configurations is one mistake, told as the first of them has it.
            let earlier = found
            found += checks.findings.filter { finding in !earlier.contains { Self.isSame($0, finding) } }
        }
        let hasExtensions = targets.count > known || !found.isEmpty
        for failure in survey.failures where hasExtensions || targets.isEmpty {
            found.append(
                Finding(
                    level: .error,
                    reason: .unreadable,
                    target: nil,
                    path: failure.path,
                    line: failure.line,
                    message: failure.message,
                    advice: "Correct the build setting that names this file, or restore the file"
                )
            )
        }
        findings += found
    }

    /// Whether two findings are one: at one place, or in the same words.
    private static func isSame(_ one: Finding, _ other: Finding) -> Bool {
        guard one.reason == other.reason, one.target == other.target else { return false }
        return one.message == other.message || (one.path, one.line) == (other.path, other.line)
    }
}

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
