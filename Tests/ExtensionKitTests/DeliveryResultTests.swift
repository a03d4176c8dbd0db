import JSON
import Testing

@testable import ExtensionKit

@Suite struct DeliveryResultTests {
    @Test("Empty members are omitted")
    func empty() {
        #expect(DeliveryResult().json == [:])
        #expect(DeliveryResult(accepted: [3, 1]).json == ["accepted": [3, 1]])
    }

    @Test("Every member is encoded")
    func members() {
        var result = DeliveryResult()
        result.rejected = [.init(1, "wrong")]
        result.uncertain = [2]
        result.held = [.init(3, "no user")]
        result.retryAfter = .seconds(3)
        result.stop = "set a key"
        result.diagnostics = [.init(reason: "odd", "very odd")]
        let json: JSON = [
            "rejected": [["id": 1, "reason": "wrong"]], "uncertain": [2], "held": [["id": 3, "reason": "no user"]],
            "retryAfter": 3000, "stop": "set a key", "diagnostics": [["reason": "odd", "message": "very odd"]],
        ]
        #expect(result.json == json)
    }

    @Test(
        "A pause is rounded up to milliseconds and never negative",
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2), (.seconds(-1), 0),
            (.seconds(Int64.max / 10), Int64.max),
        ] as [(Duration, Int64)]
    )
    func pauses(pause: Duration, milliseconds: Int64) {
        var result = DeliveryResult()
        result.retryAfter = pause
        #expect(result.json["retryAfter"] == .integer(milliseconds))
    }
}
