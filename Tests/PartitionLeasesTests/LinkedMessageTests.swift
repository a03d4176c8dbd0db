import JSON
import Testing

@testable import PartitionLeases

@Suite struct LinkedMessageTests {
    private func message(_ records: String...) -> LinkedMessage {
        LinkedMessage(
            suite: "a",
            identity: "i",
            after: 7,
            top: 90,
            ids: records.indices.map { Int64($0) + 5 },
            records: records.map { Array($0.utf8)[...] }
        )
    }

    @Test("A message is one JSON object with a record on each line, and is read as it was written")
    func roundTrip() throws {
        let message = message(#"{"kind":"customEvent","name":"é\n,"}"#, #"{"kind":"x"}"#)
        let text = """
            {"suite":"a","identity":"i","after":7,"top":90,"ids":[5,6],"records":[
            {"kind":"customEvent","name":"é\\n,"},
            {"kind":"x"}
            ]}
            """
        #expect(String(decoding: message.body, as: UTF8.self) == text)
        #expect(LinkedMessage(message.body) == message)
        #expect(try JSON(parsing: text)["records"]?.array?.count == 2)
    }

    @Test(
        "What is not such a message is not read",
        arguments: [
            "", "{}", #"{"suite":"a"}"#, "\n\n",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"top\":90,\"ids\":[5,6],\"records\":[\n{}\n]}",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"top\":90,\"ids\":[5],\"records\":[\n{}\n]} ",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"ids\":[5],\"records\":[\n{}\n]}",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"top\":90,\"ids\":[5],\"records\":[\n{},\n{}\n]}",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"top\":90,\"ids\":[5],\"records\":[{}\n{}\n]}",
            "{\"suite\":\"a\",\"identity\":\"i\",\"after\":7,\"top\":90,\"ids\":[],\"records\":[\n]}",
        ]
    )
    func unreadable(text: String) { #expect(LinkedMessage(Array(text.utf8)) == nil) }

    @Test("A message with more than 1,024 records is not read", arguments: [(1_024, true), (1_025, false)])
    func limit(count: Int, isReadable: Bool) {
        let message = LinkedMessage(
            suite: "a",
            identity: "i",
            after: 0,
            top: 0,
            ids: Array(1...Int64(count)),
            records: Array(repeating: Array("{}".utf8)[...], count: count)
        )
        #expect((LinkedMessage(message.body) == message) == isReadable)
    }

    @Test("The subjects of a stream say whether messages have several records, and how many partitions there are")
    func layout() {
        let linked = StreamLayout(stream: "S", subjects: ["S.*.*.1", "S.*.*.0"])
        #expect(linked == StreamLayout(stream: "S", partitions: 2, isLinked: true))
        #expect(linked?.subject(suite: "a", identity: "i", 1) == "S.a.i.1")
        let single = StreamLayout(stream: "S", subjects: ["S.*.0"])
        #expect(single == StreamLayout(stream: "S", partitions: 1, isLinked: false))
        #expect(single?.subject(suite: "a", identity: "i", 0) == "S.a.0")
        for subjects in [[], ["S.*.1"], ["S.*.0", "S.*.*.1"], ["S.>"], ["T.*.0"]] {
            #expect(StreamLayout(stream: "S", subjects: subjects) == nil, "\(subjects)")
        }
    }

    @Test("A record's id has its message's sequence and its place; a single record's id is the sequence")
    func ids() {
        let linked = StreamLayout(stream: "S", partitions: 1, isLinked: true)
        #expect(linked.records(of: 3) == 3_072...4_095)
        #expect(linked.sequence(of: 3_072) == 3 && linked.sequence(of: 4_095) == 3 && linked.sequence(of: 4_096) == 4)
        let single = StreamLayout(stream: "S", partitions: 1, isLinked: false)
        #expect(single.records(of: 3) == 3...3 && single.sequence(of: 3) == 3)
    }

    @Test("A message is settled when its last record was claimed and none of its records is open")
    func settled() {
        var state = PartitionState(takingOver: nil, stream: "s", relay: "me")
        let ids = StreamLayout(stream: "S", partitions: 1, isLinked: true).records(of: 3)
        let fetched = (ids.lowerBound...ids.lowerBound + 2).map {
            let end = $0 == ids.lowerBound + 2 ? ids.upperBound : nil
            return PartitionState.Fetched($0, storedAt: 1, after: $0 > ids.lowerBound ? $0 - 1 : nil, end: end)
        }
        func settle(_ records: [PartitionState.Claimed]) {
            var outcome = PartitionState.Outcome()
            outcome.settled = records.map(\.sequence)
            _ = state.begin(outcome.settled)
            #expect(state.settle(outcome).isEmpty)
        }
        settle(state.claim(fetched, limit: 2))
        #expect(!state.isSettled(ids, storedAt: 1) && state.isSettled(ids.lowerBound...ids.lowerBound, storedAt: 1))
        let last = state.claim(fetched[2...], limit: 2)
        #expect(!state.isSettled(ids, storedAt: 1))
        settle(last)
        #expect(state.isSettled(ids, storedAt: 1) && state.entry.isSettled(ids, storedAt: 1))
        #expect(state.entry.floor == ids.upperBound + 1)
    }
}
