import Testing

@testable import PartitionLeases

@Suite struct PartitionEntryTests {
    @Test("An entry is read as it was written")
    func roundTrip() throws {
        var entry = PartitionEntry(stream: "2026-11-23T10:00:00Z")
        (entry.relay, entry.change, entry.top) = ("a", 7, 12)
        entry.time = 99
        entry.open.append(10, count: 1, follows: false)
        entry.open.append(12, count: 0, follows: false)
        #expect(try PartitionEntry(entry.bytes) == entry)
        let text = #"{"relay":"a","stream":"2026-11-23T10:00:00Z","change":7,"top":12,"time":99,"#
        #expect(String(decoding: entry.bytes, as: UTF8.self) == text + #""open":[[10,10,1],[12,12,0]]}"#)
    }

    @Test("Of an entry of another version, members with other names are passed over")
    func otherVersion() throws {
        let text = #"{"relay":null,"stream":"s","change":7,"unused":250,"top":12,"time":99,"open":[]}"#
        #expect(try PartitionEntry(Array(text.utf8)).top == 12)
    }

    @Test(
        "An entry with numbers that cannot be counted on is none",
        arguments: [
            #""change":9223372036854775807,"top":1,"open":[]"#, #""change":1,"top":9223372036854775807,"open":[]"#,
            #""change":1,"top":1,"open":[[1,1,9223372036854775807]]"#, #""change":-1,"top":1,"open":[]"#,
        ]
    )
    func numbers(members: String) {
        #expect(throws: PartitionEntryError.self) {
            try PartitionEntry(Array(#"{"relay":null,"stream":"s","time":1,\#(members)}"#.utf8))
        }
    }

    @Test("A message up to the highest claimed one that is not open was settled")
    func settled() {
        var entry = PartitionEntry(stream: "s")
        (entry.top, entry.time) = (12, 12)
        entry.open.append(10, count: 1, follows: false)
        let settled = [9, 10, 11, 12, 13].map { entry.isSettled($0...$0, storedAt: $0) }
        #expect(settled == [true, false, true, true, false])
    }

    @Test("Up to the first open sequence, or else up to the highest claimed one, everything is settled")
    func floor() {
        var entry = PartitionEntry(stream: "s")
        #expect(entry.floor == 1)
        entry.top = 12
        #expect(entry.floor == 13)
        entry.open.append(10, count: 1, follows: false)
        #expect(entry.floor == 10)
    }

    @Test("A value that is no entry is an error", arguments: ["", "{", "{}", "[]", #"{"stream":"s","top":1}"#])
    func unreadable(text: String) {
        #expect(throws: PartitionEntryError.self) { try PartitionEntry(Array(text.utf8)) }
    }
}
