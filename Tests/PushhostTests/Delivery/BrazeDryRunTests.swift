import Foundation
import JSON
import TestSupport
import Testing

/// A dry run of the destination `braze`: the requests of the real delivery, and no connection.
@Suite(.waits, .wire) struct BrazeDryRunTests {
    @Test("A dry run shows the very requests that the flush then sends, without the key, and the server sees none")
    func same() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            try host.saveRecords(500)
            let before = try host.all("pending", "records")
            let reply = try host.call("flushPending", ["to": "braze", "dryRun": true])
            #expect(!reply.description.contains(UsersTrackServer.key))
            #expect(try workspace.server.requests().isEmpty)
            #expect(try host.all("pending", "records") == before)
            let planned = try #require(reply["result"]?["requests"]?.array)
            #expect(planned.count > 5)
            for request in planned {
                #expect(request["method"] == "POST")
                #expect(request["url"]?.string == "\(workspace.server.endpoint)/users/track")
                #expect(request["headers"]?["Authorization"] == "Bearer <the key>")
                #expect(request["headers"]?["Content-Type"] == "application/json")
            }
            _ = try host.flushed()
            let log = try workspace.server.log()
            let sent = try workspace.server.requests().map { request in
                log.filter { $0.request == request.number }.map { "\($0.array) \($0.object)" }
            }
            let shown = planned.map { request in
                ["attributes", "events"].flatMap { array in
                    request["body"]?[array]?.array?.map { "\(array) \($0)" } ?? []
                }
            }
            // Requests of different users may overtake each other.
            #expect(Set(sent) == Set(shown) && sent.count == shown.count)
            try host.finishDelivery()
        }
    }

    private func flush(_ folder: String, _ arguments: [String], _ own: [String: String]) throws -> CommandRun {
        let folders = ["--data", "\(folder)/data", "--plugins", "\(repositoryRoot)/plugins"]
        let environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        return try CommandRun(arguments + folders, environment: environment)
    }

    @Test("The key never appears, even if a record contains it, and nothing needs to listen at the endpoint")
    func secret() throws {
        try withTemporaryDirectory { folder in
            let key = "s3cret-key"
            let variables = ["BRAZE_REST_ENDPOINT": "http://127.0.0.1:9", "BRAZE_API_KEY": key]
            let save = ["save", "event", "Opened", "--user", "external_id=ada", "--properties", #"{"k": "\#(key)"}"#]
            #expect(try flush(folder, save, variables).status == .code(0))
            let run = try flush(folder, ["flush", "--dry-run"], variables)
            #expect(run.status == .code(0), "\(run)")
            #expect(run.output.contains("POST http://127.0.0.1:9/users/track\n"))
            #expect(run.output.contains("Authorization: Bearer <the key>\n"))
            #expect(run.output.contains(#""k":"<the key>""#))
            #expect(!run.output.contains(key) && !run.standardError.contains(key))
            #expect(try flush(folder, ["pending", "--json"], variables).json.count == 1)
        }
    }

    @Test("Without a key a dry run says what the operator has to do, and names a misspelt variable")
    func unconfigured() throws {
        try withTemporaryDirectory { folder in
            _ = try flush(folder, ["save", "event", "Opened"], [:])
            let variables = ["BRAZE_REST_ENDPOINT": "fra-01", "BRAZE_APPID": "a", "BRAZE_REGION": "eu"]
            let run = try flush(folder, ["flush", "--dry-run"], variables)
            #expect(run.status == .code(78))
            #expect(run.standardError.contains("BRAZE_API_KEY is not set"))
            let warnings = run.standardError.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
            let misspelt = "Warning: BRAZE_APPID is set, but braze does not read it; did you mean BRAZE_APP_ID?"
            #expect(warnings == [misspelt[...]])
        }
    }
}
