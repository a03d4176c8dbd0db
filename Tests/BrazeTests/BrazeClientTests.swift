import ExtensionKit
import JSON
import TestSupport
import Testing

@testable import braze

/// What becomes of the records of a batch.
@Suite(.hangs) struct BrazeClientTests: BrazeClientScenario {
    @Test("All records arrive", arguments: ["1", "8"])
    func success(connections: String) async throws {
        let (result, requests) = try await deliver(events(200), ["BRAZE_CONNECTIONS": connections]) { _, _ in
            Self.success
        }
        #expect(result.accepted.sorted() == Array(0..<200))
        #expect(requests.count == 3)
        #expect(result.rejected.isEmpty && result.uncertain.isEmpty && result.stop == nil && result.retryAfter == nil)
    }

    @Test("What cannot be sent is told beside what was")
    func unsendable() async throws {
        let nobody = DeliveryRecord(id: 7, .customEvent(name: "e", properties: nil), time: "t")
        let (result, requests) = try await deliver([event(1), nobody, event(2, "ada", "")]) { _, _ in Self.success }
        #expect(result.accepted == [1])
        #expect(result.held.map(\.id) == [7])
        #expect(result.rejected == [.init(2, "the event's name must not be empty (name)")])
        #expect(requests.count == 1)
    }

