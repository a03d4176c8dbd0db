/// Objective-C's names of Swift's methods, as the compiler makes them on a phone.
enum ObjectiveCName {
    /// The name of a method: `tap:` of `tap(_:)`, `move:to:` of `move(_:to:)`, `tapWithSender:` of `tap(sender:)`.
    ///
    /// - Parameters:
    ///   - base: The name before the parentheses.
    ///   - labels: The labels of the arguments; `_` stands for none.
    /// - Returns: The name, with a colon for each argument.
    static func selector(_ base: String, _ labels: [String]) -> String {
        guard let first = labels.first else { return base }
        var name = base
        if first != "_" {
            let joins = prepositions.contains(words(first).first ?? "") || prepositions.contains(words(base).last ?? "")
            name += (joins ? "" : "With") + capitalized(first)
        }
        return "\(name):" + labels.dropFirst().map { $0 == "_" ? ":" : "\($0):" }.joined()
    }

    /// The name of the method that sets a property: `setTitle:` of `title`.
    static func setter(_ property: String) -> String { "set\(capitalized(property)):" }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The words of a name in camel case, in lower case.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }

    /// The words that join a name and its first label without `With`.
    private static let prepositions: Set = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given", "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to",
        "until", "using", "via", "when", "with", "within",
    ]

    /// The names of methods of UIKit and Foundation that `#selector` may name without their labels.
    static let known = [
        "endEditing": "endEditing:", "invalidate": "invalidate",
        "present": "presentViewController:animated:completion:",
        "dismiss": "dismissViewControllerAnimated:completion:", "setNeedsDisplay": "setNeedsDisplay",
        "viewWillAppear": "viewWillAppear:", "viewDidAppear": "viewDidAppear:",
        "viewWillDisappear": "viewWillDisappear:", "viewDidDisappear": "viewDidDisappear:",
        "removeFromSuperview": "removeFromSuperview",
    ]
}
