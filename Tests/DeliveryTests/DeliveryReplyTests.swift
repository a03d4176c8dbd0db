import Contract
import JSON
import Suites
import Testing

@testable import Delivery

struct DeliveryReplyTests {
    @Test("The records of each list have its verdict, and records in no list have none")
    func verdicts() throws {
        let reply = try DeliveryReply(
            JSON(
                parsing: """
                    {"accepted":[1],"rejected":[{"id":2,"reason":"r"}],"uncertain":[3],"held":[{"id":4,"reason":"h"}],
                    "retryAfter":7,"stop":"s","diagnostics":[{"reason":"a","message":"b"}],"later":true}
                    """
            ),
            batch: [1, 2, 3, 4, 5]
        )
        #expect(reply.verdicts == [1: .accepted, 2: .rejected("r"), 3: .ambiguous, 4: .held("h")])
        #expect(reply.retryAfter == 7 && reply.stop == "s" && reply.diagnostics == [Diagnostic("a", "b")])
    }

    @Test("A dry run that stops has its diagnostics, and no requests")
    func stoppedDryRun() throws {
        let value: JSON = [
            "stop": "s", "held": [["id": 1, "reason": "h"]], "diagnostics": [["reason": "a", "message": "b"]],
        ]
        let reply = try DryRunReply(value, batch: [1])
        #expect(reply.stop == "s" && reply.held == 1 && reply.requests.isEmpty)
        #expect(reply.diagnostics.map(\.reason) == ["wouldBeHeld", "a"])
    }

    @Test("A dry run has a request for each record at most")
    func requests() throws {
        let request: JSON = ["method": "POST", "url": "u"]
        #expect(try DryRunReply(["requests": [request, request]], batch: [1, 2]).requests.count == 2)
        #expect(throws: ReplyError.self) { try DryRunReply(["requests": [request, request]], batch: [1]) }
        let full: JSON = ["method": "POST", "url": "u", "headers": ["a": "b"], "body": 1]
        #expect(try DryRunReply(["requests": [request, full]], batch: [1, 2]).requests == [request, full])
    }

    @Test(
        "A request of a dry run has a method, a url, and headers that are texts",
        arguments: [
            1, ["url": "u"], ["method": 1, "url": "u"], ["method": "POST"], ["method": "POST", "url": 1],
            ["method": "POST", "url": "u", "headers": "a"],
            ["method": "POST", "url": "u", "headers": ["a": "b", "c": 1]],
        ] as [JSON]
    )
    func wrongRequest(request: JSON) {
        #expect(throws: ReplyError.self) { try DryRunReply(["requests": [request]], batch: [1]) }
    }

    @Test(
        "A dry run is answered with requests, and never as if records had been sent",
        arguments: [
            [:], ["requests": 1], ["accepted": [1], "requests": []], ["uncertain": [1], "requests": []],
            ["accepted": [1], "stop": "s"],
        ] as [JSON]
    )
    func wrongDryRun(answer: JSON) {
        #expect(throws: ReplyError.self) { try DryRunReply(answer, batch: [1]) }
    }

    @Test("A dry run says once for each reason how many records it would reject or leave pending")
    func reasonsOfDryRun() throws {
        let rejected: JSON = [["id": 3, "reason": "b"], ["id": 4, "reason": "a"], ["id": 1, "reason": "a"]]
        let value: JSON = ["rejected": rejected, "held": [["id": 2, "reason": "h"]], "requests": []]
        let reply = try DryRunReply(value, batch: [1, 2, 3, 4])
        #expect(reply.rejected == 3 && reply.held == 1 && reply.stop == nil)
        let expected = [
            Diagnostic("wouldBeRejected", "2 records would become dead letters: a"),
            Diagnostic("wouldBeRejected", "1 record would become dead letters: b"),
            Diagnostic("wouldBeHeld", "1 record would stay pending: h"),
        ]
        #expect(reply.diagnostics == expected)
    }

    @Test("The answer to check is read with all its members, and shown as it was")
    func wholeCheck() throws {
        let value: JSON = [
            "reachable": true, "accepted": false, "milliseconds": 7, "date": "2026-01-01T00:00:00Z", "message": "m",
        ]
        let reply = try CheckReply(value)
        #expect(reply.isReachable && reply.isAccepted == false && reply.milliseconds == 7)
        #expect(reply.date == "2026-01-01T00:00:00Z" && reply.message == "m")
        #expect(reply.json == value)
        let least: JSON = ["reachable": false, "message": "m"]
        #expect(try CheckReply(least).json == least)
    }

    @Test(
        "The answer to check says whether the destination is reachable, with a message",
        arguments: [[:], ["reachable": 1, "message": "m"], ["reachable": true], ["reachable": true, "message": ""]]
            as [JSON]
    )
    func check(answer: JSON) throws {
        #expect(throws: ReplyError.self) { try CheckReply(answer) }
        #expect(try CheckReply(["reachable": false, "message": "m"]).message == "m")
    }

    @Test("An empty object means that no record was attempted")
    func empty() throws {
        #expect(try DeliveryReply([:], batch: [1]) == DeliveryReply())
    }

    @Test(
        "A reply that the contract does not permit is an error",
        arguments: [
            "null", "[]", #"{"accepted":1}"#, #"{"accepted":["1"]}"#, #"{"accepted":[2]}"#, #"{"accepted":[1,1]}"#,
            #"{"accepted":[1],"uncertain":[1]}"#, #"{"rejected":[1]}"#, #"{"rejected":[{"id":1}]}"#,
            #"{"held":[{"reason":"x"}]}"#, #"{"retryAfter":-1}"#, #"{"retryAfter":"1"}"#, #"{"stop":""}"#,
            #"{"diagnostics":[{}]}"#, #"{"accepted":[1.0]}"#,
        ]
    )
    func refused(_ text: String) throws {
        let value = try JSON(parsing: text)
        #expect(throws: ReplyError.self) { try DeliveryReply(value, batch: [1]) }
    }

    @Test("A pause is at most a day, and may be none")
    func longestPause() throws {
        #expect(try DeliveryReply(["retryAfter": 0], batch: []).retryAfter == 0)
        #expect(try DeliveryReply(["retryAfter": .integer(.max)], batch: []).retryAfter == 86_400_000)
    }
}
