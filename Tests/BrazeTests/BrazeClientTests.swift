import ExtensionKit
import JSON
import TestSupport
import Testing

@testable import braze

/// The result of each record of a batch.
@Suite(.waits) struct BrazeClientTests: BrazeClientScenario {
    @Test("All records arrive", arguments: ["1", "8"])
    func success(connections: String) async throws {
        let (result, requests) = try await deliver(events(200), ["BRAZE_CONNECTIONS": connections]) { _, _ in
            Self.success
        }
        #expect(result.accepted.sorted() == Array(0..<200))
        #expect(requests.count == 3)
        #expect(result.rejected.isEmpty && result.uncertain.isEmpty && result.stop == nil && result.retryAfter == nil)
    }

    @Test("Records that cannot be sent are reported in the same result as those that were sent")
    func unsendable() async throws {
        let withoutUser = DeliveryRecord(id: 7, .customEvent(name: "e", properties: nil), time: "t")
        let (result, requests) = try await deliver([event(1), withoutUser, event(2, "ada", "")]) { _, _ in Self.success
        }
        #expect(result.accepted == [1])
        #expect(result.held.map(\.id) == [7])
        #expect(result.rejected == [.init(2, "the event's name must not be empty (name)")])
        #expect(requests.count == 1)
    }

    @Test(
        "After a 400 without indices the request is split until the invalid records are found, and all others are sent",
        arguments: [1, 20, 74]
    )
    func bisecting(count: Int64) async throws {
        let bad: Set<Int64> = [count / 3, count - 1]
        let (result, _) = try await deliver(events(count, bad: bad)) { request, _ in
            Self.hasEvent(request, "bad") ? Self.response(400, #"{"message":"no"}"#) : Self.success
        }
        #expect(result.accepted.sorted() == (0..<count).filter { !bad.contains($0) })
        #expect(result.rejected.map(\.id).sorted() == bad.sorted())
        #expect(Set(result.rejected.map(\.reason)) == ["Braze answered 400: no"])
    }

    @Test("A 400 with indices costs one further request")
    func indices() async throws {
        let (result, requests) = try await deliver(events(5, bad: [3])) { request, _ in
            guard Self.hasEvent(request, "bad") else { return Self.success }
            return Self.response(400, #"{"message":"no","errors":[{"type":"T","input_array":"events","index":3}]}"#)
        }
        #expect(result.accepted == [0, 1, 2, 4])
        #expect(result.rejected == [.init(3, "T")])
        #expect(requests.count == 2)
    }

    @Test("An error in a success rejects only its record, and nothing is sent again")
    func partial() async throws {
        let (result, requests) = try await deliver(events(5)) { _, _ in
            Self.response(201, #"{"message":"success","errors":[{"type":"T","input_array":"events","index":3}]}"#)
        }
        #expect(result.accepted == [0, 1, 2, 4])
        #expect(result.rejected == [.init(3, "T")])
        #expect(requests.count == 1)
    }

    @Test("A refused object of several attributes is split, so that only the invalid one is rejected")
    func unfolding() async throws {
        let records = [attribute(1, "a", 1), attribute(2, "bad", 1), attribute(3, "c", 1), event(4)]
        for status in [201, 400] {
            let (result, requests) = try await deliver(records) { request, _ in
                let place = request["attributes"]?.array?.firstIndex { $0["bad"] != nil }
                guard let place else { return Self.success }
                let errors = #"[{"type":"T","input_array":"attributes","index":\#(place)}]"#
                return Self.response(status, #"{"message":"success","errors":\#(errors)}"#)
            }
            #expect(result.accepted.sorted() == [1, 3, 4])
            #expect(result.rejected == [.init(2, "T")])
            // Events are part of the one request that succeeded.
            let successful = status == 201 ? Array(requests.prefix(1)) : Array(requests.suffix(1))
            #expect(eventNames(successful) == [["Opened"]])
        }
    }

    @Test("A request that is too large is halved, and an object that is too large alone is rejected")
    func tooLarge() async throws {
        let (result, requests) = try await deliver(events(20, bad: [13])) { request, _ in
            let count = request["events"]?.array?.count ?? 0
            return count > 4 || Self.hasEvent(request, "bad") ? Self.response(413) : Self.success
        }
        #expect(result.accepted.sorted() == (0..<20).filter { $0 != 13 })
        #expect(result.rejected == [.init(13, "Braze answered 413")])
        #expect(requests.count > 4)
    }

    @Test("A refused key stops the batch with one message, and all records stay pending", arguments: [401, 403, 404])
    func stop(status: Int) async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            number == 1 ? Self.success : Self.response(status, #"{"message":"wrong key s3cret-0a1b"}"#)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain.isEmpty && result.rejected.isEmpty)
        #expect(result.stop?.contains("wrong key <the key>") == true)
        #expect(requests.count == 2)
    }

    @Test("The key does not appear in any text, even if the server repeats it")
    func redaction() async throws {
        let errors =
            #"[{"type":"s3cret-0a1b","input_array":"events","index":0},{"type":"s3cret-0a1b"},{"type":"s3cret-0a1b","input_array":"events","index":9}]"#
        let (result, _) = try await deliver(events(2)) { _, _ in
            Self.response(201, #"{"message":"success","errors":\#(errors)}"#)
        }
        #expect(result.rejected.count == 1 && result.diagnostics.count == 2)
        #expect(!"\(result)".contains("s3cret-0a1b"))
    }

    @Test("No part of the key remains at the end of a truncated text")
    func cutRedaction() async throws {
        let message = String(repeating: "x", count: 296) + "s3cret-0a1b"
        let (result, _) = try await deliver(events(1)) { _, _ in Self.response(401, #"{"message":"\#(message)"}"#) }
        #expect(result.stop?.contains("x<the") == true)
        #expect(result.stop?.contains("s3") == false)
    }

    @Test("If the server refuses all records with the same message, they are held with one reason")
    func wrongApp() async throws {
        let refusal = Self.response(400, #"{"message":"app_id is invalid"}"#)
        let (result, _) = try await deliver(events(200)) { _, _ in refusal }
        #expect(result.rejected.isEmpty && result.accepted.isEmpty && result.uncertain.isEmpty)
        #expect(result.held.map(\.id).sorted() == Array(0..<200) && result.stop == nil)
        #expect(Set(result.held.map(\.reason)).count == 1)
        #expect(result.held.first?.reason.contains("Braze answered 400: app_id is invalid") == true)

        // A record that the client itself rejects is still rejected.
        let (mixed, _) = try await deliver([event(200, "ada", "")] + events(10)) { _, _ in refusal }
        #expect(mixed.rejected.map(\.id) == [200] && mixed.held.count == 10)
    }

    @Test("Refused records are rejected if they are few, the messages differ, or another record was accepted")
    func badOnes() async throws {
        let all = Set<Int64>(0..<50)
        let (few, _) = try await deliver(events(9)) { _, _ in Self.response(400) }
        #expect(few.rejected.count == 9 && few.held.isEmpty)
        let (one, _) = try await deliver(events(50, bad: all.subtracting([49]))) { request, _ in
            Self.hasEvent(request, "bad") ? Self.response(400) : Self.success
        }
        #expect(one.rejected.count == 49 && one.accepted == [49] && one.held.isEmpty)
        let (different, _) = try await deliver(events(50)) { request, _ in
            Self.response(400, #"{"message":\#(request["events"]?[0]?["external_id"] ?? .null)}"#)
        }
        #expect(different.rejected.count == 50 && different.held.isEmpty)
    }

    @Test("A value is not sent again after a later change was accepted")
    func laterChange() async throws {
        let records = [attribute(1, "a", 1), attribute(2, "bad", 1), attribute(3, "c", 1), attribute(4, "a", .null)]
        let (result, requests) = try await deliver(records) { request, _ in
            let place = request["attributes"]?.array?.firstIndex { $0["bad"] != nil }
            guard let place else { return Self.success }
            let errors = #"[{"type":"T","input_array":"attributes","index":\#(place)}]"#
            return Self.response(201, #"{"message":"success","errors":\#(errors)}"#)
        }
        #expect(result.accepted.sorted() == [3, 4])
        #expect(result.rejected.map(\.id).sorted() == [1, 2])
        try #require(requests.count == 2)
        let again = try #require(requests[1]["attributes"]?.array)
        #expect(again.count == 2)
        #expect(again.allSatisfy { $0["a"] == nil && ($0["bad"] ?? $0["c"]) == 1 })
    }

    @Test(
        "If an object was refused beside accepted ones, its increments and additions are uncertain and not sent again"
    )
    func additions() async throws {
        let records = [
            attribute(1, "a", 1), attribute(2, "n", ["inc": 1]), attribute(3, "o", ["$add": [["id": 1]]]),
            attribute(4, "r", ["$remove": [["$identifier_key": "id", "$identifier_value": 1]]]), event(5),
        ]
        for status in [201, 400] {
            let (result, requests) = try await deliver(records) { _, number in
                let errors = #"[{"type":"T","input_array":"attributes","index":0}]"#
                return number > 1 ? Self.success : Self.response(status, #"{"message":"success","errors":\#(errors)}"#)
            }
            try #require(requests.count == 2)
            let again = try #require(requests[1]["attributes"]?.array)
            if status == 201 {
                #expect(result.uncertain == [2, 3] && result.accepted.sorted() == [1, 4, 5])
                #expect(again.count == 2 && again.allSatisfy { $0["n"] == nil && $0["o"] == nil })
                #expect(result.diagnostics.map(\.reason) == ["uncertain"])
            } else {
                // Nothing of that request was processed.
                #expect(result.uncertain == [] && result.accepted.sorted() == [1, 2, 3, 4, 5] && again.count == 4)
            }
            #expect(result.rejected.isEmpty)
        }
    }
}
