import Foundation
import JSON
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import HostCore
@testable import JSONRPC

/// Flushes to the caller, with real suites, without a process.
@Suite struct CallerFlushTests {
    @Test("Leased records are free again when the lease's seconds are over")
    func lease() throws {
        let start: Int64 = 1_000_000_000_000
        try FlushBench.open(clock: Clock(start: start)) { bench in
            try bench.save(2)
            let reply = try #require(try bench.flush(["lease": 60]))
            #expect(reply["calls"]?.array?.count == 2 && reply["lease"]?.string != nil && reply["remaining"] == 0)
            #expect(try bench.suite.leases.freeRecords(now: start + 59_900) == 0)
            #expect(try bench.suite.leases.freeRecords(now: start + 60_100) == 2)
        }
    }

    @Test("A lease without records has no token")
    func nothing() throws {
        try FlushBench.open { bench in
            let empty: JSON = ["calls": [], "remaining": 0]
            #expect(try bench.flush(["lease": 60]) == empty)
            try bench.save(1)
            #expect(try bench.flush(["lease": 60])?["lease"] != nil)
            #expect(try bench.flush(["lease": 60]) == empty, "the only record is leased")
        }
    }

    @Test("With the same seed, a later host makes another token while the first lease exists")
    func tokens() throws {
        try withTemporaryDirectory { folder in
            var tokens: Set<String> = []
            for _ in 0..<3 {
                let bench = FlushBench("\(folder)/data")
                try bench.save(1)
                tokens.insert(try #require(try bench.flush(["lease": 60])?["lease"]?.string))
                try bench.advance()
            }
            #expect(tokens.count == 3)
        }
    }

    @Test(
        "The limit and the seconds of a lease have bounds",
        arguments: [("limit", 1_000), ("lease", 86_400)] as [(String, Int64)]
    )
    func bounds(name: String, greatest: Int64) throws {
        try FlushBench.open { bench throws in
            func flush(_ value: Int64) throws -> JSON? {
                try bench.flush(.object(JSON.Object([(name, JSON.integer(value))])))
            }
            for value in [1, greatest] { #expect(try flush(value) != nil) }
            for value in [0, greatest + 1] {
                let error = #expect(throws: RPCError.self) { try flush(value) }
                #expect(error?.data?["path"] == .string("/params/\(name)"))
            }
        }
    }

    @Test("The user of the request stands in for records without one")
    func user() throws {
        try FlushBench.open { bench in
            try bench.save(1, hasUsers: true)
            try bench.save(1)
            let reply = try #require(try bench.flush(["user": ["external_id": "ada"]]))
            let users = try #require(reply["calls"]?.array).map { $0["user"] }
            #expect(users == [["braze_id": "0"], ["external_id": "ada"]])
        }
    }

    @Test(
        "A user that names nobody, or breaks a rule, is refused with its place",
        arguments: [
            ([:], "/params/user", "user names nobody; it takes one of external_id"),
            (["_update_existing_only": true], "/params/user", "user names nobody"),
            (["nobody": "ada"], "/params/user/nobody", "user has no member"),
            (["external_id": 1], "/params/user/external_id", "external_id"),
            (["external_id": "a", "braze_id": "b"], "/params/user", "Braze accepts only one of them"),
        ] as [(JSON, String, String)]
    )
    func wrongUser(user: JSON, path: String, text: String) throws {
        try FlushBench.open { bench in
            try bench.save(1)
            for destination in ["caller", "memory"] as [JSON] {
                let error = #expect(throws: RPCError.self) { try bench.flush(["to": destination, "user": user]) }
                #expect(error?.data?["path"] == .string(path))
                #expect(error?.message.contains(text) == true, "\(String(describing: error))")
            }
            #expect(try bench.suite.pending.total(nil) == 1)
        }
    }
}
