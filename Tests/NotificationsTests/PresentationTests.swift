import Contract
import JSON
import Testing

@testable import Notifications

@Suite struct PresentationTests {
    private final class ContentExtension: Presenter {
        let identifier = "com.example.a"
        let initialContentSizeRatio = 0.5
        let defaultContentHidden = true
        let overridesDefaultTitle: Bool

        init(overridesDefaultTitle: Bool) { self.overridesDefaultTitle = overridesDefaultTitle }
    }

    private func received(_ notification: String, title: String = "T") throws -> ReceivedNotification {
        let payload: JSON = [
            "aps": ["alert": ["title": .string(title)], "category": "offers", "thread-id": "t"]
        ]
        return ReceivedNotification(
            try Payload(try #require(payload.object), path: "/params/payload", depth: 512),
            notification: notification,
            identifier: nil,
            date: 0,
            locale: nil,
            verticalSizeClass: nil
        )
    }

    private func presentation(by presenter: (any Presenter)? = nil, _ actions: JSON = []) throws -> Presentation {
        let category: JSON = ["identifier": "offers", "actions": actions]
        return Presentation(
            Presentation.Entry(try received("one")),
            presenter: presenter,
            category: try NotificationCategory(category, path: ""),
            view: try ViewTree(["type": "text", "text": "x"])
        )
    }

    private func reply(_ result: JSON) throws -> ContentExtensionReply {
        try ContentExtensionReply(result, needsOption: false)
    }

    @Test("A presentation shows the actions of its category until the extension sets others")
    func actions() throws {
        let presentation = try presentation([["identifier": "a", "title": "A"]])
        #expect(presentation.actions.map(\.identifier) == ["a"])
        presentation.apply(try reply([:]))
        #expect(presentation.actions.map(\.identifier) == ["a"])
        presentation.apply(try reply(["actions": []]))
        #expect(presentation.actions.isEmpty)
    }

    @Test(
        "A title is used only if the extension's Info.plist permits replacing the notification's title",
        arguments: [true, false]
    )
    func title(isAllowed: Bool) throws {
        let presentation = try presentation(by: ContentExtension(overridesDefaultTitle: isAllowed))
        presentation.apply(try reply(["title": "Mine"]))
        #expect(presentation.title == (isAllowed ? "Mine" : nil))
        #expect(presentation.summaryJSON["title"] == (isAllowed ? "Mine" : "T"))
        #expect(presentation.drainDiagnostics().map(\.reason) == (isAllowed ? [] : ["titleIgnored"]))
    }

    @Test("Media keep playing unless a reply says otherwise")
    func media() throws {
        let presentation = try presentation()
        presentation.apply(try reply(["media": ["button": "default", "playing": true]]))
        presentation.apply(try reply(["media": ["button": "overlay", "tintColor": "#fff"]]))
        #expect(presentation.media?.json == ["button": "overlay", "tintColor": "#fff", "playing": true])
        presentation.apply(try reply(["media": ["button": "overlay", "playing": false]]))
        #expect(presentation.media?.json == ["button": "overlay", "playing": false])
    }

    @Test("The layout is that of the extension, and null for the system's own view")
    func layout() throws {
        #expect(try presentation().layout.isNull)
        #expect(
            try presentation(by: ContentExtension(overridesDefaultTitle: false)).layout == [
                "initialContentSizeRatio": 0.5, "defaultContentHidden": true, "overridesDefaultTitle": false,
            ]
        )
        #expect(try presentation().summaryJSON["extension"] == JSON.null)
        #expect(
            try presentation(by: ContentExtension(overridesDefaultTitle: true)).summaryJSON["extension"]
                == "com.example.a"
        )
    }

    @Test("A later notification may join a presentation and leave it again; its first one stays")
    func joining() throws {
        let presentation = try presentation()
        presentation.add(Presentation.Entry(try received("two", title: "Newer")))
        #expect(presentation.summaryJSON["notifications"] == ["one", "two"])
        #expect(presentation.summaryJSON["title"] == "Newer")
        presentation.remove("two")
        presentation.remove("one")
        #expect(presentation.entries.map(\.notification) == ["one"])
        #expect(presentation.payload.title == "T")
    }

    @Test("At most a hundred diagnostics are kept, until the next reply")
    func diagnostics() throws {
        let presentation = try presentation()
        for number in 0..<101 { presentation.addDiagnostic(Diagnostic("r", "\(number)")) }
        #expect(presentation.drainDiagnostics().map(\.message) == (0..<100).map(String.init))
        #expect(presentation.drainDiagnostics().isEmpty)
    }

    @Test("An extension gets the sender's identifier of a notification, or the host's if the sender gives none")
    func request() throws {
        #expect(try received("one").request["identifier"] == "one")
        #expect(try received("one").request["date"] == "1970-01-01T00:00:00.000Z")
        let payload = try received("one").payload
        let named = ReceivedNotification(
            payload,
            notification: "one",
            identifier: "mine",
            date: 0,
            locale: "de",
            verticalSizeClass: .compact
        )
        #expect(named.request["identifier"] == "mine" && named.request["locale"] == "de")
        #expect(named.request["verticalSizeClass"] == "compact")
    }
}
