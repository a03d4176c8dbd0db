import JSON
import NotificationHTML
import Notifications
import TestSupport
import Testing

/// What of a notification is in its picture.
@Suite(.waits) struct HTMLRendererTests {
    @Test("The same notification gives the same bytes")
    func determinism() {
        let shown = ShownNotification.node([
            "type": "card", "id": "a", "faceUp": true, "face": "rainbow", "matched": false,
        ])
        let renderer = HTMLRenderer { _ in }
        #expect(renderer.svg([("", shown, nil)], title: "t") == renderer.svg([("", shown, nil)], title: "t"))
        #expect(renderer.page([("", shown, nil)], title: "t") == renderer.page([("", shown, nil)], title: "t"))
    }

    @Test("A page loads nothing: no script, no address, a policy that forbids the rest, and few bytes")
    func selfContained() {
        let page = HTMLRenderer { _ in }.page([("", .sample(), nil)], title: "t")
        #expect(page.contains("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:\""))
        for text in ["<script", "<link", "@import", "url(", "src=", "https:"] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(page.utf8.count < 60_000)
    }

    @Test("Remote images are allowed by the policy only if one is there")
    func remoteImages() {
        let shown = ShownNotification.node(["type": "image", "url": "https://example.com/a.png", "alt": "A"])
        let allowed = HTMLRenderer { $0.images = LocalImages(allowsRemote: true).source }.page(
            [("", shown, nil)],
            title: ""
        )
        #expect(allowed.contains("img-src data: https: http:\""))
        #expect(allowed.contains("src=\"https://example.com/a.png\" alt=\"A\" referrerpolicy=\"no-referrer\""))
        let refused = HTMLRenderer { $0.images = LocalImages(allowsRemote: false).source }.page(
            [("", shown, nil)],
            title: ""
        )
        #expect(refused.contains("img-src data:\"") && !refused.contains("src=\"http"))
        #expect(refused.contains(">A<") && refused.contains(">remote image, not loaded<"))
    }

    @Test("An image with a dark variant has that of the scheme, or both if the reader chooses")
    func darkImages() {
        let (light, dark) = ("data:image/png;base64,AAAA", "data:image/png;base64,BBBB")
        let shown = ShownNotification.node(["type": "image", "url": "file:///cup", "alt": "Cup"])
        func figure(_ scheme: HTMLRenderer.Scheme) -> String {
            HTMLRenderer { ($0.scheme, $0.images) = (scheme, { _ in .embedded(light, dark: dark) }) }.figure(shown)
        }
        #expect(figure(.light).contains("src=\"\(light)\"") && !figure(.light).contains(dark))
        #expect(figure(.dark).contains("src=\"\(dark)\"") && !figure(.dark).contains(light))
        let source = "<picture><source media=\"(prefers-color-scheme:dark)\" srcset=\"\(dark)\" />"
        #expect(figure(.automatic).contains("\(source)<img class=\"pn-image\" src=\"\(light)\""))
    }

