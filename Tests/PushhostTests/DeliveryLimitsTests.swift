import JSON
import TestSupport
import Testing

/// The host's limits decide at capture, and what it took goes out.
@Suite(.hangs, .wire) struct DeliveryLimitsTests {
    private static let wide = ["--array-elements": "26", "--value-bytes": "70000"]
    private static let user: JSON = ["external_id": "ada"]

    private static let list = JSON((0..<26).map { JSON($0) })
    /// An object of 60,000 bytes.
    private static let large: JSON = {
        let texts = (0..<238).map { ("k\(1_000 + $0)", JSON(String(repeating: "x", count: 240))) }
        let object = JSON.object(JSON.Object(texts))
        let rest = 60_000 - object.bytes.count - #","rest":"""#.utf8.count
        return .object(JSON.Object(texts + [("rest", JSON(String(repeating: "y", count: rest)))]))
    }()

    private static let saves: [(method: String, params: JSON)] = [
        ("saveCustomAttribute", ["key": "list", "value": list, "user": user]),
        ("saveCustomAttribute", ["key": "added", "value": ["add": list], "user": user]),
        ("saveCustomAttribute", ["key": "large", "value": large, "user": user]),
        ("saveCustomEvent", ["name": "Large", "properties": large, "user": user]),
    ]

    @Test("Without options the strict limits refuse 26 elements and 60,000 bytes")
    func strict() throws {
        #expect(Self.large.bytes.count == 60_000)
        try DeliveryBench.with { bench in
            let host = try bench.host()
            for (method, params) in Self.saves {
                let error = try host.call(method, params)["error"]
                #expect(error?["code"] == 210)
                let message = error?["message"]?.string ?? ""
                #expect(message.contains("has at most") || message.contains("1 to 25 elements"), "\(message)")
            }
            try host.finishDelivery()
        }
    }

    @Test("With wider options the host takes them, and the bundle sends what the host took")
    func wider() throws {
        try DeliveryBench.with(["--value-bytes", "70000"]) { bench in
            let host = try bench.host(Self.wide)
            for (method, params) in Self.saves { try host.result(method, params) }
            #expect(
                try host.flushed() == [
                    "delivered": 4, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": [],
                ]
            )
            let log = try bench.server.log().map(\.object)
            #expect(log.contains { $0["list"] == Self.list && $0["large"] == Self.large })
            #expect(log.contains { $0["added"] == ["add": Self.list] })
            #expect(log.contains { $0["properties"] == Self.large })
            try host.finishDelivery()
        }
    }

    @Test("A host with stricter options delivers what another one took with wider ones")
    func narrower() throws {
        try DeliveryBench.with(["--value-bytes", "70000"]) { bench in
            let first = try bench.host(Self.wide)
            for (method, params) in Self.saves { try first.result(method, params) }
            try first.finishDelivery()
            let second = try bench.host()
            #expect(try second.flushed().count("delivered") == 4)
            try second.finishDelivery()
        }
    }
}
