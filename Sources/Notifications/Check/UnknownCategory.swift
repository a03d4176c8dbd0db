internal import Spelling

/// A category that no extension registered, with names that may have been meant.
package struct UnknownCategory {
    private let category: String
    private let known: [String]
    private let problem: String?
    private let folders: String
    /// The registered categories that may have been meant; sorted.
    let near: [String]

    /// - Parameters:
    ///   - category: The category; empty if the payload names none.
    ///   - known: The categories that extensions registered.
    ///   - problem: Why a bundle's category may be missing; nil if no bundle has such a problem.
    ///   - folders: Where extensions were looked for, for people.
    package init(_ category: String, known: [String], problem: String?, folders: String) {
        self.category = category
        self.known = Set(known).sorted()
        self.problem = problem
        self.folders = folders
        near = self.known.filter { EditDistance.isNear($0, category) }
    }

    /// Why the system shows the notification itself, and what was perhaps meant.
    package var text: String {
        guard !category.isEmpty else { return message }
        return message + "; " + advice + (problem.map { "; note \($0)" } ?? "")
    }

    /// Why the system shows the notification itself.
    var message: String {
        category.isEmpty
            ? "the payload names no category, so no extension shows it"
            : "no extension registered the category \(category)"
    }

    /// What was perhaps meant.
    var advice: String {
        if !near.isEmpty { return "did you mean \(near.joined(separator: " or "))?" }
        return known.isEmpty ? "there are no extensions in \(folders)" : "there are \(known.joined(separator: ", "))"
    }
}