    @Test("The banner has the name, the time and the texts; the expanded form has the title that the extension set")
    func parts() {
        let shown = ShownNotification.sample(
            content: ["title": "One", "subtitle": "Two", "body": "Three", "attachments": []],
            title: "Own"
        )
        let banner = HTMLRenderer { $0.parts = [.banner] }.figure(shown)
        for text in ["game", "now", "One", "Two", "Three"] { #expect(banner.contains(">\(text)<"), "\(text)") }
        #expect(!banner.contains("Own"))
        let expanded = HTMLRenderer.expanded.figure(shown)
        for text in ["Own", "One", "Two", "Three"] { #expect(expanded.contains(">\(text)<"), "\(text)") }
        #expect(HTMLRenderer { $0.appName = "Play" }.figure(shown).contains(">Play<"))
        // As on a phone, the name is seen in a banner only if there is no title.
        #expect(banner.contains("<h2 class=\"pn-spoken\"><bdi>game</bdi></h2>"))
        let untitled = ShownNotification.sample(content: ["title": "", "subtitle": "", "body": "Three"])
        let named = HTMLRenderer { $0.parts = [.banner] }.figure(untitled)
        #expect(named.contains("<h2 class=\"pn-name pn-bold\"><bdi>game</bdi></h2>"))
    }

    @Test("Content that the extension hides is not in the expanded form, and the ratio is the height at the start")
    func layout() {
        let hidden = ShownNotification.sample(layout: ["initialContentSizeRatio": 0.65, "defaultContentHidden": true])
        let expanded = HTMLRenderer.expanded.figure(hidden)
        #expect(!expanded.contains("Body"))
        #expect(expanded.contains("min-height:245px"))
        #expect(HTMLRenderer.expanded.figure(.sample()).contains("Body"))
        let extreme = ShownNotification.sample(layout: ["initialContentSizeRatio": 1e9, "defaultContentHidden": true])
        #expect(HTMLRenderer.expanded.figure(extreme).contains("min-height:1131px"))
    }

    @Test("Without an extension the system shows the texts, once")
    func system() {
        let result: JSON = [
            "notification": "n", "extension": .null, "layout": .null, "actions": [],
            "content": ["title": "One", "subtitle": "", "body": "Three", "attachments": []],
            "view": [
                "type": "stack", "children": [["type": "text", "text": "One"], ["type": "text", "text": "Three"]],
            ],
        ]
        let figure = HTMLRenderer.expanded.figure(ShownNotification(result))
        #expect(figure.split(separator: ">Three<").count == 2)
        #expect(figure.contains(">Notification<"))
    }

    @Test("A notification without an alert says so, and one that ended says why and has no controls")
    func ends() {
        let silent = ShownNotification([
            "notification": "n", "extension": .null, "content": [:], "view": [:], "actions": [],
        ])
        #expect(HTMLRenderer.expanded.figure(silent).contains("Nothing is shown"))
        var shown = ShownNotification.sample(actions: [["identifier": "A", "title": "Go", "options": []]])
        shown.show(["option": "dismissAndForward", "forwarded": true, "url": "app://x"])
        let figure = HTMLRenderer.interactive.figure(shown)
        #expect(figure.contains("The notification was dismissed.") && figure.contains("The app opens app://x."))
        #expect(!figure.contains("<button") && !figure.contains(">Go<"))
        shown.show(["option": "dismissAndForward", "forwarded": true, "background": true])
        #expect(shown.opened == "The app handles the action in the background.")
    }

    @Test("Options of actions are words for assistive technology, a colour and a symbol")
    func actions() {
        let shown = ShownNotification.sample(actions: [
            ["identifier": "DEL", "title": "Delete", "options": ["destructive", "authenticationRequired"]],
            [
                "identifier": "SAY", "title": "Reply", "options": ["foreground"],
                "textInput": ["buttonTitle": "Post", "placeholder": "Say it"],
            ],
        ])
        let picture = HTMLRenderer.expanded.figure(shown)
        for text in ["pn-destructive", ", destructive<", ", needs the phone unlocked<", ", opens the app<", ">Post<"] {
            #expect(picture.contains(text), "\(text)")
        }
        #expect(!picture.contains("<button") && !picture.contains("<input") && !picture.contains("data-action"))
        let live = HTMLRenderer.interactive.figure(shown)
        #expect(live.contains("data-action=\"DEL\"") && live.contains("data-text-of=\"SAY\""))
        #expect(live.contains("data-action=\"com.apple.UNNotificationDefaultActionIdentifier\""))
        #expect(live.contains("data-action=\"com.apple.UNNotificationDismissActionIdentifier\""))
    }

    @Test("Locales stand side by side, each with its language and direction")
    func locales() throws {
        let figures: [HTMLRenderer.Figure] = [
            ("en", .sample(), "en"), ("ar", .sample(), "ar"), ("az-Arab", .sample(), "az-Arab"),
        ]
        let page = HTMLRenderer { _ in }.page(figures, title: "t")
        #expect(page.contains("lang=\"en\" dir=\"ltr\"") && page.contains("lang=\"ar\" dir=\"rtl\""))
        #expect(page.contains("lang=\"az-Arab\" dir=\"rtl\""))
        #expect(HTMLRenderer { _ in }.svg(figures, title: "t").contains("width=\"1219\""))
    }

    @Test("A text size changes the sizes of all texts and the height of the picture", arguments: TextSize.allCases)
    func textSizes(size: TextSize) {
        let shown = ShownNotification.node([
            "type": "text", "text": "A text that is long enough to be wrapped at times",
        ])
        let picture = HTMLRenderer { ($0.textSize, $0.parts) = (size, [.expanded]) }.figure(shown)
        let bodies = ["extra-small": 14, "large": 17, "accessibility-extra-extra-extra-large": 53]
        if let points = bodies[size.rawValue] { #expect(picture.contains("--body:\(points)px")) }
        #expect(picture.contains("--caption1:"))
    }

    @Test("The system's own texts do not grow with the sizes for accessibility, and all others do")
    func limitedSizes() {
        let figure = { (size: TextSize) in HTMLRenderer { $0.textSize = size }.figure(.sample()) }
        #expect(figure(.extraLarge).contains("--name:17px/22px;--now:15px/20px"))
        for size in [TextSize.extraExtraExtraLarge, .accessibilityMedium, .accessibilityExtraExtraExtraLarge] {
            #expect(figure(size).contains("--name:21px/28px;--now:19px/24px"), "\(size)")
        }
        #expect(figure(.accessibilityMedium).contains("--subheadline:25px/31px"))
    }

    @Test("A notification is as wide as its phone's screen without the margins, and the ratio follows")
    func devices() {
        let hidden = ShownNotification.sample(layout: ["initialContentSizeRatio": 1, "defaultContentHidden": true])
        for device in Device.allCases {
            let renderer = HTMLRenderer { ($0.device, $0.parts) = (device, [.expanded]) }
            let width = Int(device.screenWidth) - 16
            #expect(renderer.figure(hidden).contains("--width:\(width)px"), "\(device)")
            #expect(renderer.figure(hidden).contains("min-height:\(width)px"), "\(device)")
            #expect(renderer.svg([("", hidden, nil)], title: "").contains(" width=\"\(width + 40)\""), "\(device)")
        }
        #expect(Set(Device.allCases.map(\.screenWidth)).count == Device.allCases.count)
    }

    @Test(
        "The time is in the language of the notification, and in English if that is not known",
        arguments: [
            ("de", "<span class=\"pn-now pn-dim\">jetzt<"), ("zh-Hant-TW", ">現在<"), ("zh_CN", ">现在<"),
            ("ar-EG", ">الآن<"),
            ("xx", " lang=\"en\">now<"), (nil, "<span class=\"pn-now pn-dim\">now<"),
        ]
    )
    func time(language: String?, label: String) {
        #expect(HTMLRenderer { _ in }.figure(.sample(), language: language).contains(label))
    }

    @Test("An app without an icon has a letter on a colour of its own, which stays the same")
    func icons() throws {
        let color = { (bundle: String) -> Substring? in
            let shown = ShownNotification(["extension": .string(bundle), "content": ["title": "One"]])
            return HTMLRenderer { $0.parts = [.banner] }.figure(shown).firstMatch(of: /pn-color\d/)?.output
        }
        #expect(color("com.example.game") == "pn-color2")
        #expect(Set((0..<100).map { color("com.example.\($0)") }).count == 9)
        let icon = "data:image/png;base64,AAAA"
        let own = HTMLRenderer { $0.appIcon = icon }.figure(.sample())
        #expect(own.contains("<img class=\"pn-icon\" src=\"\(icon)\"") && !own.contains("pn-color"))
    }

    @Test("A view of more nodes than can be looked at is cut and says so", arguments: [999, 1_000, 10_000])
    func manyNodes(count: Int) {
        let nodes = (0..<count).map { JSON.object(JSON.Object([("type", "text"), ("text", .string("n\($0)n"))])) }
        let figure = HTMLRenderer.expanded.figure(.sample(view: ["type": "stack", "children": JSON(nodes)]))
        #expect(figure.contains("The view has more than 1000 nodes.") == (count >= 1_000))
        #expect(figure.contains(">n998n<") && !figure.contains(">n999n<"))
    }

    @Test("A text that is too long for a picture is cut and says so")
    func longTexts() {
        let figure = HTMLRenderer.expanded.figure(
            .node(["type": "text", "text": .string(String(repeating: "é", count: 5_000))])
        )
        #expect(figure.contains("Long texts of the view are cut."))
        #expect(figure.contains("é…<"))
    }
}
