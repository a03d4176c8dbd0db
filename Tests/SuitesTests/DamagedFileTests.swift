import Foundation
import GRDB
import JSON
import Suites
import Testing

/// What a file does that another program changed: SQLite lets every column have values of every type.
struct DamagedFileTests {
    private static let values = [
        "NULL", "'x'", "x'ff00'", "'{'", "-1", "9223372036854775807", "-9223372036854775807 - 1", "1e300", "'5-1'",
        "'1-9223372036854775807'",
    ]

    /// A suite with something in every table.
    private func fill(_ store: SuiteStore) throws {
        let suite = store.standard
        try suite.save("a", "b", "c", "d")
        var settlement = Settlement()
        settlement.deadLetters = [(2, "too large")]
        settlement.ambiguousPending = [1]
        try suite.claims.settle(
            0,
            settlement,
            destination: "x",
            state: DestinationState(failures: 1, notBefore: 9, problem: "503"),
            now: 0
        )
        try suite.defaults.store(["n": 1], forKey: "key")
        _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: Lease(token: "t", expires: 50), now: 0)
        _ = try suite.claims.claim(ids: [3], for: "x")
        try suite.commit()
        try DatabaseQueue(path: store.path()).write { db in
            try db.execute(
                sql: """
                    INSERT INTO staged VALUES (100, 110, 1);
                    INSERT INTO imports VALUES (1, 1, 1, 0);
                    INSERT INTO staged_defaults VALUES (1, 1, 'k', '2');
                    INSERT INTO idempotency_keys VALUES (1, 'k', 1, 1, 0, zeroblob(24));
                    """
            )
        }
    }

    /// Everything that reads or changes a suite; each part ends or throws a `SuiteError`.
    private func use(_ suite: Suites.Suite) -> [SuiteError?] {
        func part(_ body: () throws(SuiteError) -> Void) -> SuiteError? {
            do throws(SuiteError) { try body() } catch {
                suite.rollback()
                return error
            }
            return nil
        }
        return [
            part { () throws(SuiteError) in _ = try suite.pending.records(nil, limit: 9, byteLimit: 1 << 20) },
            part { () throws(SuiteError) in _ = try suite.pending.total(nil) },
            part { () throws(SuiteError) in _ = try suite.pending.recordsOfUnknownKind(limit: 9) },
            part { () throws(SuiteError) in _ = try suite.claims.newestRecord() },
            part { () throws(SuiteError) in _ = try suite.claims.deliverable(1...9, limit: 9, byteLimit: 1 << 20) },
            part { () throws(SuiteError) in _ = try suite.claims.deliveries() },
            part { () throws(SuiteError) in _ = try suite.claims.abandonedRecords() },
            part { () throws(SuiteError) in _ = try suite.claims.abandonedClaims() },
            part { () throws(SuiteError) in _ = try suite.claims.possiblySentRecords() },
            part { () throws(SuiteError) in _ = try suite.deadLetters.page(limit: 9, byteLimit: 1 << 20) },
            part { () throws(SuiteError) in _ = try suite.deadLetters.total() },
            part { () throws(SuiteError) in _ = try suite.leases.freeRecords(now: 0) },
            part { () throws(SuiteError) in _ = try suite.leases.acknowledge("t", now: 0) },
            part { () throws(SuiteError) in _ = try suite.defaults.retrieve(forKey: "key") },
            part { () throws(SuiteError) in
                var settlement = Settlement()
                settlement.ambiguousPending = [1]
                settlement.delivered = [3]
                try suite.claims.settle(1, settlement, destination: "x", now: 0)
                try suite.commit()
            },
            part { () throws(SuiteError) in
                _ = try suite.pending.save(.event("new"))
                try suite.commit()
            },
            part { () throws(SuiteError) in _ = try suite.imports.sweep(while: { true }) },
            part { () throws(SuiteError) in
                _ = try suite.leases.take(limit: 9, byteLimit: .max, lease: nil, now: 0)
                try suite.commit()
            },
        ]
    }

    @Test(
        "No value that another program wrote ends the host, and a read of other tables is as before",
        arguments: [
            "defaults", "pending", "leases", "dead_letters", "claims", "deliveries", "imports", "staged",
            "staged_defaults", "idempotency_keys", "secret", "counters",
        ]
    )
    func anyValue(table: String) throws {
        var (damaged, refused) = (0, 0)
        let columns = try withStore { store in
            try fill(store)
            return try DatabaseQueue(path: store.path()).read { try $0.columns(in: table).map(\.name) }
        }
        for column in columns {
            for value in Self.values {
                try withStore { store in
                    try fill(store)
                    // A key of type INTEGER PRIMARY KEY takes no other type, so that SQLite refuses it.
                    let damage = Result {
                        try DatabaseQueue(path: store.path()).write {
                            try $0.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = \(value)")
                        }
                    }
                    guard case .success = damage else { return }
                    damaged += 1
                    let reader = SuiteStore(folder: store.folder)
                    defer { reader.close() }
                    let suite = reader.standard
                    if !["pending", "staged", "leases"].contains(table) {
                        #expect(try suite.names() == ["a", "c", "d"], "\(column) = \(value)")
                    }
                    let errors = use(suite)
                    #expect(!errors.contains { "\($0?.text ?? "")".contains("RowDecodingError") }, "\(errors)")
                    refused += errors.count { $0 != nil }
                }
            }
        }
        // A damaged file is read as far as possible; only a few kinds of damage are errors.
        #expect(damaged > 0 && refused < damaged * 9)
    }

    @Test(
        "A record is damaged if its time has no year of four digits, and other times of that kind are the nearest with one",
        arguments: [
            (-62_167_219_200_001, -62_167_219_200_000), (.min, -62_167_219_200_000),
            (253_402_300_800_000, 253_402_300_799_999), (.max, 253_402_300_799_999),
        ] as [(Int64, Int64)]
    )
    func times(time: Int64, nearest: Int64) throws {
        try withStore { store in
            try fill(store)
            func set(_ time: Int64) throws {
                try DatabaseQueue(path: store.path()).write { db in
                    for column in ["pending SET time", "dead_letters SET time", "dead_letters SET died"] {
                        try db.execute(sql: "UPDATE \(column) = ?", arguments: [time])
                    }
                    try db.execute(sql: "UPDATE deliveries SET not_before = ?", arguments: [time])
                }
            }
            let suite = store.standard
            func read() throws -> [[Int64]] {
                var damaged: [DamagedRecord] = []
                let pending = try suite.pending.records(nil, limit: 9, byteLimit: .max) { damaged.append($0) }
                let flushed = try suite.claims.deliverable(1...9, limit: 9, byteLimit: .max) { damaged.append($0) }
                #expect(damaged.allSatisfy { $0.problem == "its time is \(time) ms since 1970" })
                return [pending.map(\.content.time), flushed.map(\.time), damaged.map(\.id)]
            }
            try set(time)
            // The record 1 is leased, so no flush reads it.
            #expect(try read() == [[], [], [1, 3, 4, 3, 4]])
            let letter = try #require(try suite.deadLetters.page(limit: 9, byteLimit: .max).first)
            #expect(letter.record?.time == nearest && letter.died == nearest)
            #expect(try suite.claims.deliveries().map(\.notBefore) == [nearest])
            try set(nearest)
            let times = Array(repeating: nearest, count: 3)
            #expect(try read() == [times, Array(times.dropLast()), []])
        }
    }

    @Test("Records behind a damaged page are not left out of a flush without an error")
    func damagedPage() throws {
        try withStore { store in
            for number in 0..<4_000 { _ = try store.standard.pending.save(.event("event \(number)")) }
            try store.standard.commit()
            store.close()
            let file = try #require(FileHandle(forUpdatingAtPath: store.path()))
            try file.seek(toOffset: UInt64(size(store.path()) / 2))
            try file.write(contentsOf: Data(repeating: 0xFF, count: 16 << 10))
            try file.close()
            let suite = SuiteStore(folder: store.folder).standard
            let first = try suite.claims.deliverable(1...100, limit: .max, byteLimit: .max)
            #expect(first.count == 100)
            let error = #expect(throws: SuiteError.self) {
                try suite.claims.deliverable(1...4_000, limit: .max, byteLimit: .max)
            }
            guard case .unreadable = error else {
                Issue.record("\(String(describing: error)) is not unreadable")
                return
            }
        }
    }

    @Test("A damaged record is skipped and reported, and the flat form, which cannot report it, is an error")
    func damagedRecords() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c", "d")
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(
                    sql: """
                        UPDATE pending SET value = '{' WHERE id = 1;
                        UPDATE pending SET kind = 9 WHERE id = 2;
                        UPDATE pending SET kind = -1 WHERE id = 3
                        """
                )
            }
            let problems = [
                DamagedRecord(id: 1, problem: "its value or user is not JSON"),
                DamagedRecord(id: 2, problem: "its kind is 9"), DamagedRecord(id: 3, problem: "its kind is -1"),
            ]
            var damaged: [DamagedRecord] = []
            let records = try suite.pending.records(nil, limit: 9, byteLimit: .max) { damaged.append($0) }
            #expect(records.map(\.id) == [4] && damaged == problems)
            #expect(try suite.pending.recordsOfUnknownKind(limit: 9).map(\.id).sorted() == [2, 3])
            #expect(try suite.pending.recordsOfUnknownKind(limit: 1).count == 1)
            let error = SuiteError.unreadable("the record 1 is damaged: its value or user is not JSON")
            #expect(throws: error) { try suite.pending.flatRecords(.customEvent, byteLimit: .max) }
        }
    }
}
