import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// The method `render`.
@Suite(.hangs, .wire) struct RenderTests {
    private static let form: JSON = [
        "payload": [
            "aps": ["alert": "Join us", "category": "lab_register"], "braze_id": "ada", "cert_title": "Certification",
            "cert_description": "Prove what you know",
        ]
    ]

    private func withForm(_ body: (HostProcess, _ notification: JSON) throws -> Void) throws {
        try withTemporaryDirectory { data in
            _ = try builtProduct("register")
            let host = try HostProcess(["--plugins", "\(repositoryRoot)/plugins", "--data", data])
            try body(host, try #require(host.result("didReceive", Self.form)["notification"]))
            #expect(try host.finish() == .code(0))
        }
    }

    private func text(_ host: HostProcess, _ notification: JSON, _ format: JSON = "text") throws -> String {
        try #require(host.result("render", ["notification": notification, "format": format])["text"]?.string)
    }

    @Test("The text is what a person sees now: the view, the buttons, and what an earlier call changed")
    func text() throws {
        try withForm { host, notification in
            let before = try text(host, notification)
            #expect(
                before.hasPrefix("notification \(notification.string ?? ""), shown by com.example.pushhost.register")
            )
            for part in ["Certification", "Prove what you know", "#email"] {
                #expect(before.contains(part), "\(part) is not in \(before)")
            }
            let entry: JSON = ["notification": notification, "element": "email", "value": "ada@example.com"]
            try host.result("interact", entry)
            #expect(try text(host, notification).contains("ada@example.com"))
            #expect(try text(host, notification).contains("- REGISTER: "))
            try host.result("didReceiveResponse", ["notification": notification, "actionIdentifier": "REGISTER"])
            #expect(try text(host, notification).contains("Thanks for registering!"))
        }
    }

    @Test("The text is the one that an assistant gets for the notification")
    func tool() throws {
        try withForm { host, notification in
            let call: JSON = [
                "name": "render", "arguments": ["notification": notification, "format": "text"], "_meta": MCP.meta,
            ]
            let answer = try host.result("tools/call", call)
            #expect(answer["content"]?.array?[0]["text"]?.string == (try text(host, notification)))
            #expect(answer["structuredContent"]?["text"]?.string == (try text(host, notification)))
        }
    }

    @Test("What is not a format or a scheme is refused with its place and the possible words")
    func mistakes() throws {
        try withForm { host, notification in
            let format = try host.error("render", ["notification": notification, "format": "pdf"])
            #expect(format.message == #"Invalid params: format must be one of html, text, it is "pdf""#)
            #expect(format.data?["path"] == "/params/format")
            let params: JSON = ["notification": notification, "format": "html", "scheme": "sepia"]
            let scheme = try host.error("render", params)
            #expect(scheme.message == #"Invalid params: scheme must be one of auto, light, dark, it is "sepia""#)
            #expect(try host.error("render", ["notification": notification]).data?["path"] == "/params/format")
        }
    }

    @Test("A notification that was dismissed, or never received, is refused as by every method")
    func gone() throws {
        try withForm { host, notification in
            try host.result("dismiss", ["notification": notification])
            let gone = try host.error("render", ["notification": notification, "format": "text"])
            #expect(gone.data?["reason"] == "noPresentation")
            #expect(gone.data?["ended"] == "dismissed by the client")
            let unknown = try host.error("render", ["notification": "nobody", "format": "text"])
            #expect(unknown.data?["reason"] == "unknownNotification")
        }
    }

    @Test("It waits for an earlier call on the notification, and for no call on another one")
    func order() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("waits", in: "interact")
            let gate = try Gate(folder)
            try workspace.add("good")
            let host = try workspace.host()
            let (waiting, other) = (try host.shown("waits"), try host.shown("good"))
            let touch = try host.request("interact", ["notification": waiting, "element": "status"])
            let late = try host.request("render", ["notification": waiting, "format": "text"])
            let early = try host.request("render", ["notification": other, "format": "text"])
            #expect(try host.reply()["id"] == early)
            try gate.releaseOne()
            // What the extension shows after the touch is what is rendered.
            #expect(try host.reply()["id"] == touch)
            #expect(try host.reply()["id"] == late)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A notification that the system shows is rendered too")
    func systemView() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--plugins", folder, "--data", folder])
            let alert: JSON = ["title": "Order shipped", "subtitle": "No. 7", "body": "It arrives today."]
            let shown = try host.result("didReceive", ["payload": ["aps": ["alert": alert]]])
            let notification = try #require(shown["notification"])
            let text = try text(host, notification)
            for part in ["shown by the system", "Order shipped", "No. 7", "It arrives today."] {
                #expect(text.contains(part), "\(text)")
            }
        }
    }
}
