import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// The method `render`.
@Suite(.waits, .wire) struct RenderTests {
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
            #expect(try text(host, notification).contains(" 1  Register  REGISTER, "))
            try host.result("didReceiveResponse", ["notification": notification, "actionIdentifier": "REGISTER"])
            #expect(try text(host, notification).contains("Thanks for registering!"))
        }
    }

    @Test("The lines are as wide as was asked for, and say what to call for what can be pressed")
    func lines() throws {
        try withForm { host, notification in
            try host.result("interact", ["notification": notification, "element": "email", "value": "a@example.com"])
            let params: JSON = ["notification": notification, "format": "lines", "width": 40]
            let lines = try #require(host.result("render", params)["lines"]?.array)
            let texts = lines.map { $0.array?.compactMap { $0["text"]?.string }.joined() ?? "" }
            #expect(texts.allSatisfy { $0.count == 40 }, "\(texts)")
            #expect(texts.contains { $0.contains("a@example.com") })
            let targets = Set(lines.flatMap { $0.array?.compactMap { $0["target"] } ?? [] }.map(\.description))
            #expect(targets == [#"{"element":"email"}"#, #"{"action":"REGISTER"}"#])
            let error = try host.error("render", ["notification": notification, "format": "lines", "width": 0])
            #expect(error.data?["path"] == "/params/width")
        }
    }

    @Test("The page is complete, has the chosen scheme, and shows what an earlier call changed")
    func page() throws {
        try withForm { host, notification in
            let page = try text(host, notification, "html")
            #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang="))
            #expect(page.contains("Content-Security-Policy"))
            #expect(page.contains("Prove what you know"))
            #expect(!page.contains("<script"))
            #expect(try text(host, notification, "html") == page)
            let entry: JSON = ["notification": notification, "element": "email", "value": "<b>ada@example.com"]
            try host.result("interact", entry)
            #expect(try text(host, notification, "html").contains("&lt;b&gt;ada@example.com"))
            let schemes = try ["auto", "light", "dark"].map { scheme in
                let params: JSON = ["notification": notification, "format": "html", "scheme": .string(scheme)]
                return try host.result("render", params)["text"]?.string ?? ""
            }
            #expect(Set(schemes).count == 3)
            #expect(schemes[0] == (try text(host, notification, "html")), "the browser chooses unless told otherwise")
        }
    }

    @Test("Local images are embedded until the page is full; what is no image, and what is elsewhere, is not read")
    func images() throws {
        try withTemporaryDirectory { folder in
            let picture = "\(folder)/picture.png"
            try WebServer.picture.write(to: URL(filePath: picture))
            let large = "\(folder)/large.png"
            try (WebServer.picture + Data(count: 6 << 20)).write(to: URL(filePath: large))
            try Data("secret".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
            let urls = [
                "file://\(picture)", "file://\(folder)/notes.txt", "https://elsewhere.example/pixel.png",
                "file://\(large)", "file://\(large)", "file://\(picture)",
            ]
            let images = urls.map { ["type": "image", "url": .string($0), "alt": "An image"] as JSON }
            let reply: JSON = ["view": ["type": "stack", "children": JSON(images)]]
            let host = try HostProcess(["--plugins", "\(Browser.folder)/mirror", "--data", "\(folder)/data"])
            let payload: JSON = ["aps": ["alert": "Hello", "category": "mirror"], "reply": reply]
            let notification = try #require(host.result("didReceive", ["payload": payload])["notification"])
            let page = try text(host, notification, "html")
            let embedded = page.ranges(of: "data:image/png;base64,").count
            #expect(embedded == 2, "the second large image does not fit, and nothing is embedded after it")
            #expect(!page.contains(Data("secret".utf8).base64EncodedString()))
            #expect(!page.contains(" src=\"http"))
            #expect(try host.finish() == .code(0))
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
            #expect(format.message == #"Invalid params: format must be one of html, text, lines, it is "pdf""#)
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
