import JSON
import NotificationHTML
import Notifications
import TestSupport
import Testing

/// Each node of a view has its picture and, in a live page, its control.
@Suite(.waits) struct NodeTests {
    private func picture(_ node: JSON) -> String { HTMLRenderer.expanded.figure(.node(node)) }

    private func live(_ node: JSON) -> String { HTMLRenderer.interactive.figure(.node(node)) }

    @Test(
        "Every type of the contract's schema is drawn, and none as an unknown one",
        arguments: ViewTree.types.sorted()
    )
    func types(type: String) {
        let node: JSON = [
            "type": .string(type), "id": "it", "text": "words", "url": "https://x/y.png", "columns": 2, "page": 0,
            "faceUp": true, "face": "words", "matched": false, "title": "words", "value": "words",
            "placeholder": "words", "total": 3, "source": "words", "alt": "",
            "annotations": [["title": "words", "latitude": 1, "longitude": 2]],
        ]
        let children: JSON = [["type": "text", "text": "words"]]
        var members = node.object.map { $0.map { ($0.name, $0.value) } } ?? []
        if ViewTree.typesWithChildren.contains(type) { members.append(("children", children)) }
        let whole = JSON.object(JSON.Object(members))
        let picture = picture(whole)
        #expect(!picture.contains("(\(type))"))
        #expect(picture.contains(type == "image" ? "y.png" : "words"))
    }

    @Test("A type that is not known is named")
    func unknown() { #expect(picture(["type": "later"]).contains(">(later)<")) }

    @Test("Texts have a style and an alignment, and each line of a text is a line")
    func texts() {
        let title = picture(["type": "text", "text": "a\nb", "style": "title", "alignment": "center"])
        #expect(title.contains("<h3 class=\"pn-title2 pn-bold pn-center\" dir=\"auto\">a<br />b</h3>"))
        #expect(
            picture(["type": "text", "text": "c", "style": "caption", "alignment": "end"]).contains(
                "pn-caption1 pn-end pn-dim"
            )
        )
        #expect(picture(["type": "text", "text": "c"]).contains("<p class=\"pn-body\" dir=\"auto\">c</p>"))
        #expect(!picture(["type": "text", "text": " ", "style": "title"]).contains("<h3"))
    }

