/// The side where reading starts in a language.
enum WritingDirection: String {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    private static let languages: Set<String> = [
        "ar", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "ug", "ur", "yi",
    ]
    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// The direction of a language tag, whose script decides if it has one.
    init(language: String) {
        let parts = language.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
        if let script = parts.dropFirst().first(where: { $0.count == 4 && $0.allSatisfy(\.isLetter) }) {
            self = Self.scripts.contains(script) ? .rightToLeft : .leftToRight
        } else {
            self = Self.languages.contains(parts.first ?? "") ? .rightToLeft : .leftToRight
        }
    }
}
