import HTTPClient
import Testing

@Suite struct LoopbackTests {
    @Test(
        "Only localhost, 127.0.0.0/8 and ::1 in their usual notation are this machine",
        arguments: [
            ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
            ("[0:0:0:0:0:0:0:1]", true), ("localhost.", false), ("localhost.example.com", false), ("127.1", false),
            ("0x7f.0.0.1", false), ("2130706433", false), ("128.0.0.1", false), ("0.0.0.0", false), ("::1", false),
            ("[::2]", false), ("[::ffff:127.0.0.1]", false), ("127.0.0.1.example.com", false), ("", false),
        ]
    )
    func hosts(host: String, isLoopback: Bool) {
        #expect(Loopback.contains(host) == isLoopback)
    }
}
