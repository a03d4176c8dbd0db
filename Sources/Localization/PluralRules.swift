/// A form of a plural, as Unicode's CLDR and Apple's files name it.
enum PluralCategory: String, CaseIterable {
    case zero, one, two, few, many, other
}

/// The plural rules of a language for integers, after Unicode's CLDR 44.
///
/// Foundation on Linux has none. The category `many` that some Romance languages use for millions is left out.
struct PluralRules {
    private typealias Rule = @Sendable (_ number: Int, _ lastTwo: Int, _ last: Int) -> PluralCategory

    private let rule: Rule

    /// The rules of a language.
    ///
    /// - Parameter tag: Its tag, such as `pt-BR`. If the language is unknown, 1 is `one`.
    init(language tag: String) {
        let subtags = tag.lowercased().split { "-_".contains($0) }.map(String.init)
        // The Portuguese of Europe counts like English.
        let name = subtags.starts(with: ["pt", "pt"]) ? "" : subtags.first ?? ""
        let english: Rule = { n, _, _ in n == 1 ? .one : .other }
        rule = Self.families.first { $0.languages.contains(name) }.map(\.rule) ?? english
    }

    /// The numbers below ``LocalizedText/numberLimit`` for which each of some forms is shown, except `other`.
    ///
    /// Apple uses the form `zero` for 0 in every language.
    func numbers(of forms: Set<PluralCategory>) -> [(PluralCategory, [Int])] {
        var numbers: [PluralCategory: [Int]] = [:]
        for number in 0..<LocalizedText.numberLimit {
            let category = number == 0 && forms.contains(.zero) ? .zero : category(of: number)
            numbers[category, default: []].append(number)
        }
        return PluralCategory.allCases.compactMap { category in
            guard category != .other, forms.contains(category) else { return nil }
            return numbers[category].map { (category, $0) }
        }
    }

    /// The category of a number, which is not negative.
    func category(of number: Int) -> PluralCategory { rule(number, number % 100, number % 10) }

    /// The rules that differ from those of English, with their languages.
    private static let families: [(languages: Set<String>, rule: Rule)] = [
        (
            [
                "bo", "dz", "id", "ig", "ii", "ja", "jv", "km", "ko", "lo", "ms", "my", "sah", "ses", "sg", "su", "th",
                "to", "vi", "wo", "yo", "yue", "zh",
            ], { _, _, _ in .other }
        ),
        (
            [
                "ak", "am", "as", "bn", "fa", "ff", "fr", "gu", "hi", "hy", "kab", "kn", "ln", "mg", "nso", "pa", "pcm",
                "pt", "si", "ti", "wa", "zu",
            ], { n, _, _ in n < 2 ? .one : .other }
        ),
        (
            ["be", "ru", "uk"],
            { _, lastTwo, last in
                if last == 1, lastTwo != 11 { return .one }
                return (2...4).contains(last) && !(12...14).contains(lastTwo) ? .few : .many
            }
        ),
        (
            ["bs", "hr", "sh", "sr"],
            { _, lastTwo, last in
                if last == 1, lastTwo != 11 { return .one }
                return (2...4).contains(last) && !(12...14).contains(lastTwo) ? .few : .other
            }
        ),
        (
            ["pl"],
            { n, lastTwo, last in
                if n == 1 { return .one }
                return (2...4).contains(last) && !(12...14).contains(lastTwo) ? .few : .many
            }
        ),
        (["cs", "sk"], { n, _, _ in n == 1 ? .one : (2...4).contains(n) ? .few : .other }),
        (
            ["dsb", "hsb", "sl"],
            { _, lastTwo, _ in lastTwo == 1 ? .one : lastTwo == 2 ? .two : (3...4).contains(lastTwo) ? .few : .other }
        ),
        (
            ["lt"],
            { _, lastTwo, last in
                if last == 0 || (11...19).contains(lastTwo) { return .other }
                return last == 1 ? .one : .few
            }
        ),
        (
            ["lv", "prg"],
            { _, lastTwo, last in
                if last == 0 || (11...19).contains(lastTwo) { return .zero }
                return last == 1 ? .one : .other
            }
        ),
        (
            ["ar", "ars"],
            { n, lastTwo, _ in
                if n < 3 { return [.zero, .one, .two][n] }
                return (3...10).contains(lastTwo) ? .few : lastTwo > 10 ? .many : .other
            }
        ),
        (["he", "iu", "iw", "se"], { n, _, _ in n == 1 ? .one : n == 2 ? .two : .other }),
        (
            ["mo", "ro"],
            { n, lastTwo, _ in n == 1 ? .one : n == 0 || (1...19).contains(lastTwo) ? .few : .other }
        ),
        (
            ["ga"],
            { n, _, _ in
                if n == 1 || n == 2 { return n == 1 ? .one : .two }
                return (3...6).contains(n) ? .few : (7...10).contains(n) ? .many : .other
            }
        ),
        (
            ["gd"],
            { n, _, _ in
                if [1, 11].contains(n) { return .one }
                return [2, 12].contains(n) ? .two : (3...19).contains(n) ? .few : .other
            }
        ),
        (["cy"], { n, _, _ in [0: .zero, 1: .one, 2: .two, 3: .few, 6: .many][n] ?? .other }),
        (
            ["mt"],
            { n, lastTwo, _ in
                if n == 1 || n == 2 { return n == 1 ? .one : .two }
                if n == 0 || (3...10).contains(lastTwo) { return .few }
                return (11...19).contains(lastTwo) ? .many : .other
            }
        ),
        (["is", "mk"], { _, lastTwo, last in last == 1 && lastTwo != 11 ? .one : .other }),
        (["ceb", "fil", "tl"], { _, _, last in [4, 6, 9].contains(last) ? .other : .one }),
    ]
}
