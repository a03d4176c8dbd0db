import JSON
import TestSupport
import Testing

/// The host's limits are checked at capture, and every accepted record is delivered.
@Suite(.waits, .wire) struct DeliveryLimitsTests {
    /// Records as large as the limits allow.
    struct Size: Sendable, CustomTestStringConvertible {
        let elements: Int
        let bytes: Int

        static let some = Size(elements: 26, bytes: 60_000)
        /// The largest values that the options accept.
        static let most = Size(elements: 500, bytes: 1 << 20)

        var testDescription: String { "\(elements) elements, \(bytes) bytes" }

        var options: [String: String] { ["--array-elements": "\(elements)", "--value-bytes": "\(bytes)"] }
        var serverOptions: [String] { ["--value-bytes", "\(bytes)"] }

        var list: JSON { JSON((0..<elements).map { JSON($0) }) }

        /// An object of that many bytes.
        var object: JSON {
            let frame = (["list": [""]] as JSON).bytes.count
            let (count, rest) = (bytes - frame).quotientAndRemainder(dividingBy: 243)
            let texts = Array(repeating: JSON.string(String(repeating: "x", count: 240)), count: count)
            return ["list": JSON([.string(String(repeating: "y", count: rest))] + texts)]
        }

        var saves: [(method: String, params: JSON)] {
            let user: JSON = ["external_id": "ada"]
            return [
                ("saveCustomAttribute", ["key": "list", "value": list, "user": user]),
                ("saveCustomAttribute", ["key": "added", "value": ["add": list], "user": user]),
                ("saveCustomAttribute", ["key": "large", "value": object, "user": user]),
                ("saveCustomEvent", ["name": "Large", "properties": object, "user": user]),
            ]
        }
    }

    @Test("By default the strict limits refuse 26 elements and 60,000 bytes")
    func strict() throws {
        #expect(Size.some.object.bytes.count == 60_000)
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            for (method, params) in Size.some.saves {
                let error = try host.call(method, params)["error"]
                #expect(error?["code"] == 210)
                let message = error?["message"]?.string ?? ""
                #expect(message.contains("has at most") || message.contains("1 to 25 elements"), "\(message)")
            }
            try host.finishDelivery()
        }
    }

    @Test(
        "With wider limits the host accepts larger records, and the bundle sends them",
        arguments: [Size.some, .most]
    )
    func wider(size: Size) throws {
        try DeliveryWorkspace.with(size.serverOptions) { workspace in
            let host = try workspace.host(size.options)
            for (method, params) in size.saves { try host.result(method, params) }
            #expect(
                try host.flushed() == [
                    "delivered": 4, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": [],
                ]
            )
            let log = try workspace.server.log().map(\.object)
            #expect(log.contains { $0["list"] == size.list })
            #expect(log.contains { $0["added"] == ["add": size.list] })
            #expect(log.contains { $0["large"] == size.object })
            #expect(log.contains { $0["properties"] == size.object })
            try host.finishDelivery()
        }
    }

    @Test("A host with stricter limits delivers what another host accepted with wider ones")
    func narrower() throws {
        try DeliveryWorkspace.with(Size.some.serverOptions) { workspace in
            let first = try workspace.host(Size.some.options)
            for (method, params) in Size.some.saves { try first.result(method, params) }
            try first.finishDelivery()
            let second = try workspace.host()
            #expect(try second.flushed().count("delivered") == 4)
            try second.finishDelivery()
        }
    }
}
