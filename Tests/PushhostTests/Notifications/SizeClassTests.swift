import JSON
import TestSupport
import Testing

/// The size class of a view that a client sends; the tests of the kits say what the extension gets.
@Suite(.waits, .wire) struct SizeClassTests {
    @Test("An unknown size class is refused with a list of the valid ones", arguments: ["Compact", "", "small"])
    func refused(word: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "match_game")
            let error = try host.error("didReceive", ["payload": payload, "verticalSizeClass": .string(word)])
            #expect(error["code"] == -32602)
            #expect(error["data"]?["path"] == "/params/verticalSizeClass")
            #expect(error["data"]?["reason"] == "mistypedParam")
            #expect(error["message"]?.string?.contains("compact or regular") == true, "\(error)")
        }
    }
}
