import Suites
import Testing

@testable import Delivery

/// A batch as a destination reads it, byte for byte.
struct OutgoingBatchTests {
    private static let time: Int64 = 1_767_225_600_000
    private static let flushUser = #"{"email":"a@example.com"}"#
    /// The third record is later than the others, so each time is written anew.
    private static let records = [
        StoredRecord(
            id: 1,
            kind: .customEvent,
            name: "a\"b",
            value: #"{"p":1}"#,
            time: time,
            user: #"{"braze_id":"own"}"#
        ),
        StoredRecord(id: 2, kind: .customEvent, name: "n", value: nil, time: time, user: nil),
        StoredRecord(id: 3, kind: .customAttribute, name: "k", value: nil, time: time + 1, user: nil, possiblySent: 2),
        StoredRecord(id: 4, kind: .userAttribute, name: "f", value: #""x""#, time: time, user: nil),
    ]
    /// The members of each record.
    private static let members = [
        #""id":1,"kind":"customEvent","name":"a\"b","properties":{"p":1},"#
            + #""time":"2026-01-01T00:00:00.000Z","user":{"braze_id":"own"}"#,
        #""id":2,"kind":"customEvent","name":"n","time":"2026-01-01T00:00:00.000Z","user":{"email":"a@example.com"}"#,
        #""id":3,"kind":"customAttribute","key":"k","value":null,"#
            + #""time":"2026-01-01T00:00:00.001Z","user":{"email":"a@example.com"},"possiblySent":2"#,
        #""id":4,"kind":"userAttribute","field":"f","value":"x","#
            + #""time":"2026-01-01T00:00:00.000Z","user":{"email":"a@example.com"}"#,
    ]

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("The params of a batch have its records in order, and what the destination must know")
    func params() {
        let batch = OutgoingBatch(
            queue: "q",
            identity: "i",
            records: Self.records,
            user: Self.flushUser,
            isProbe: true,
            rateShare: 0.25,
            sendUntil: Self.time + 7,
            isDryRun: true
        )
        let list = Self.members.map { "{\($0)}" }.joined(separator: ",")
        let others =
            #""suiteIdentity":"i","probe":true,"rateShare":0.25,"sendUntil":"2026-01-01T00:00:00.007Z","dryRun":true"#
        #expect(text(batch.params) == #"{"suite":"q","batch":[\#(list)],\#(others)}"#)
        #expect(batch.ids == [1, 2, 3, 4])
    }

    @Test("A member that says nothing is absent")
    func absent() {
        let batch = OutgoingBatch(queue: "q", records: [Self.records[1]], user: nil)
        let record = #"{"id":2,"kind":"customEvent","name":"n","time":"2026-01-01T00:00:00.000Z"}"#
        #expect(text(batch.params) == #"{"suite":"q","batch":[\#(record)]}"#)
    }

    @Test("As lines, each record has the name of its suite and ends its line")
    func lines() {
        let batch = OutgoingBatch(queue: "q", records: Self.records, user: Self.flushUser)
        let lines = Self.members.map { #"{"suite":"q",\#($0)}"# + "\n" }
        #expect(text(batch.lines) == lines.joined())
        #expect(text(OutgoingBatch.lineStart) == #"{"suite":"#)
    }
}