    @Test("A 400 without indices is cut until the culprits are found, and nobody else is lost", arguments: [1, 20, 74])
    func bisecting(count: Int64) async throws {
        let bad: Set<Int64> = [count / 3, count - 1]
        let (result, _) = try await deliver(events(count, bad: bad)) { request, _ in
            Self.has(request, "bad") ? Self.refusal(400, #"{"message":"no"}"#) : Self.success
        }
        #expect(result.accepted.sorted() == (0..<count).filter { !bad.contains($0) })
        #expect(result.rejected.map(\.id).sorted() == bad.sorted())
        #expect(Set(result.rejected.map(\.reason)) == ["Braze answered 400: no"])
    }

    @Test("A 400 with indices costs one further request")
    func indices() async throws {
        let (result, requests) = try await deliver(events(5, bad: [3])) { request, _ in
            guard Self.has(request, "bad") else { return Self.success }
            return Self.refusal(400, #"{"message":"no","errors":[{"type":"T","input_array":"events","index":3}]}"#)
        }
        #expect(result.accepted == [0, 1, 2, 4])
        #expect(result.rejected == [.init(3, "T")])
        #expect(requests.count == 2)
    }

    @Test("A partial error costs just its record, and nothing is sent again")
    func partial() async throws {
        let (result, requests) = try await deliver(events(5)) { _, _ in
            Self.refusal(201, #"{"message":"success","errors":[{"type":"T","input_array":"events","index":3}]}"#)
        }
        #expect(result.accepted == [0, 1, 2, 4])
        #expect(result.rejected == [.init(3, "T")])
        #expect(requests.count == 1)
    }

    @Test("An object of several attributes is unfolded before one of them is given up")
    func unfolding() async throws {
        let records = [attribute(1, "a", 1), attribute(2, "bad", 1), attribute(3, "c", 1), event(4)]
        for status in [201, 400] {
            let (result, requests) = try await deliver(records) { request, _ in
                let place = request["attributes"]?.array?.firstIndex { $0["bad"] != nil }
                guard let place else { return Self.success }
                let errors = #"[{"type":"T","input_array":"attributes","index":\#(place)}]"#
                return Self.refusal(status, #"{"message":"success","errors":\#(errors)}"#)
            }
            #expect(result.accepted.sorted() == [1, 3, 4])
            #expect(result.rejected == [.init(2, "T")])
            // Events go along once, in whichever request was taken.
            let taken = status == 201 ? Array(requests.prefix(1)) : Array(requests.suffix(1))
            #expect(names(taken) == [["Opened"]])
        }
    }

    @Test("A request that is too large is halved; an object that is too large alone is given up")
    func tooLarge() async throws {
        let (result, requests) = try await deliver(events(20, bad: [13])) { request, _ in
            let count = request["events"]?.array?.count ?? 0
            return count > 4 || Self.has(request, "bad") ? Self.refusal(413) : Self.success
        }
        #expect(result.accepted.sorted() == (0..<20).filter { $0 != 13 })
        #expect(result.rejected == [.init(13, "Braze answered 413")])
        #expect(requests.count > 4)
    }

    @Test("A refusal of the key ends the batch with one message, and everything is kept", arguments: [401, 403, 404])
    func stop(status: Int) async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            number == 1 ? Self.success : Self.refusal(status, #"{"message":"wrong key s3cret"}"#)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain.isEmpty && result.rejected.isEmpty)
        #expect(result.stop?.contains("wrong key <the key>") == true)
        #expect(requests.count == 2)
    }

    @Test("The key is in no text, whatever the server says")
    func redaction() async throws {
        let errors =
            #"[{"type":"s3cret","input_array":"events","index":0},{"type":"s3cret"},{"type":"s3cret","input_array":"events","index":9}]"#
        let (result, _) = try await deliver(events(2)) { _, _ in
            Self.refusal(201, #"{"message":"success","errors":\#(errors)}"#)
        }
        #expect(result.rejected.count == 1 && result.diagnostics.count == 2)
        #expect(!"\(result)".contains("s3cret"))
    }

    @Test("No part of the key stays where a text is cut off")
    func cutRedaction() async throws {
        let message = String(repeating: "x", count: 296) + "s3cret"
        let (result, _) = try await deliver(events(1)) { _, _ in Self.refusal(401, #"{"message":"\#(message)"}"#) }
        #expect(result.stop?.contains("x<the") == true)
        #expect(result.stop?.contains("s3") == false)
    }

    @Test("Where all are refused with the same words, everything is held with one message")
    func wrongApp() async throws {
        let refusal = Self.refusal(400, #"{"message":"app_id is invalid"}"#)
        let (result, _) = try await deliver(events(200)) { _, _ in refusal }
        #expect(result.rejected.isEmpty && result.accepted.isEmpty && result.uncertain.isEmpty)
        #expect(result.held.map(\.id).sorted() == Array(0..<200) && result.stop == nil)
        #expect(Set(result.held.map(\.reason)).count == 1)
        #expect(result.held.first?.reason.contains("Braze answered 400: app_id is invalid") == true)

        // What is wrong here already is told as ever.
        let (mixed, _) = try await deliver([event(200, "ada", "")] + events(10)) { _, _ in refusal }
        #expect(mixed.rejected.map(\.id) == [200] && mixed.held.count == 10)
    }

    @Test("Records that are refused are in nobody's way: a few, with different words, or beside one that is taken")
    func badOnes() async throws {
        let all = Set<Int64>(0..<50)
        let (few, _) = try await deliver(events(9)) { _, _ in Self.refusal(400) }
        #expect(few.rejected.count == 9 && few.held.isEmpty)
        let (one, _) = try await deliver(events(50, bad: all.subtracting([49]))) { request, _ in
            Self.has(request, "bad") ? Self.refusal(400) : Self.success
        }
        #expect(one.rejected.count == 49 && one.accepted == [49] && one.held.isEmpty)
        let (different, _) = try await deliver(events(50)) { request, _ in
            Self.refusal(400, #"{"message":\#(request["events"]?[0]?["external_id"] ?? .null)}"#)
        }
        #expect(different.rejected.count == 50 && different.held.isEmpty)
    }

    @Test("A value is not sent again over a later change that was taken")
    func laterChange() async throws {
        let records = [attribute(1, "a", 1), attribute(2, "bad", 1), attribute(3, "c", 1), attribute(4, "a", .null)]
        let (result, requests) = try await deliver(records) { request, _ in
            let place = request["attributes"]?.array?.firstIndex { $0["bad"] != nil }
            guard let place else { return Self.success }
            let errors = #"[{"type":"T","input_array":"attributes","index":\#(place)}]"#
            return Self.refusal(201, #"{"message":"success","errors":\#(errors)}"#)
        }
        #expect(result.accepted.sorted() == [3, 4])
        #expect(result.rejected.map(\.id).sorted() == [1, 2])
        try #require(requests.count == 2)
        let again = try #require(requests[1]["attributes"]?.array)
        #expect(again.count == 2)
        #expect(again.allSatisfy { $0["a"] == nil && ($0["bad"] ?? $0["c"]) == 1 })
    }

    @Test("Of an object that was refused beside others, what would count twice is uncertain and not sent again")
    func additions() async throws {
        let records = [
            attribute(1, "a", 1), attribute(2, "n", ["inc": 1]), attribute(3, "o", ["$add": [["id": 1]]]),
            attribute(4, "r", ["$remove": [["$identifier_key": "id", "$identifier_value": 1]]]), event(5),
        ]
        for status in [201, 400] {
            let (result, requests) = try await deliver(records) { _, number in
                let errors = #"[{"type":"T","input_array":"attributes","index":0}]"#
                return number > 1 ? Self.success : Self.refusal(status, #"{"message":"success","errors":\#(errors)}"#)
            }
            try #require(requests.count == 2)
            let again = try #require(requests[1]["attributes"]?.array)
            if status == 201 {
                #expect(result.uncertain == [2, 3] && result.accepted.sorted() == [1, 4, 5])
                #expect(again.count == 2 && again.allSatisfy { $0["n"] == nil && $0["o"] == nil })
                #expect(result.diagnostics.map(\.reason) == ["uncertain"])
            } else {
                // Nothing of that request was taken.
                #expect(result.uncertain == [] && result.accepted.sorted() == [1, 2, 3, 4, 5] && again.count == 4)
            }
            #expect(result.rejected.isEmpty)
        }
    }
}
