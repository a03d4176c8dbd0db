import Foundation
import JSON
import TestSupport
import Testing

/// rich-push with a web server, as the service extension of a notification that register shows.
@Suite(.waits, .wire) struct BundlesRichPushTests {
    private static let fetching = ["--fetch-attachments"]

    private func attachment(_ url: String, _ type: JSON = "png") -> (String, JSON) {
        ("ab", ["c": .null, "att": ["url": .string(url), "type": type]])
    }

    /// Shows an invitation and returns the file of its picture and the diagnostics.
    private func show(_ host: BundlesHost, _ pairs: (String, JSON)...) throws -> Outcome {
        let alert: JSON = ["title": "Join us"]
        let aps: JSON = ["alert": alert, "category": "lab_register", "mutable-content": 1]
        let payload = JSON.object(JSON.Object([("aps", aps), ("cert_title", "C")] + pairs))
        let result = try host.result("didReceive", ["payload": payload])
        #expect(result["extension"] == "com.example.pushhost.register")
        let shown = Shown(result)
        #expect(shown["header"]?["text"] == "C")
        return Outcome(
            notification: shown.notification,
            url: shown["image"]?["url"]?.string,
            reasons: result["diagnostics"].elements.compactMap { $0["reason"]?.string },
            message: (result["diagnostics"]?[0]?["message"])?.string ?? ""
        )
    }

    private struct Outcome {
        let notification: JSON
        let url: String?
        let reasons: [String]
        let message: String

        /// The file of the picture, or `nil`.
        var file: String? { url.flatMap(URL.init(string:))?.path }
    }

    @Test(
        "The picture named in the payload is shown byte for byte, and its file is removed with the notification",
        arguments: [fetching, fetching + ["--phone"]]
    )
    func picture(options: [String]) throws {
        let server = try WebServer()
        try BundlesHost.with(options) { host in
            for path in ["/picture", "/relative", "/redirect?\(server.root)/picture"] {
                let shown = try show(host, attachment(server.root + path))
                #expect(shown.reasons == [])
                #expect(shown.url?.hasPrefix("file:///") == true)
                let file = try #require(shown.file)
                #expect(file.hasSuffix(".png"))
                #expect(FileManager.default.contents(atPath: file) == WebServer.picture)
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                _ = try host.result("dismiss", ["notification": shown.notification])
                #expect(!FileManager.default.fileExists(atPath: file))
            }
            // The server sets cookies, but a later request does not send them back.
            for path in ["/picture", "/relative", "/picture", "/redirect?\(server.root)/picture", "/picture"] {
                #expect(try server.request() == path)
            }
        }
    }

    @Test(
        "A payload without an attachment, or a host without the option, shows the notification without diagnostics",
        arguments: [Self.fetching, []]
    )
    func absent(options: [String]) throws {
        try BundlesHost.with(options) { host in
            for pair in [("x", 1), ("ab", [:]), ("ab", ["att": ["url": "http://localhost/"]])] as [(String, JSON)] {
                let shown = try show(host, pair)
                #expect(shown.reasons == [])
                #expect(shown.url == nil)
            }
        }
    }

    @Test("Without the option nothing is fetched, and the diagnostic names the option")
    func notAllowed() throws {
        let server = try WebServer()
        try BundlesHost.with { host in
            let shown = try show(host, attachment("\(server.root)/picture"))
            #expect(shown.reasons == ["fetchingOff"])
            #expect(shown.url == nil)
            #expect(shown.message.contains("--fetch-attachments"))
        }
        try BundlesHost.with(Self.fetching) { host in _ = try show(host, attachment("\(server.root)/relative")) }
        #expect(try server.request() == "/relative", "the first request of all")
    }

    @Test(
        "A URL that the rules forbid is not fetched",
        arguments: [
            ("file:///etc/passwd", "png", "only https is"), ("http://example.invalid/a.png", "png", "only https is"),
            ("https://user:key@example.invalid/a.png", "png", "credentials"), ("a.png", "png", "not an absolute URL"),
            ("https:///a.png", "png", "names no host"),
            ("https://example.invalid/a.exe", "exe", "must be one of aif, gif"),
            ("https://example.invalid/a.png", 7, "must be a string, it is 7"),
        ] as [(String, JSON, String)]
    )
    func forbidden(url: String, type: JSON, message: String) throws {
        try BundlesHost.with(Self.fetching) { host in
            let shown = try show(host, attachment(url, type))
            #expect(shown.reasons == ["attachmentRefused"])
            #expect(shown.url == nil)
            #expect(shown.message.contains(message), "\(shown.message)")
        }
    }

