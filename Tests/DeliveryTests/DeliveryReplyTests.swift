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
