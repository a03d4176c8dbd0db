import Testing

@testable import Notifications

@Suite struct ApplicationURLTests {
    @Test(
        "An absolute URL of any scheme is kept unchanged",
        arguments: [
            "https://example.com", "https://example.com/a?b=c%20d&e=%C3%BC#f", "myapp://home", "mailto:ada@example.com",
            "HTTP://[::1]:8080/", "a+b-c.d:e", "https://example.com/" + String(repeating: "a", count: 2_028),
        ]
    )
    func absolute(text: String) { #expect(ApplicationURL(text)?.text == text) }

    @Test(
        "Any other text is refused",
        arguments: [
            "", "home", "/home", "//example.com/home", "https:", ":", "://home", "1a://b", "a b://c", "myäpp://home",
            "https://example.com/a b", "https://example.com/ü", "https://example.com/%", "https://example.com/%4",
            "https://example.com/%4x", "https://example.com/\n", "https://example.com/\u{0}", "https://a/{b}", "a:\"",
            "https://example.com/" + String(repeating: "a", count: 2_029),
        ]
    )
    func other(text: String) { #expect(ApplicationURL(text) == nil) }
}
