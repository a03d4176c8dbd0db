import JSON
import TestSupport
import Testing

/// The processor time that a bundle with an HTTP client uses while it waits for a server.
@Suite(.waits, .wire, .enabled(if: Processes.areListed)) struct BundlesProcessorTimeTests {
    /// The largest share of one core that waiting may use.
    private static let greatestShare = 0.05

    /// The processor time in milliseconds that a bundle's process has used so far; 0 before it runs.
    private func processorTime(_ bundle: String, _ host: HostProcess) throws -> Double {
        let extensions = try host.result("extensions")["extensions"].elements
        let found = extensions.first { $0["identifier"] == .string("com.example.pushhost.\(bundle)") }
        return Double(found?["processorTime"]?.integer ?? 0)
    }

    /// The share of one core that a bundle uses while the closure runs.
    private func processorShare(_ bundle: String, _ host: HostProcess, _ body: () throws -> Void) throws -> Double {
        let before = try processorTime(bundle, host)
        let elapsed = try ContinuousClock().measure(body)
        return (try processorTime(bundle, host) - before) / (elapsed / .milliseconds(1))
    }

    @Test(
        "braze uses almost no processor time while the server is silent, stalls in its response, or sends single bytes",
        arguments: [.stall(), .stall(processed: true, sent: 100), .slow(milliseconds: 100)] as [UsersTrackFault]
    )
    func braze(fault: UsersTrackFault) throws {
        try withTemporaryDirectory { folder in
            let server = try UsersTrackServer()
            let host = try HostProcess(
                ["--plugins", "\(repositoryRoot)/plugins", "--data", folder],
                environment: server.environment.merging(["BRAZE_TIMEOUT_MILLISECONDS": "2000"]) { $1 }
            )
            func deliver() throws -> JSON {
                let user: JSON = ["external_id": "ada"]
                try host.result("saveCustomEvent", ["name": "Opened", "user": user])
                return try host.result("flushPending", ["to": "braze"])
            }
            try server.inject([fault])
            let share = try processorShare("braze", host) {
                let result = try deliver()
                #expect(result["possiblySent"] == 1, "the time for the answer passed")
            }
            #expect(share < Self.greatestShare)
            try server.release()
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "rich-push uses almost no processor time while the server is silent, stalls in its header, or sends single bytes",
        arguments: ["/silent", "/half", "/trickles"]
    )
    func richPush(path: String) throws {
        try withTemporaryDirectory { folder in
            let server = try WebServer()
            let host = try HostProcess(
                [
                    "--plugins", "\(repositoryRoot)/plugins", "--data", folder, "--fetch-attachments",
                    "--service-deadline", "3000",
                ]
            )
            func show(_ path: String) throws -> JSON {
                let aps: JSON = ["alert": "Join us", "mutable-content": 1]
                let source: JSON = ["url": .string(server.root + path), "type": "png"]
                let payload: JSON = ["aps": aps, "ab": ["att": source]]
                return try host.result("didReceive", ["payload": payload])
            }
            #expect(try show("/picture")["content"]?["attachments"]?[0] != nil, "the process runs")
            let share = try processorShare("rich-push", host) {
                let reasons = try show(path)["diagnostics"].elements.compactMap { $0["reason"]?.string }
                #expect(reasons.contains("attachmentFailed"), "the time for the file passed")
            }
            #expect(share < Self.greatestShare)
            #expect(try host.finish() == .code(0))
        }
    }
}
