import Foundation
import JSON
import TestSupport
import Testing

/// The rules and counters of the server on which the delivery tests rely.
@Suite(.waits, .wire) struct UsersTrackTests {

    private func event(_ name: String, _ members: (String, JSON)...) -> JSON {
        let own: [(String, JSON)] = [
            ("external_id", "ada"), ("name", .string(name)), ("time", "2026-01-01T00:00:00.000Z"),
        ]
        let names = members.map(\.0)
        return .object(JSON.Object(own.filter { !names.contains($0.0) } + members.filter { !$0.1.isNull }))
    }

    private func post(_ body: JSON, to server: UsersTrackServer) throws -> LoopbackConnection.Response {
        let connection = try LoopbackConnection(port: server.port)
        try connection.send("POST", "/users/track", headers: UsersTrackServer.headers, body: body.description)
        return try connection.response()
    }

    @Test("Valid objects are counted by array, over one connection")
    func success() throws {
        let server = try UsersTrackServer()
        let connection = try LoopbackConnection(port: server.port)
        let body: JSON = [
            "events": [event("a"), event("b", ("properties", ["Score": 6]))],
            "attributes": [["braze_id": "x", "k": ["inc": 1]]], "purchases": [],
        ]
        for _ in 0..<2 {
            try connection.send("POST", "/users/track", headers: UsersTrackServer.headers, body: body.description)
            let response = try connection.response()
            #expect(response.status == 201)
            #expect(response.headers["x-ratelimit-limit"] == "3000")
            let answer: JSON = [
                "message": "success", "attributes_processed": 1, "events_processed": 2, "purchases_processed": 0,
            ]
            #expect(try response.json == answer)
        }
        #expect(try server.log().map(\.array) == ["attributes", "events", "events", "attributes", "events", "events"])
        #expect(try server.log().map(\.request) == [1, 1, 1, 2, 2, 2])
        #expect(try server.requests().map(\.concurrent) == [[], []])
    }

    @Test("An invalid object is named, and the valid ones next to it are processed")
    func partial() throws {
        let server = try UsersTrackServer()
        let response = try post(["events": [event("a"), event("b", ("time", "noon")), event("c")]], to: server)
        #expect(response.status == 201)
        let error = try response.json["errors"]?[0]
        #expect(error?["input_array"] == "events")
        #expect(error?["index"] == 1)
        #expect(try response.json["events_processed"] == 2)
        #expect(try server.log().map { $0.object["name"] } == ["a", "c"])
    }

    @Test(
        "An object that breaks a rule is refused",
        arguments: [
            #"{"events":[{"external_id":"a","name":"e","time":"2026-02-30T00:00:00Z"}]}"#,
            #"{"events":[{"external_id":"a","braze_id":"b","name":"e","time":"2026-01-01"}]}"#,
            #"{"events":[{"name":"e","time":"2026-01-01"}]}"#,
            #"{"events":[{"external_id":"a","time":"2026-01-01"}]}"#,
            #"{"events":[{"external_id":"a","name":"e"}]}"#,
            #"{"events":[{"external_id":"a","name":"e","time":"2026-01-01","properties":{"time":1}}]}"#,
            #"{"events":[{"external_id":"a","name":"e","time":"2026-01-01","properties":{"event_name":1}}]}"#,
            #"{"events":[{"external_id":"a","name":"e","time":"2026-01-01","properties":{"$a":1}}]}"#,
            #"{"events":[{"external_id":"a","name":"e","time":"2026-01-01","properties":{"":1}}]}"#,
            #"{"events":[{"user_alias":{"alias_name":"a"},"name":"e","time":"2026-01-01"}]}"#,
            #"{"attributes":[{"external_id":"a","email":"nobody"}]}"#,
            #"{"attributes":[{"external_id":"a","gender":"female"}]}"#,
            #"{"attributes":[{"external_id":"a","":1}]}"#,
            #"{"attributes":[{"external_id":"a","k":{"inc":1.5}}]}"#,
            #"{"attributes":[{"external_id":"a","k":{"add":"x"}}]}"#,
            #"{"attributes":[{"external_id":"a","k":{"a.b":1}}]}"#,
            #"{"attributes":[{"k":1}]}"#,
            #"{"purchases":[{"external_id":"a","product_id":"p","currency":"EUR","price":1,"quantity":0}]}"#,
        ]
    )
    func rules(body: String) throws {
        let server = try UsersTrackServer()
        let response = try post(try JSON(parsing: body), to: server)
        #expect(response.status == 400)
        #expect(try response.json["errors"]?[0]?["index"] == 0)
        #expect(try server.log().isEmpty)
    }

