import Foundation
import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct ExtensionsSaveTests {
    private let group: JSON = ["suite": .string(Workspace.group)]

    private func names(_ host: HostProcess) throws -> [JSON?] {
        try host.result("pending", group)["records"]?.array?.map { $0["name"] } ?? []
    }

    @Test("Saves that were sent before a crash are kept, even one that was not answered")
    func savesThenCrashes() throws {
        try Workspace.open { workspace in
            try workspace.add("savesThenCrashes")
            let host = try workspace.host()
            for count in 1...3 {
                #expect(try host.show("savesThenCrashes")["error"]?["code"] == 121)
                #expect(try names(host) == Array(repeating: "Seen", count: count))
            }
            #expect(try host.finish() == .code(0))
            #expect(try names(try workspace.host()).count == 3, "they are on disk")
        }
    }

    @Test(
        "A failed save that cannot be answered becomes a diagnostic of the call",
        arguments: [("savesInvalid", "mistypedParam"), ("savesElsewhere", "notEntitled")]
    )
    func diagnostics(behaviour: String, reason: String) throws {
        try Workspace.open { workspace in
            try workspace.add(behaviour)
            let host = try workspace.host()
            let diagnostics = try host.result("didReceive", HostProcess.payload(behaviour))["diagnostics"]
            #expect(diagnostics?.array?.map { $0["reason"] } == [.string(reason)])
            #expect(diagnostics?[0]?["message"]?.string?.isEmpty == false)
            #expect(try names(host) == [])
            #expect(try host.result("suites")["suites"] == [], "nothing was created")
        }
    }

    @Test("Saves as a request, as a notification and in a batch are stored before the call is answered")
    func stored() throws {
        try Workspace.open { workspace in
            for name in ["saves", "batch"] { try workspace.add(name) }
            let host = try workspace.host()
            _ = try host.shown("saves")
            _ = try host.shown("batch")
            #expect(try names(host) == ["Seen", "Seen"])
        }
    }

    @Test("A save to a suite of another App Group is refused, and the error lists the allowed ones")
    func notEntitled() throws {
        try Workspace.open { workspace in
            try workspace.add("tellsRefusal")
            let host = try workspace.host()
            let view = try host.result("didReceive", HostProcess.payload("tellsRefusal"))["view"]
            let error = try JSON(parsing: try #require(view?["text"]?.string))
            #expect(error["code"] == 201)
            #expect(error["data"]?["reason"] == "notEntitled")
            #expect(error["data"]?["path"] == "/params/suite")
            #expect(error["message"]?.string?.contains(Workspace.group) == true)
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test("A record has the user of its notification")
    func user() throws {
        try Workspace.open { workspace in
            try workspace.add("saves")
            let host = try workspace.host()
            let payload: JSON = ["aps": ["alert": "x", "category": "saves"], "braze_id": "b-17"]
            try host.result("didReceive", ["payload": payload])
            let record = try host.result("pending", group)["records"]?[0]
            #expect(record?["user"] == ["braze_id": "b-17"])
        }
    }

    @Test("A batch from an extension changes the view like single messages")
    func batch() throws {
        try Workspace.open { workspace in
            try workspace.add("batch")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["viewDidChange"]])
            let notification = try host.shown("batch")
            let change = try host.notification("viewDidChange")
            #expect(change["notification"] == notification)
            // A view that changed again before the commit is sent in its latest state.
            #expect(["batched", "status"].contains(change["view"]?["id"]?.string))
        }
    }

    @Test("An extension that dismisses its own presentation in a call leaves no presentation")
    func dismisses() throws {
        try Workspace.open { workspace in
            try workspace.add("dismisses")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let notification = try host.shown("dismisses")
            #expect(try host.notification("didDismiss")["reason"] == "dismissed by the extension")
            let error = try host.call("interact", ["notification": notification, "element": "status"])["error"]
            #expect(error?["data"]?["reason"] == "noPresentation")
            #expect(error?["data"]?["ended"] == "dismissed by the extension")
            #expect(try host.result("notifications")["notifications"] == [])
        }
    }

    @Test(
        "A save after the answer survives a reload, even if another process locks the suite meanwhile",
        arguments: [false, true]
    )
    func heldWhileReloaded(hasEnded: Bool) throws {
        try Workspace.open { workspace in
            for name in ["saves", "savesAfterwards"] { try workspace.add(name) }
            let host = try workspace.host()
            _ = try host.shown("saves")
            let holder = try SuiteHolder("\(workspace.data)/\(Workspace.group).sqlite")
            _ = try host.shown("savesAfterwards")
            try Processes.wait(for: "the save to come") {
                try host.describe("savesAfterwards")["bytesRead"]?.integer ?? 0 > 500
            }
            if hasEnded {
                kill(Int32(try #require(host.describe("savesAfterwards")["pid"]?.integer)), SIGKILL)
                try Processes.wait(for: "its end") { try host.describe("savesAfterwards")["ends"]?[0] != nil }
            }
            try host.result("reloadExtensions", ["force": true])
            try Processes.wait(for: "its end") { try host.describe("savesAfterwards")["ends"]?[0] != nil }
            holder.process.closeInput()
            try Processes.wait(for: "the save to be stored") { try names(host).count == 2 }
            #expect(try host.finish() == .code(0))
        }
    }
}
