import Foundation
import JSON
import TestSupport
import Testing

/// A server that refuses requests and asks for no delay, a delay in the past, or a negative one.
@Suite(.waits, .wire) struct DeliveryStormTests {
    /// A refusal, and its description.
    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let fault: UsersTrackFault
    }

    private static let refusals = [
        Refusal(testDescription: "429, Retry-After: 0", fault: .tooMany(.retryAfter, seconds: 0)),
        Refusal(testDescription: "429, Retry-After: -5", fault: .tooMany(.retryAfter, seconds: -5)),
        Refusal(testDescription: "429, a reset in the past", fault: .tooMany(.epoch, seconds: -120)),
        Refusal(testDescription: "429, a reset in no time", fault: .tooMany(.seconds, seconds: 0)),
        Refusal(testDescription: "429, X-Ratelimit-Retry-After: 0", fault: .tooMany(.mau, seconds: 0)),
        Refusal(testDescription: "429, a date in the past", fault: .tooMany(.retryAfterDate, seconds: -9)),
        Refusal(testDescription: "429 alone", fault: .tooMany(.none)),
        Refusal(testDescription: "503, Retry-After: 0", fault: .answer(503, headers: ["Retry-After": "0"])),
        Refusal(testDescription: "503, Retry-After: -5", fault: .answer(503, headers: ["Retry-After": "-5"])),
        Refusal(testDescription: "503 alone", fault: .answer(503)),
    ]

    @Test("A flush makes a few attempts within its patience, with increasing delays", arguments: refusals)
    func attempts(refusal: Refusal) throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.injectRandomly(seed: 1, probability: 1, [refusal.fault])
            let host = try workspace.host([
                "--retry-base": "400", "--retry-limit": "300000", "--retry-patience": "800",
            ])
            try DeliveryRecord.save([DeliveryRecord(number: 0)], on: host)
            let reply = try host.flush()
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
            // Delays of at least 200, 400 and 800 ms.
            #expect(try (1...3).contains(workspace.server.requests().count))
            try host.finishDelivery()
        }
    }

    @Test(
        "With the policy immediate, a flush makes one attempt and then pauses requests to the destination",
        arguments: refusals
    )
    func immediate(refusal: Refusal) throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.injectRandomly(seed: 1, probability: 1, [refusal.fault])
            let host = try workspace.host([
                "--flush-policy": "immediate", "--clock": "2026-01-01T00:00:00Z", "--retry-base": "3600000",
                "--retry-limit": "3600000",
            ])
            try DeliveryRecord.save([DeliveryRecord(number: 0)], on: host)
            var notBefore: JSON?
            try Processes.wait(for: "the first attempt") {
                notBefore = try host.deliveryStatus(to: "braze")["notBefore"]
                return notBefore != nil
            }
            // At least half an hour. The host's fixed clock only advances when it is read.
            let time = try #require(notBefore?.string)
            #expect(time >= "2026-01-01T00:30:00.000Z")
            #expect(time < "2026-01-01T01:01:00.000Z")
            #expect(try workspace.server.requests().count == 1)
            try host.finishDelivery()
            #expect(try workspace.server.requests().count == 1)
        }
    }

    @Test(
        "The end of the rate window is computed from the server's date, even if its clock differs by an hour",
        arguments: [-1, 0, 1]
    )
    func clock(hours: Int) throws {
        try DeliveryWorkspace.with { workspace in
            let (date, end) = Self.window(hours: hours)
            let headers: JSON = ["Date": .string(date), "X-RateLimit-Remaining": 0, "X-RateLimit-Reset": end]
            try workspace.server.inject([.answer(429, headers: headers)])
            let host = try workspace.host(["--retry-patience": "0"])
            try DeliveryRecord.save([DeliveryRecord(number: 0)], on: host)
            let pause = try #require(try host.flush()["error"]?["data"]?["retryAfter"]?.integer)
            #expect(pause == 60_000)
            try host.finishDelivery()
        }
    }

    /// A server's date and the end of its window one minute later, in seconds since 1970.
    private static func window(hours: Int) -> (String, JSON) {
        let now = Date().addingTimeInterval(Double(hours) * 3_600)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return (formatter.string(from: now), .integer(Int64(now.timeIntervalSince1970) + 60))
    }
}
