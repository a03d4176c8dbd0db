import Testing

@testable import Localization

/// Which texts are names of locales.
struct LanguageTagTests {
    @Test(
        "Language tags and the operating system's names of locales are valid",
        arguments: [
            "de", "DE", "yue", "pt-BR", "pt_BR", "es-419", "zh-Hant-TW", "zh-yue-HK", "sl-rozaj-biske", "de-CH-1996",
            "ar-u-nu-latn", "en-x-mine", "xx_YY.UTF-8", "de_DE@euro", "C", "C.UTF-8", "POSIX",
        ]
    )
    func valid(name: String) { #expect(LanguageTag.isValid(name)) }

    @Test(
        "Names of languages, and tags with too many parts or with other characters are not valid",
        arguments: [
            "", "german", "Deutsch", "d", "xx_YY_ZZ", "en-GB-oed", "de--AT", "de-", "-de", "../zz", "de AT", "dé",
            "en-u", "en-x", "en-u-a", "en-abcdefghi", "123",
        ]
    )
    func invalid(name: String) { #expect(!LanguageTag.isValid(name)) }
}