    @Test("More than 75 objects, a wrong key, another content type, no data or another path is refused as a whole")
    func whole() throws {
        let server = try UsersTrackServer()
        func status(_ count: Int, _ changed: [String: String] = [:], path: String = "/users/track") throws -> Int {
            let connection = try LoopbackConnection(port: server.port)
            let attributes = JSON((0..<(count / 2)).map { ["external_id": "a", "k": JSON($0)] })
            let events = JSON((0..<(count - count / 2)).map { event("e\($0)") })
            let body: JSON = ["attributes": attributes, "events": events]
            let headers = UsersTrackServer.headers.merging(changed) { $1 }
            try connection.send("POST", path, headers: headers, body: body.description)
            return try connection.response().status
        }
        #expect(try status(75) == 201)
        #expect(try status(76) == 400)
        #expect(try status(0) == 400)
        #expect(try status(1, ["Authorization": "Bearer x"]) == 401)
        #expect(try status(1, ["Content-Type": "text/plain"]) == 400)
        #expect(try status(1, path: "/users/trck") == 404)
        #expect(try server.log().count == 75)
        #expect(try post(["events": [event(String(repeating: "é", count: 256))]], to: server).status == 400)
    }

    @Test("Old contracts count objects per array, and a body may be limited")
    func options() throws {
        let server = try UsersTrackServer(["--per-array", "--objects", "2", "--body-limit", "600"])
        let two = JSON([event("a"), event("b")])
        let attributes: JSON = [["external_id": "a", "k": 1], ["external_id": "a", "k": 2]]
        #expect(try post(["events": two, "attributes": attributes], to: server).status == 201)
        #expect(try post(["events": [event("a"), event("b"), event("c")]], to: server).status == 400)
        let long = JSON(String(repeating: "x", count: 200))
        let large = event("a", ("properties", ["a": long, "b": long, "c": long]))
        #expect(try post(["events": [large]], to: server).status == 413)
        let wide = try UsersTrackServer(["--value-bytes", "600"])
        #expect(try post(["events": [event("a", ("properties", ["a": long, "b": long]))]], to: wide).status == 201)
        #expect(try post(["events": [large]], to: wide).status == 400)
    }

    @Test(
        "Requests beyond the rate limit are refused, and each mode states the time to wait in its own form",
        arguments: ["epoch", "seconds", "mau"]
    )
    func rate(mode: String) throws {
        let server = try UsersTrackServer(["--rate-headers", mode, "--rate-limit", "1", "--rate-window", "1000000000"])
        #expect(try post(["events": [event("a")]], to: server).headers["x-ratelimit-remaining"] == "0")
        let refused = try post(["events": [event("a")]], to: server)
        #expect(refused.status == 429)
        let reset = refused.headers["x-ratelimit-reset"].flatMap { Double($0) }
        switch mode {
        case "epoch": #expect(try #require(reset) > Date().timeIntervalSince1970)
        case "seconds": #expect(try #require(reset) <= 1_000_000_000)
        default: #expect(reset == nil && refused.headers["x-ratelimit-retry-after"] != nil)
        }
        #expect(try server.log().count == 1)
    }

    @Test("Processed objects stay in the log file after kills, and a truncated last line is dropped")
    func restart() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/log"
            let first = try UsersTrackServer(log: path)
            _ = try post(["events": [event("a"), event("b")]], to: first)
            first.process.kill(SIGKILL)
            _ = try first.process.wait()
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(#"{"request": 2, "obj"#.utf8))
            try file.close()

            let second = try UsersTrackServer(port: first.port, log: path)
            _ = try post(["events": [event("c")]], to: second)
            #expect(try second.log().map { $0.object["name"] } == ["a", "b", "c"])
            #expect(try second.log().map(\.request) == [1, 1, 2])
        }
    }
}
