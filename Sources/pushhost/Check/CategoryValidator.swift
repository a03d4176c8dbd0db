internal import Foundation
internal import HostCore
internal import Spelling

/// Validates the names of categories.
struct CategoryValidator {
    /// The categories of Braze's SDK; the one of Push Story had another name before version 3.13.0.
    private static let builtIn = [
        "ab_cat_accept_decline", "ab_cat_confirm_cancel", "ab_cat_more", "ab_cat_push_story_v2", "ab_cat_yes_no",
    ]
    private static let formerPushStory = "ab_cat_push_story"
    private static let prefix = "ab_cat_"

    let categories: [String]

    func validate(_ report: CheckReport) {
        for (index, category) in categories.enumerated() {
            if categories[..<index].contains(category) {
                report.addFinding(.warning, "Info.plist", "the category \(category) is listed twice")
            } else if let (severity, text) = finding(about: category) {
                report.addFinding(severity, "Info.plist", text)
            }
        }
    }

    private func finding(about category: String) -> (CheckReport.Severity, String)? {
        let quoted = category.debugDescription
        if category != category.trimmingCharacters(in: .whitespacesAndNewlines) {
            return (
                .error,
                "the category \(quoted) has white space at its beginning or end; remove it, because payloads name categories exactly"
            )
        }
        guard !Self.builtIn.contains(category) else { return nil }
        if category == Self.formerPushStory {
            return (
                .warning, "\(category) was Push Story's category before 3.13.0 of Braze's SDK; now it is \(category)_v2"
            )
        }
        let letters = { (name: String) in name.lowercased().filter { $0.isLetter || $0.isNumber } }
        let twin = Self.builtIn.first { letters($0) == letters(category) }
        let own = category.lowercased().hasPrefix(Self.prefix) ? String(category.dropFirst(Self.prefix.count)) : nil
        let near = own.flatMap { own in
            EditDistance.nearest(own, in: Self.builtIn.map { String($0.dropFirst(Self.prefix.count)) })
        }
        if let correction = twin ?? near.map({ Self.prefix + $0 }) {
            return (
                .error,
                "the category \(quoted) resembles Braze's \(correction), but categories are compared exactly"
            )
        }
        guard own != nil else { return nil }
        return (.warning, "the category \(quoted) begins like Braze's own; choose another name")
    }
}
