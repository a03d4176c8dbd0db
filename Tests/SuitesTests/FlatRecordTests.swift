import JSON
import Suites
import Testing

struct FlatRecordTests {
    @Test("Records have the guide's format: events with event_name, and attributes as one member each")
    func forms() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("played", ["score": 3, "won": true]))
            _ = try suite.pending.save(.event("bare"))
            _ = try suite.pending.save(.attribute("level", 1.0))
            _ = try suite.pending.save(.field("email", "a@b.c"))
            let events: JSON = [["event_name": "played", "score": 3, "won": true], ["event_name": "bare"]]
            #expect(try suite.pending.flatRecords(.customEvent, byteLimit: .max) == events)
            #expect(try suite.pending.flatRecords(.customAttribute, byteLimit: .max) == [["level": 1.0]])
            #expect(try suite.pending.flatRecords(.userAttribute, byteLimit: .max) == [["email": "a@b.c"]])
            // 24 bytes for the names of the members of each record.
            let size = try suite.pending.checkFlatSize(RecordKind.allCases, byteLimit: .max)
            #expect(size.records == 4 && size.bytes == 52 + 4 * 24)
        }
    }

    @Test("A property named event_name does not overwrite the event's name")
    func eventName() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("real", ["event_name": "false", "a": 1]))
            let flat = try suite.pending.flatRecords(.customEvent, byteLimit: .max)
            #expect(flat == [["event_name": "real", "a": 1]])
            #expect(try suite.all().first?.content.value == ["event_name": "false", "a": 1])
        }
    }

    @Test("Records that exceed the limit are an error, not a part of the list")
    func tooLarge() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event(bytes: 100))
            _ = try suite.pending.save(.event(bytes: 100))
            #expect(try suite.pending.flatRecords(.customEvent, byteLimit: 248)?.array?.count == 2)
            #expect(throws: SuiteError.tooLarge(bytes: 247)) {
                try suite.pending.flatRecords(.customEvent, byteLimit: 247)
            }
        }
    }

    @Test("Without records of a kind the result is nil, not JSON's null")
    func absent() throws {
        try withStore { store in
            #expect(try store.standard.pending.flatRecords(.customEvent, byteLimit: 10) == nil)
            try store.standard.save("a")
            #expect(try store.standard.pending.flatRecords(.customAttribute, byteLimit: 10) == nil)
        }
    }
}
