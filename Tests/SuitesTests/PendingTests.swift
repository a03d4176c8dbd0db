import JSON
import Suites
import TestSupport
import Testing

struct PendingTests {
    @Test("A saved record is read with everything that was saved")
    func whole() throws {
        try withStore { store in
            let suite = store.standard
            let user: JSON = ["braze_id": "b"]
            let id = try suite.pending.save(.event("played", ["score": 3], time: 1_700_000_000_123, user: user))
            try suite.commit()
            let record = try #require(try suite.all().first)
            #expect(record.id == id)
            #expect(record.content.kind == .customEvent)
            #expect(record.content.name == "played")
            #expect(record.content.value == ["score": 3])
            #expect(record.content.time == 1_700_000_000_123)
            #expect(record.content.user == user)
            #expect(!record.isLeased)
        }
    }

    @Test("Absent members stay absent, and null stays null")
    func absence() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("bare"))
            _ = try suite.pending.save(.attribute("gone", .null))
            let records = try suite.all()
            #expect(records.map(\.content.value) == [nil, .null])
            #expect(records.map(\.content.user) == [nil, nil])
        }
    }

    @Test(
        "The types of JSON are kept",
        arguments: [
            "1", "1.0", "true", "false", "0", "0.0", "-0.0", "9223372036854775807", "-9223372036854775808", "0.1",
            "null",
            #""""#, #""ä\u0000\u2028𝄞""#, "[]", "{}", #"{"a":[1,1.0,true,null,{"b":[[]]}],"":""}"#, "1e300", "5e-324",
        ]
    )
    func types(text: String) throws {
        let value = try JSON(parsing: text)
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.attribute("k", value))
            try suite.defaults.store(value, forKey: "k")
            try suite.commit()
            let again = SuiteStore(folder: store.folder).standard
            #expect(try again.all().first?.content.value?.description == value.description)
            #expect(try again.defaults.retrieve(forKey: "k")?.description == value.description)
        }
    }

    @Test("Random values are kept")
    func randomValues() throws {
        var generator = SeededGenerator(seed: 20_240)
        try withStore { store in
            let suite = store.standard
            let values = (0..<300).map { _ in JSON.random(depth: 4, using: &generator) }
            for value in values { _ = try suite.pending.save(.attribute("k", value)) }
            try suite.commit()
            let again = try SuiteStore(folder: store.folder).standard.all()
            #expect(again.map { $0.content.value?.description } == values.map(\.description))
        }
    }

    @Test("A page is full when its bytes are over the limit, not when they are just as many, whichever records it has")
    func fullPages() throws {
        try withStore { store in
            let suite = store.standard
            for content: RecordContent in [.event(bytes: 10), .attribute("nine char", 1), .event(bytes: 10)] {
                _ = try suite.pending.save(content)
            }
            let dead = StagedRow(.event(bytes: 8), reason: "no", at: 0)
            try suite.add(dead, dead, dead)
            try suite.commit()
            let records = try suite.claims.deliverable(1...9, limit: 1, byteLimit: .max)
            for (limit, count) in [(9, 1), (10, 2), (19, 2), (20, 3)] {
                let bytes = Int64(limit)
                #expect(try suite.pending.records(nil, limit: 9, byteLimit: bytes).count == count)
                #expect(try suite.deadLetters.page(limit: 9, byteLimit: bytes).count == count)
                let own = limit * records[0].bytes / 10
                #expect(try suite.claims.deliverable(1...9, limit: 9, byteLimit: own).count == count)
                #expect(try suite.leases.take(limit: 9, byteLimit: bytes, lease: nil, now: 0).records.count == count)
                suite.rollback()
            }
        }
    }

    @Test("Nothing is behind the greatest id")
    func greatestID() throws {
        try withStore { store in
            try store.standard.save("a")
            #expect(try store.standard.pending.records(nil, after: .max, limit: 9, byteLimit: .max).isEmpty)
            #expect(try store.standard.deadLetters.page(after: .max, limit: 9, byteLimit: .max).isEmpty)
        }
    }

    @Test("Records are read in order of saving, page by page, of one kind or of all")
    func pages() throws {
        try withStore { store in
            let suite = store.standard
            for number in 0..<10 {
                _ = try suite.pending.save(.event("e\(number)"))
                _ = try suite.pending.save(.attribute("a\(number)", 1))
            }
            try suite.commit()
            var after: Int64 = 0
            var names: [String] = []
            while let last = try suite.pending.records(.customEvent, after: after, limit: 3, byteLimit: .max).last {
                let page = try suite.pending.records(.customEvent, after: after, limit: 3, byteLimit: .max)
                #expect(page.count <= 3)
                names += page.map(\.content.name)
                after = last.id
            }
            #expect(names == (0..<10).map { "e\($0)" })
            #expect(try suite.names() == (0..<10).flatMap { ["e\($0)", "a\($0)"] })
            #expect(try suite.pending.records(nil, after: .max, limit: 1, byteLimit: .max).isEmpty)
            #expect(try suite.pending.total(.customEvent) == 10)
            #expect(try suite.pending.total(.userAttribute) == 0)
            #expect(try suite.pending.total(nil) == 20)
        }
    }

    @Test("A page ends with the record that reaches the byte limit, and has at least one record")
    func byteLimit() throws {
        try withStore { store in
            let suite = store.standard
            for _ in 0..<4 { _ = try suite.pending.save(.event(bytes: 100)) }
            func count(_ limit: Int64) throws -> Int {
                try suite.pending.records(nil, limit: 9, byteLimit: limit).count
            }
            #expect(try count(1) == 1)
            #expect(try count(99) == 1)
            #expect(try count(101) == 2)
            #expect(try count(399) == 4)
            #expect(try suite.all().map(\.bytes) == [100, 100, 100, 100])
        }
    }

    @Test("Ids increase and are never reused, even after all records were removed and the file was closed")
    func ids() throws {
        try withStore { store in
            #expect(try store.standard.save("a", "b") == [1, 2])
            #expect(try store.standard.takeAll().names == ["a", "b"])
            #expect(try store.standard.save("c") == [3])
            #expect(try store.standard.removeAll([.customEvent]) == 1)
            try store.standard.commit()
            let again = SuiteStore(folder: store.folder).standard
            #expect(try again.save("d") == [4])
        }
    }

    @Test("Removing deletes every record of that kind and no other")
    func remove() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            _ = try suite.pending.save(.attribute("k", 1))
            #expect(try suite.removeAll([.customEvent]) == 2)
            #expect(try suite.removeAll([.customEvent]) == 0)
            for name in ["c", "d"] { _ = try suite.pending.save(.event(name)) }
            #expect(try suite.removeAll([.customEvent]) == 2, "those of the open transaction too")
            #expect(try suite.names() == ["k"])
        }
    }
}