    @Test(
        "A redirect to a forbidden URL is not followed, and neither are too many redirects",
        arguments: [
            ("/redirect?file:///etc/passwd", "redirects: file:///etc/passwd is not fetched"),
            ("/redirect?http://example.invalid/a.png", "redirects: http://example.invalid/a.png is not fetched"),
            ("/redirect?http://u:k@127.0.0.1/", "credentials"), ("/loop", "redirects more than 5 times"),
        ]
    )
    func redirects(path: String, message: String) throws {
        let server = try WebServer()
        try BundlesHost.with(Self.fetching) { host in
            let shown = try show(host, attachment(server.root + path))
            #expect(shown.reasons == ["attachmentRefused"])
            #expect(shown.url == nil)
            #expect(shown.message.contains(message), "\(shown.message)")
        }
    }

    @Test(
        "A file that is too large, missing or incomplete is not attached, regardless of its headers",
        arguments: [
            ("/page", "png", "attachmentRefused", "look like HTML or XML; its server says image/png"),
            ("/short", "gif", "attachmentRefused", "its bytes are none of aif, avi, gif"),
            ("/claims", "png", "attachmentRefused", "has 20971520 bytes; a png of at most 10485760"),
            ("/streams", "wav", "attachmentRefused", "has more bytes; a wav of at most 5242880"),
            ("/missing", "png", "attachmentFailed", "status 404"),
            ("/guarded", "png", "attachmentFailed", "status 401"),
            ("/empty", "png", "attachmentFailed", "is empty"),
            ("/redirect?", "png", "attachmentFailed", "a redirect without a Location"),
            ("/breaks-off", "png", "attachmentFailed", "not fetched"),
        ]
    )
    func unfit(path: String, type: String, reason: String, message: String) throws {
        let server = try WebServer()
        try BundlesHost.with(Self.fetching) { host in
            let shown = try show(host, attachment(server.root + path, .string(type)))
            #expect(shown.reasons == [reason])
            #expect(shown.url == nil)
            #expect(shown.message.contains(message), "\(shown.message)")
            #expect(try server.request() == path, "no cookie, no credentials")
            #expect(try show(host, attachment("\(server.root)/picture")).url != nil, "it serves on")
        }
    }

    @Test(
        "A file of exactly the largest size is attached, and its bytes determine its type, not the server or the payload"
    )
    func fits() throws {
        let server = try WebServer()
        try BundlesHost.with(Self.fetching) { host in
            let large = try show(host, attachment("\(server.root)/fits", "wav"))
            let file = try #require(large.file)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == 5 << 20)
            let other = try show(host, attachment("\(server.root)/html"))
            #expect(other.reasons == ["contentTypeMismatch"])
            #expect(other.url != nil)
            #expect(other.message.contains("text/html"))
            let renamed = try show(host, attachment("\(server.root)/jpeg"))
            #expect(renamed.reasons == ["contentTypeMismatch"])
            #expect(renamed.file?.hasSuffix(".jpg") == true, "named by its bytes")
            #expect(renamed.message.hasSuffix("attached as jpg, which its bytes are, but the payload says png"))
        }
    }

    @Test("A slow server costs the picture, but neither the notification nor the service extension")
    func slow() throws {
        let server = try WebServer()
        try BundlesHost.with(Self.fetching + ["--service-deadline", "3000"]) { host in
            let shown = try show(host, attachment("\(server.root)/drips"))
            #expect(shown.reasons == ["attachmentFailed"])
            #expect(shown.url == nil)
            #expect(shown.message.contains("did not arrive in time"))
            let next = try show(host, attachment("\(server.root)/picture"))
            let folder = URL(filePath: try #require(next.file)).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
            let services = try host.result("extensions")["extensions"].elements
                .filter { $0["identifier"] == "com.example.pushhost.rich-push" }
            #expect(services.compactMap { $0["starts"] } == [1])
        }
    }

    @Test("A picture on a server that does not listen is not attached")
    func noServer() throws {
        try BundlesHost.with(Self.fetching) { host in
            let shown = try show(host, attachment("http://127.0.0.1:1/a.png"))
            #expect(shown.reasons == ["attachmentFailed"])
            #expect(shown.url == nil)
        }
    }
}