    @Test("Symbols in texts are drawn, and stay texts")
    func marks() {
        let text = picture(["type": "text", "text": "●○ ★ a"])
        for part in [">●<", ">○<", "class=\"pn-mark pn-star\">★</span> a"] { #expect(text.contains(part), "\(part)") }
    }

    @Test("Texts that follow each other are close together, so that a stack of them is less high")
    func textGaps() {
        let height = { (nodes: [JSON]) -> Int? in
            let shown = ShownNotification.sample(view: ["type": "stack", "children": JSON(nodes)])
            let svg = HTMLRenderer.expanded.svg([("", shown, nil)], title: "")
            return svg.firstMatch(of: #/ height="([0-9]+)"/#).flatMap { Int($0.output.1) }
        }
        let texts = (0..<10).map { JSON.object(JSON.Object([("type", "text"), ("text", .string("\($0)"))])) }
        let titles = texts.map { JSON(present: $0.members + ["style": "title"]) }
        // 8 points between any two nodes, and 2 between texts; a line of a title is 6 points higher.
        #expect(height(texts + [["type": "text", "text": ""]]) == height(titles).map { $0 - 9 * 6 - 10 * 6 })
    }

    @Test("Colours are by the appearance, a background is around its node, and what is not valid is left out")
    func looks() {
        let text = picture(["type": "text", "text": "a", "color": "#FF0000", "bold": true])
        #expect(text.contains("<p class=\"pn-body pn-bold\" dir=\"auto\" style=\"color:#ff0000\">a</p>"))
        let pair: JSON = ["light": "#000001", "dark": "#fffff0"]
        let button: JSON = [
            "type": "button", "id": "b", "title": "a", "bold": true, "color": "#fff", "background": pair,
        ]
        let style = "style=\"background:light-dark(#000001,#fffff0);font-weight:700\""
        #expect(picture(button).contains("<p class=\"pn-button\" \(style)>"))
        #expect(live(button).contains("data-element=\"b\" \(style)>"))
        let bar = picture(["type": "progress", "value": 1, "total": 2, "color": "#00ff00"])
        #expect(bar.contains("style=\"width:50.0%;background:#00ff00\""))
        for type in ViewTree.typesWithChildren {
            let children: JSON = [["type": "text", "text": "a"]]
            let node: JSON = ["type": .string(type), "page": 0, "background": "#00FF00", "children": children]
            let look = "background:#00ff00;box-shadow:0 0 0 4px #00ff00;border-radius:4px"
            let backed = "<div style=\"\(look)\"><div class=\"pn-"
            #expect(picture(node).contains(backed), "\(type)")
        }
        let wrong = picture(["type": "stack", "background": "url(x)", "children": []])
        #expect(!wrong.contains("box-shadow:0 0 0 4px") && !wrong.contains("url(x)"))
    }

    @Test("A card says what it shows; only one that can be turned is a control")
    func cards() {
        let up: JSON = ["type": "card", "id": "a", "faceUp": true, "face": "rainbow", "matched": false]
        #expect(picture(up).contains("🌈") && picture(up).contains(">rainbow<"))
        #expect(picture(up).contains("aria-label=\"Card 1, rainbow\""))
        #expect(live(up).contains("<button type=\"button\" class=\"pn-card pn-up\""))
        let down: JSON = ["type": "card", "id": "a", "faceUp": false, "matched": false]
        #expect(picture(down).contains("aria-label=\"Card 1, face down\"") && !picture(down).contains("<button"))
        let matched: JSON = ["type": "card", "id": "a", "faceUp": true, "face": "own", "matched": true]
        #expect(
            live(matched).contains("aria-label=\"Card 1, own, matched\"") && !live(matched).contains("data-element")
        )
    }

    @Test("Buttons and fields are controls with the id of their element in a live page, and pictures otherwise")
    func controls() {
        let button: JSON = ["type": "button", "id": "b", "title": "Spin"]
        #expect(live(button).contains("data-element=\"b\"") && live(button).contains("<button"))
        #expect(picture(button).contains(">Button: <") && !picture(button).contains("<button"))
        let field: JSON = ["type": "field", "id": "f", "value": "", "placeholder": "E-mail"]
        #expect(live(field).contains("placeholder=\"E-mail\" aria-label=\"E-mail\" data-element=\"f\""))
        #expect(picture(field).contains(">Empty text field: <") && !picture(field).contains("<input"))
    }

    @Test("Progress has a value in words and a bar", arguments: [(3, 8, "37.5%"), (9, 8, "100.0%"), (0, 3, "0.0%")])
    func progress(value: Int64, total: Int64, width: String) {
        let picture = picture(["type": "progress", "value": .integer(value), "total": .integer(total)])
        #expect(picture.contains("aria-valuetext=\"\(value)/\(total)\"") && picture.contains("width:\(width)"))
        #expect(self.picture(["type": "progress", "value": 3, "total": 0]).contains(">3<"))
    }

    @Test("Media have their state and time in words and as a bar, and are a control only where they can be pressed")
    func players() {
        let film: JSON = [
            "type": "media", "id": "m", "source": "https://x/a<b.mp4", "kind": "video", "state": "playing", "time": 3.9,
            "duration": 12,
        ]
        let label = "aria-label=\"Film, playing, 0:03 / 0:12, a&lt;b.mp4\""
        #expect(picture(film).contains("<div class=\"pn-player\" role=\"img\" \(label)>"))
        #expect(picture(film).contains("width:32.5%") && picture(film).contains(">0:03 / 0:12<"))
        #expect(live(film).contains("<button type=\"button\" class=\"pn-player\" \(label) data-element=\"m\">"))
        let failed = live(["type": "media", "source": "a.wav", "kind": "audio", "state": "failed", "duration": 4])
        #expect(failed.contains("aria-label=\"Sound, cannot be played, a.wav\""))
        #expect(!failed.contains("pn-progress") && !failed.contains("pn-missing") && !failed.contains("data-element"))
        let unknown = picture(["type": "media", "source": "a.wav", "state": "paused", "time": 60])
        #expect(unknown.contains(">1:00<") && !unknown.contains("<span class=\"pn-progress\">"))
    }

    @Test("A map has its places as dots and as texts")
    func maps() {
        let here: JSON = ["title": "Café", "latitude": 52.525, "longitude": 13.4]
        let far: JSON = ["latitude": -33.5, "longitude": 151]
        let map = picture([
            "type": "map", "latitude": 52.52, "longitude": 13.4, "span": ["latitude": 0.02, "longitude": 0.02],
            "annotations": [here, far],
        ])
        #expect(map.contains("<div class=\"pn-map\" role=\"img\" aria-label=\"Map\">"))
        #expect(map.contains("style=\"left:50.0%;top:25.0%\"") && map.split(separator: "\"pn-pin\"").count == 2)
        #expect(map.contains(">Café (52.5250° N, 13.4000° E)<") && map.contains(">33.5000° S, 151.0000° E<"))
        #expect(picture(["type": "map", "alt": "Here"]).contains("aria-label=\"Here\""))
    }

    @Test("A carousel shows its page, with dots or numbers, and turns in a live page")
    func carousels() {
        let carousel = { (count: Int64, page: Int64) -> JSON in
            let pages = (0..<count).map {
                JSON.object(JSON.Object([("type", "text"), ("text", .string("page-\($0)"))]))
            }
            return ["type": "carousel", "id": "c", "page": .integer(page), "children": JSON(pages)]
        }
        let picture = picture(carousel(3, 1))
        #expect(picture.contains("page-1") && !picture.contains("page-0") && picture.contains(">Page 2 of 3<"))
        let live = live(carousel(3, 0))
        #expect(live.contains("data-element=\"c\" data-page=\"2\" aria-label=\"Page 3\""))
        #expect(live.contains("data-page=\"-1\" aria-label=\"Previous page\" lang=\"en\" disabled=\"disabled\""))
        #expect(self.picture(carousel(40, 3)).contains("4 / 40"))
        #expect(self.picture(carousel(0, 0)).contains("(no pages)"))
    }

    @Test("The media button has its frame and its colour, and is hidden below an overlay that plays")
    func media() {
        let figure = { (media: JSON) in HTMLRenderer.interactive.figure(.sample(media: media)) }
        #expect(figure(["button": "default", "playing": false]).contains("data-media=\"play\" aria-label=\"Play\""))
        #expect(figure(["button": "default", "playing": true]).contains("data-media=\"pause\""))
        #expect(!figure(["button": "overlay", "playing": true]).contains("data-media"))
        #expect(!figure(["button": "none", "playing": false]).contains("data-media"))
        let frame: JSON = ["x": 10, "y": 20.4, "width": 60, "height": 60]
        let own = figure(["button": "default", "playing": false, "tintColor": "#FFFF00", "frame": frame])
        #expect(
            own.contains(
                "background:#ffff00;color:#000;position:absolute;margin:0;left:10px;top:20px;width:60px;height:60px"
            )
        )
        #expect(!figure(["button": "default", "playing": false, "tintColor": "red;x:y"]).contains("red"))
    }

    @Test("Rows divide their width, and what is left goes to fields and aligned texts")
    func rows() {
        let row = picture([
            "type": "row",
            "children": [
                ["type": "field", "id": "f", "value": "", "placeholder": ""], ["type": "text", "text": "x"],
            ],
        ])
        #expect(row.contains("grid-template-columns:325fr 12fr"), "\(row)")
        let grid = picture(["type": "grid", "columns": 3, "children": [["type": "text", "text": "x"]]])
        #expect(grid.contains("repeat(1,1fr)"))
    }
}
