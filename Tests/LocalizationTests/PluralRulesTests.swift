import Testing

@testable import Localization

/// The plural rules, against the examples of Unicode's CLDR.
@Suite struct PluralRulesTests {
    @Test(
        "Each number has the category that CLDR gives it",
        arguments: [
            ("en", "0 other, 1 one, 2 other, 21 other, 101 other"), ("de-AT", "0 other, 1 one, 100 other"),
            ("fr", "0 one, 1 one, 2 other, 100 other"), ("pt-BR", "0 one, 1 one, 2 other"), ("pt_PT", "0 other, 1 one"),
            ("ja", "0 other, 1 other, 5 other"), ("zh-Hant-TW", "1 other"), ("ko", "1 other"), ("vi", "1 other"),
            ("ru", "0 many, 1 one, 2 few, 4 few, 5 many, 11 many, 12 many, 21 one, 22 few, 25 many, 101 one, 111 many"),
            ("uk", "1 one, 3 few, 14 many, 31 one, 112 many"), ("sr", "1 one, 2 few, 5 other, 11 other, 21 one"),
            ("pl", "1 one, 2 few, 5 many, 12 many, 21 many, 22 few, 101 many, 102 few, 112 many"),
            ("cs", "0 other, 1 one, 2 few, 4 few, 5 other, 22 other"), ("sk", "1 one, 3 few, 5 other"),
            ("sl", "0 other, 1 one, 2 two, 3 few, 4 few, 5 other, 101 one, 102 two, 103 few"),
            ("lt", "0 other, 1 one, 2 few, 9 few, 10 other, 11 other, 21 one, 22 few, 111 other"),
            ("lv", "0 zero, 1 one, 2 other, 10 zero, 11 zero, 21 one, 22 other, 111 zero"),
            ("ar", "0 zero, 1 one, 2 two, 3 few, 10 few, 11 many, 99 many, 100 other, 102 other, 103 few, 111 many"),
            ("he", "0 other, 1 one, 2 two, 3 other, 20 other"), ("iw", "2 two"),
            ("ro", "0 few, 1 one, 2 few, 19 few, 20 other, 101 few, 119 few, 120 other"),
            ("ga", "1 one, 2 two, 3 few, 6 few, 7 many, 10 many, 11 other"),
            ("gd", "1 one, 11 one, 2 two, 12 two, 3 few, 10 few, 13 few, 19 few, 20 other"),
            ("cy", "0 zero, 1 one, 2 two, 3 few, 4 other, 6 many, 7 other"),
            ("mt", "0 few, 1 one, 2 two, 3 few, 10 few, 11 many, 19 many, 20 other, 103 few"),
            ("is", "1 one, 11 other, 21 one"), ("fil", "1 one, 4 other, 5 one, 16 other"),
            ("hi", "0 one, 1 one, 2 other"),
            ("xx", "0 other, 1 one"), ("", "1 one, 2 other"),
        ]
    )
    func categories(language: String, examples: String) throws {
        let rules = PluralRules(language: language)
        for example in examples.split(separator: ", ") {
            let number = try #require(Int(example.prefix { $0 != " " }))
            #expect("\(number) \(rules.category(of: number))" == example)
        }
    }

    @Test("A form for zero is shown for 0 in every language, and forms that a language does not use are left out")
    func zero() {
        let english = PluralRules(language: "en")
        #expect(english.numbers(of: [.zero, .one, .few, .other]).map(\.0) == [.zero, .one])
        #expect(english.numbers(of: [.zero, .one]).map(\.1) == [[0], [1]])
        #expect(PluralRules(language: "fr").numbers(of: [.zero, .one, .other]).map(\.1) == [[0], [1]])
        #expect(PluralRules(language: "fr").numbers(of: [.one, .other]).map(\.1) == [[0, 1]])
        #expect(PluralRules(language: "ja").numbers(of: [.one, .other]).isEmpty)
        #expect(PluralRules(language: "lv").numbers(of: [.zero, .other]).first?.1.prefix(3) == [0, 10, 11])
    }
}
