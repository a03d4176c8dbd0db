import Foundation
import TestSupport
import Testing

@testable import NotificationHTML

/// The page about pictures has the measures with which they are drawn.
@Suite struct MeasuresTests {
    /// The cells of each row of the table that follows a heading.
    private static func rows(below heading: String) throws -> [[String]] {
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/pictures.md", encoding: .utf8)
        let section = page.components(separatedBy: "\n## \(heading)\n").last ?? ""
        return section.components(separatedBy: "\n").drop { !$0.hasPrefix("|---") }.dropFirst()
            .prefix { $0.hasPrefix("|") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("Each number of the table of measures is the one that is drawn")
    func measures() throws {
        var drawn = [
            "space between the notification and the side of the screen": Metrics.screenMargin,
            "corner radius of the notification": Metrics.cornerRadius,
            "space inside a banner": Metrics.bannerPadding,
            "icon in a banner": Metrics.bannerIcon,
            "icon in the bar of the expanded notification": Metrics.barIcon,
            "height of the bar": Metrics.barHeight,
            "space at the sides of a view": Metrics.padding,
            "height of an action, a button and a field":
                Double(TextSize.large.lineHeight(.body)) + 2 * Metrics.controlPadding,
            "line between two actions": Metrics.separator,
        ]
        for device in Device.allCases {
            let name = device == HTMLRenderer.Settings().device ? ", the default" : ""
            drawn["screen of `\(device.rawValue)`\(name)"] = device.screenWidth
        }
        let numbers = try Self.rows(below: "Measures").compactMap { row in Double(row[1]).map { (row[0], $0) } }
        #expect(Dictionary(numbers) { $1 } == drawn)
    }

    @Test("Each size and line height of the table of text sizes is the one that is drawn")
    func textSizes() throws {
        let drawn = TextSize.allCases.map { size in
            ["`\(size.rawValue)`"]
                + TextSize.Style.allCases.map { "\(size.points($0))/\(size.lineHeight($0))" }
        }
        #expect(try Self.rows(below: "Text sizes") == drawn)
    }
}
