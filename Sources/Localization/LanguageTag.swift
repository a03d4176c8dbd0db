/// What a locale is: a language tag (RFC 5646), or the name of a locale of the operating system.
package enum LanguageTag {
    /// What a name that is not valid should be, as the end of a sentence.
    package static let rule = "a language tag such as de or pt-BR"

    /// Whether a text is the name of a locale, such as `de`, `zh-Hant-TW`, `de_AT.UTF-8` or `C`.
    ///
    /// Only the form is checked, except that a language has two or three letters, because no longer one is registered.
    package static func isValid(_ name: String) -> Bool {
        let base = name.prefix { $0 != "." && $0 != "@" }.lowercased()
        if ["c", "posix"].contains(base) { return true }
        var subtags = base.replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false)[...]
        guard subtags.allSatisfy(isSubtag), let language = subtags.popFirst(), isLetters(language, 2...3) else {
            return false
        }
        func skip(atMost limit: Int = .max, _ isPart: (Substring) -> Bool) {
            for _ in 0..<limit {
                guard let next = subtags.first, isPart(next) else { return }
                subtags.removeFirst()
            }
        }
        // Extended languages, script, region, variants.
        skip(atMost: 3) { isLetters($0, 3...3) }
        skip(atMost: 1) { isLetters($0, 4...4) }
        skip(atMost: 1) { isLetters($0, 2...2) || $0.count == 3 && $0.allSatisfy(\.isNumber) }
        skip { $0.count >= 5 || $0.count == 4 && $0.first?.isNumber == true }
        // Extensions: a character and longer subtags. After x any subtags follow.
        while let singleton = subtags.popFirst() {
            guard singleton.count == 1, let next = subtags.first else { return false }
            if singleton == "x" { return true }
            guard next.count > 1 else { return false }
            skip { $0.count > 1 }
        }
        return true
    }

    private static func isSubtag(_ text: Substring) -> Bool {
        (1...8).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func isLetters(_ text: Substring, _ count: ClosedRange<Int>) -> Bool {
        count.contains(text.count) && text.allSatisfy(\.isLetter)
    }
}
