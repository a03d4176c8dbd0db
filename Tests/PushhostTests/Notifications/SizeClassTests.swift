import JSON
import TestSupport
import Testing

/// The size class of a view, from the client to the extension.
@Suite(.waits, .wire) struct SizeClassTests {
    @Test(
        "An extension receives the size class that the client sent, and none if the client sent none",
        arguments: Kit.allCases
    )
    func sizeClass(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            for sizeClass in ["compact", "regular", nil] as [String?] {
                var params: [(String, JSON)] = [("payload", ["aps": ["category": "kit", "alert": ["title": "size"]]])]
                if let sizeClass { params.append(("verticalSizeClass", .string(sizeClass))) }
                let result = try kit.host.result("didReceive", .object(JSON.Object(params)))
                #expect(result.shownText == sizeClass ?? "none")
            }
        }
    }

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
