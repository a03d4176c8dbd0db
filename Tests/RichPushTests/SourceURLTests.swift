import Testing

@testable import rich_push

@Suite struct SourceURLTests {
    @Test(
        "https is fetched, and http from this machine itself",
        arguments: [
            "https://example.com/a.png", "HTTPS://example.com", "https://example.com:8443/a?b=c#d",
            "https://127.0.0.1/",
            "http://127.0.0.1/", "http://127.255.255.254:8080/a", "http://localhost/a", "HTTP://LocalHost:1/a",
            "http://[::1]/a", "http://[0:0:0:0:0:0:0:1]:80/a", "https://xn--bcher-kva.example/",
        ]
    )
    func accepted(text: String) throws {
        #expect(try SourceURL(text).description == text)
    }

    @Test(
        "Other schemes, http to other machines, credentials and invalid URLs are refused",
        arguments: [
            "http://example.com/a.png", "http://10.0.0.1/", "http://169.254.169.254/latest/", "http://0.0.0.0/",
            "http://128.0.0.1/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::2]/", "http://[fe80::1]/",
            "http://127.1/", "http://0x7f.0.0.1/", "http://2130706433/", "http://127.0.0.1.example.com/",
            "http://127%2e0.0.1/", "http://localhost./", "http://localhost.example.com/", "http://xlocalhost/",
            "file:///etc/passwd", "file://localhost/etc/passwd", "ftp://example.com/a", "data:image/png;base64,AAAA",
            "gopher://127.0.0.1/", "javascript:alert(1)", "https://user@example.com/", "https://user:key@example.com/",
            "https://:key@example.com/", "http://127.0.0.1@example.com/", "http://127.0.0.1:80@example.com/",
            "http://127.0.0.1\\@example.com/", "http://example.com#@127.0.0.1/", "http://[::1%25lo]/",
            "https:///a", "https://", "https:a.png", "//example.com/a", "a.png", "/etc/passwd", "", " ", "https://a b/",
            "https://example.com/\n", "https://exa\tmple.com/", "https://bücher.example/", "https://example.com/ü",
        ]
    )
    func refused(text: String) {
        let refusal = #expect(throws: Refusal.self, "\(text)") { try SourceURL(text) }
        #expect(refusal?.reason == .refused)
        #expect(refusal?.message.hasPrefix("\(text) is not fetched: ") == true)
    }

    @Test(
        "The same rules apply to a redirect, which may not leave a secure connection",
        arguments: [
            ("https://example.com/a", "https://example.org/b", true),
            ("http://localhost/a", "http://127.0.0.1/b", true),
            ("http://localhost/a", "https://example.com/b", true),
            ("https://example.com/a", "http://localhost/b", false),
            ("https://example.com/a", "http://example.com/b", false),
            ("http://localhost/a", "file:///etc/passwd", false),
            ("http://localhost/a", "http://example.com/b", false), ("https://example.com/a", "data:,x", false),
        ]
    )
    func redirects(from: String, to: String, isAccepted: Bool) throws {
        let url = try SourceURL(from)
        guard !isAccepted else { return #expect(try url.redirected(to: to).description == to) }
        let refusal = #expect(throws: Refusal.self) { try url.redirected(to: to) }
        #expect(refusal?.message.hasPrefix("\(from) redirects: \(to) is not fetched: ") == true)
    }

    @Test(
        "A redirect may be relative",
        arguments: [
            ("b", "https://example.com/x/b"), ("/b", "https://example.com/b"),
            ("//example.org/b", "https://example.org/b"), ("?q", "https://example.com/x/a?q"),
        ]
    )
    func relative(location: String, target: String) throws {
        #expect(try SourceURL("https://example.com/x/a").redirected(to: location).description == target)
    }
}
