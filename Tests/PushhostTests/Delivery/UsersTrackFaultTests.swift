import Foundation
import JSON
import TestSupport
import Testing

/// The faults of the server on which the delivery tests rely.
@Suite(.waits, .wire) struct UsersTrackFaultTests {
    private let server: UsersTrackServer
    private static let body = #"{"events":[{"external_id":"a","name":"e","time":"2026-01-01T00:00:00Z"}]}"#

    init() throws { server = try UsersTrackServer() }

    /// A connection on which a request was sent.
    private func post(_ body: String = body) throws -> LoopbackConnection {
        let connection = try LoopbackConnection(port: server.port)
        try connection.send("POST", "/users/track", headers: UsersTrackServer.headers, body: body)
        return connection
    }

    private func answer(to fault: UsersTrackFault) throws -> LoopbackConnection.Response {
        try server.inject([fault])
        return try post().response()
    }

    private var processed: Int { get throws { try server.log().count } }

    @Test("The server can end a connection before or after it processes a request, or within the response")
    func drops() throws {
        try server.inject([.drop(), .drop(processed: true), .drop(processed: true, sent: 40), .drop(early: true)])
        #expect(try post().readToEnd() == "")
        #expect(try processed == 0)
        #expect(try post().readToEnd() == "")
        #expect(try processed == 1)
        #expect(try post().readToEnd().utf8.count == 40)
        #expect(try processed == 2)
        let early = try LoopbackConnection(port: server.port)
        try early.send("POST /users/track HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
        #expect(try early.readToEnd() == "")
        #expect(try processed == 2)
        try server.inject([.drop(reset: true)])
        let reset = try post()
        #expect(throws: TestFailure.self) { try reset.readToEnd() }
        #expect(try post().response().status == 201)
        #expect(try server.requests().map(\.status) == [nil, nil, nil, nil, nil, 201])
    }

    @Test("Stalled requests wait in parallel until they are released or their client disconnects")
    func stalls() throws {
        try server.inject([.stall(), .stall(processed: true, sent: 9), .stall()])
        let first = try post()
        try server.wait(stalled: 1)
        let second = try post()
        try server.wait(stalled: 2)
        #expect(try processed == 1)
        #expect(try second.receive(9) == "HTTP/1.1 ")
        var third: LoopbackConnection? = try post()
        try server.wait(stalled: 3)
        #expect(try server.requests().map(\.concurrent) == [[], [1], [1, 2]])
        #expect(third != nil)
        third = nil
        try server.release()
        #expect(try first.response().status == 201)
        #expect(try second.receive(3) == "201")
        #expect(try processed == 2)
    }

    @Test("A response can be replaced, extended, slow, endless or the last one of its connection")
    func answers() throws {
        let garbage = try answer(to: .answer(200, body: "<html>"))
        #expect(garbage.status == 200)
        #expect(garbage.body == "<html>")
        #expect(try processed == 1)
        #expect(try answer(to: .answer(503)).status == 503)
        #expect(try processed == 1)
        #expect(try answer(to: .answer(504, processed: true)).status == 504)
        #expect(try processed == 2)
        #expect(try answer(to: .answer(201, body: "", processed: false)).body == "")
        #expect(try processed == 2)
        let redirect = try answer(to: .answer(307, headers: ["Location": "/elsewhere"]))
        #expect(redirect.status == 307)
        #expect(redirect.headers["location"] == "/elsewhere")
        let amended = try answer(to: .merge(["errors": ["odd"]])).json
        #expect(amended["errors"] == ["odd"])
        #expect(amended["events_processed"] == 1)
        #expect(try answer(to: .slow(milliseconds: 1)).json["message"] == "success")
        try server.inject([.closing, .endless])
        #expect(try post().readToEnd().hasSuffix("}"))
        #expect(try post().receive(1 << 20).utf8.count == 1 << 20)
    }

    @Test("A rate-limit refusal states the time to wait in every mode", arguments: UsersTrackFault.Mode.allCases)
    func tooMany(mode: UsersTrackFault.Mode) throws {
        let response = try answer(to: .tooMany(mode, seconds: 7))
        #expect(response.status == 429)
        let names = ["x-ratelimit-reset", "x-ratelimit-retry-after", "retry-after"].filter {
            response.headers[$0] != nil
        }
        switch mode {
        case .none: #expect(names == [])
        case .mau: #expect(response.headers["x-ratelimit-retry-after"] == "7" && names.count == 1)
        case .seconds: #expect(response.headers["x-ratelimit-reset"] == "7" && names.count == 1)
        case .epoch, .nonsense: #expect(names == ["x-ratelimit-reset"])
        case .retryAfter: #expect(response.headers["retry-after"] == "7")
        case .retryAfterDate: #expect(response.headers["retry-after"]?.hasSuffix("GMT") == true)
        }
        #expect(try processed == 0)
    }

    @Test("A culprit is dropped on its own, or causes its whole request to be refused")
    func culprits() throws {
        try server.setCulprit("one", .index)
        try server.setCulprit("all", .refuse)
        try server.setCulprit("big", .tooLarge)
        func body(_ name: String) -> String {
            let bad = #"{"external_id":"a","name":"e","time":"2026-01-01T00:00:00Z","properties":{"\#(name)":1}}"#
            return Self.body.replacingOccurrences(of: "]}", with: ",\(bad)]}")
        }
        let one = try post(body("one")).response()
        #expect(one.status == 201)
        #expect(try one.json["errors"]?[0]?["index"] == 1)
        let all = try post(body("all")).response()
        #expect(all.status == 400)
        #expect(try all.json["errors"] == nil)
        #expect(try post(body("big")).response().status == 413)
        #expect(try processed == 1)
        try server.setCulprit("big", nil)
        #expect(try post(body("big")).response().status == 201)
        #expect(try processed == 3)
    }

    @Test("The server's random faults are the same for the same seed")
    func random() throws {
        func statuses() throws -> [Int] {
            try server.injectRandomly(seed: 7, probability: 0.5, [.answer(500), .answer(502), .answer(503)])
            return try (0..<30).map { _ in try post().response().status }
        }
        let first = try statuses()
        #expect(try statuses() == first)
        #expect(Set(first) == [201, 500, 502, 503])
    }

    @Test(
        "The client's process can be killed before or after its request is processed",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc")),
        arguments: [false, true]
    )
    func kill(processed: Bool) throws {
        try server.inject([.kill(processed: processed)])
        let script = """
            import http.client, sys
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request("POST", "/users/track", sys.argv[2], {"Authorization": sys.argv[3],
                "Content-Type": "application/json"})
            connection.getresponse()
            """
        let authorization = "Bearer \(UsersTrackServer.key)"
        let arguments = ["-c", script, "\(server.port)", Self.body, authorization]
        #expect(try ChildProcess(try Tool.python.path(), arguments).wait() == .signal(SIGKILL))
        #expect(try self.processed == (processed ? 1 : 0))
    }

    @Test("A misspelt fault is refused, so that no test runs without it")
    func misspelt() throws {
        let connection = try LoopbackConnection(port: server.port)
        try connection.send("POST", "/control/faults", body: #"{"faults":[{"fault":"dorp"}]}"#)
        #expect(try connection.response().status == 400)
        try connection.send("POST", "/control/faults", body: #"{"faults":[{"fault":"drop","erly":true}]}"#)
        #expect(try connection.response().status == 400)
        try connection.send("GET", "/control/faluts")
        #expect(try connection.response().status == 404)
    }
}
