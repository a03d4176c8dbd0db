import Foundation
import Testing

@testable import braze

@Suite struct EndpointTests {
    @Test(
        "Instance names, hosts and URLs are completed to the URL of /users/track",
        arguments: [
            ("iad-01", "https://rest.iad-01.braze.com/users/track"),
            ("IAD-08", "https://rest.iad-08.braze.com/users/track"),
            ("us-10", "https://rest.us-10.braze.com/users/track"),
            ("fra-02", "https://rest.fra-02.braze.eu/users/track"),
            ("au-01", "https://rest.au-01.braze.com/users/track"),
            ("id-01", "https://rest.id-01.braze.com/users/track"),
            ("rest.fra-01.braze.eu", "https://rest.fra-01.braze.eu/users/track"),
            ("https://rest.iad-03.braze.com/", "https://rest.iad-03.braze.com/users/track"),
            ("https://gateway.example/braze/users/track", "https://gateway.example/braze/users/track"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/users/track"),
            ("http://127.9.9.9", "http://127.9.9.9/users/track"),
            ("http://[::1]:8080/a/", "http://[::1]:8080/a/users/track"),
            ("http://LOCALHOST", "http://LOCALHOST/users/track"),
            ("HTTPS://REST.IAD-01.BRAZE.COM:443//", "HTTPS://REST.IAD-01.BRAZE.COM:443/users/track"),
            ("https://rest.iad-01.braze.com/users/track/", "https://rest.iad-01.braze.com/users/track"),
        ]
    )
    func completed(text: String, url: String) throws {
        #expect(try Endpoint(text, from: "E").url.absoluteString == url)
    }

    @Test(
        "Other texts are refused with an error that says what is required",
        arguments: [
            "", "iad-99", "mars", "secret-0a1b", "http://rest.iad-01.braze.com", "http://127.0.0.1.example.com",
            "http://10.0.0.1", "http://localhost.example.com", "http://localhost.", "http://127.1", "http://[::2]",
            "http://0x7f.0.0.1", "http://[::ffff:127.0.0.1]", "http://[fe80::1%25lo]", "ftp://127.0.0.1",
            "https://user:secret@rest.iad-01.braze.com", "https://rest.iad-01.braze.com?a=b", "https://",
            "https://a b", "sdk.iad-01.braze.com", "https://sdk.fra-01.braze.eu", "https://SDK.IAD-01.BRAZE.COM",
            "https://rest.iad-01.braze.com#a",
        ]
    )
    func refused(text: String) {
        let problem = #expect(throws: ConfigurationError.self, "\(text)") { try Endpoint(text, from: "E") }
        #expect(problem?.message.hasPrefix("E ") == true)
        #expect(problem?.message.contains("secret") == false)
    }

    @Test("Loopback addresses are recognized")
    func loopback() throws {
        #expect(try Endpoint("https://localhost:1", from: "E").isLoopback)
        #expect(try !Endpoint("iad-01", from: "E").isLoopback)
    }
}
